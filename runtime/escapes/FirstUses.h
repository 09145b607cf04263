//===- FirstUses.h - What a call would use for the first time -------------===//
//
// Part of kplan. Keeps, from the calls that the hooks see, where each library
// and module is resident, and from the seal on which of its functions are not
// loaded. So it can say before a call whether it is a first use, and find out
// afterwards what a call that nobody saw (a launch) used.
//
// Of a library that no hooked call has used yet nothing is known: a launch may
// have. Asking the driver would itself be the first use, so it is asked when
// the program is about to use the library anyway.
//
// Thread-safe. Its lock is held only around driver calls that do not wait.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_FIRSTUSES_H
#define KPLAN_RUNTIME_ESCAPES_FIRSTUSES_H

#include "FunctionList.h"
#include "escapes/Escape.h"
#include "escapes/FirstUseRules.h"
#include "escapes/Homes.h"
#include "record/SeenSet.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kplan::runtime {

/// What a call uses for the first time.
struct FirstUse {
  std::string Symbol;
  std::string Image;
};

class FirstUses {
public:
  /// \p Known is large, and therefore static storage.
  FirstUses(const DriverApi &Api, Homes &Where, record::SeenSet &Known)
      : Api(Api), Where(Where), Known(Known) {}

  /// \name What happens to code; after the driver has done it.
  /// @{
  void loaded(HandleKind Kind, const void *Code, int Home, std::string Image);
  void given(const void *Kernel, const void *Library, const char *Name);
  /// What priming, or a call with this effect, has made resident.
  void madeResident(HandleKind Kind, const void *Code, int Home,
                    const std::string &Image);
  /// @}

  /// \name What goes; before the driver does it.
  /// @{
  /// Whether it was resident anywhere, and which image it is.
  std::optional<std::string> unloading(const void *Code);
  void ending(int Home);
  /// @}

  /// Whether a use is known to be no first one: the fast answer.
  bool isKnown(const PossibleUse &Use, int Home) const {
    return !Use.Name && Known.contains(keyOf(Use.Handle, Home));
  }
  /// Before a call in the sealed phase. It may wait, for as long as the call
  /// would have.
  std::optional<FirstUse> lookBefore(const PossibleUse &Use, int Home);
  /// After a call has done what it may; \p Made is a function that it gave out,
  /// or null. False: look() has reported it meanwhile.
  bool used(const PossibleUse &Use, int Home, const void *Made = nullptr);

  /// Lists what is not loaded. How many libraries are not in use yet, as far as
  /// is known?
  size_t seal();
  /// Forgets the lists.
  void unseal();
  /// What was loaded since the lists were made or last looked at.
  std::vector<Escape> look();
  /// Whatever is loaded now is no escape: priming did it.
  void relist();

private:
  /// User addresses have at most 48 bits.
  static uint64_t keyOf(const void *Handle, int Home) {
    return record::mix(reinterpret_cast<uintptr_t>(Handle) ^
                       static_cast<uint64_t>(Home + 1) << 48);
  }

  struct Residence {
    bool Listed = false;
    std::vector<ListedFunction> Functions;
    ListedFunction *find(const std::string &Name);
  };
  struct Code {
    HandleKind Kind = HandleKind::Library;
    std::string Image;
    bool AfterSeal = false; ///< It was loaded after the seal.
    std::map<int, Residence> In;
  };
  struct Kernel {
    const void *Library;
    std::string Name; ///< Empty: the driver was not asked yet.
  };
  /// What a use is about, once its handle is looked up.
  struct Subject {
    const void *Code = nullptr;
    HandleKind Kind = HandleKind::None;
    std::string Kernel;            ///< Empty: none, or its name is unknown.
    CUfunction Function = nullptr; ///< A function that came by itself.
  };

  Subject subjectOf(const PossibleUse &Use);
  const Kernel *kernel(const void *Handle, bool MustBeOne);
  std::optional<FirstUse> lookAt(const Subject &S, const PossibleUse &Use,
                                 Residence &R, const std::string &Image);
  std::optional<FirstUse> lookAtFunction(CUfunction F);
  ListedFunction *findFunction(CUfunction F, std::string *Image);
  /// In the current context.
  std::vector<ListedFunction> list(HandleKind Kind, const void *Code) const;
  /// In the context of a home.
  template <class F> void forEachResidence(F Visit);
  void listAll();
  bool isEager() const;

  const DriverApi &Api;
  Homes &Where;
  std::mutex Mutex;
  bool Sealed = false;
  bool Eager = false; ///< Of the driver; known once sealed.
  std::unordered_map<const void *, Code> Codes;
  std::unordered_map<const void *, Kernel> Kernels;
  /// Handles in homes that hold nothing new. A false "not known" costs a slower
  /// look; a false "known" never happens, because what goes is taken out before
  /// the driver can give its address to something else.
  record::SeenSet &Known;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_FIRSTUSES_H
