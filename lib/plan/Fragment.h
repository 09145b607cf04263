//===- Fragment.h - What one translation unit says, before merging --------===//
//
// Part of kplan. A fragment is what one TU contributes to a plan: its sites,
// with kernel and value as terms, plus the summaries of functions that let a
// term be followed into other TUs. Neither clang nor CUDA is needed to read
// one. resolveFragments() (Resolve.h) turns any number of them into a plan.
//
// A fragment holds facts only and draws no conclusion that another TU could
// overturn: who calls a wrapper, whether a template is instantiated elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_FRAGMENT_H
#define KPLAN_PLAN_FRAGMENT_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan {

/// Identity of a function across TUs: its mangled name. Where the function
/// belongs to one TU alone it ends in `@`: the same text in another fragment
/// is another function.
using FunctionId = std::string;

/// Identity of something that holds values and is not a function's local: a
/// global, a static, a field of a class. Formed like a FunctionId. Elements of
/// an array or map, and the objects of a class, are not told apart.
using StorageId = std::string;

/// A small symbolic expression: what a kernel or value operand is, as far as
/// the TU alone can say.
struct Term {
  enum class Kind : uint8_t {
    Unknown,   ///< Name: why; Text: the source text.
    Integer,   ///< Number.
    Text,      ///< Name: a string constant (the name of a kernel).
    Max,       ///< What a query of the device's limits yields.
    AtMost,    ///< Not above Number.
    Kernel,    ///< Number: index into the fragment's Kernels.
    Function,  ///< Name: a host function, as a pointer or a callable.
    Parameter, ///< Parameter Number (0-based) of function Name.
    Any,       ///< One of Operands, not known which.
    Storage,   ///< Whatever is stored in Name, by any TU.
    Return,    ///< What function Name returns when called with Operands.
    Out,       ///< What function Name, called with the Operands, stores through
               ///< its pointer or reference parameter Number.
    Call,      ///< What a call of Operands[0] with the others returns.
    Named,     ///< The kernel whose symbol is the Text that Operands[0] is.
    Operation, ///< Operator Name on Operands, C's arithmetic on int64_t.
  };
  Kind K = Kind::Unknown;
  int64_t Number = 0;
  std::string Name;
  std::string Text;
  std::vector<Term> Operands;

  std::strong_ordering operator<=>(const Term &Other) const;
  bool operator==(const Term &Other) const;

  /// Terms are trees that hold a copy of a part for each of its uses, and can
  /// double from step to step: whoever makes larger ones sees to a limit.
  bool hasMoreNodesThan(size_t Nodes) const;

  static Term unknown(std::string Why, std::string Text = {});
  /// An argument that does not decide what the call of its term yields.
  static Term unneeded() { return {}; }
  static Term integer(int64_t Value);
  static Term text(std::string Text);
  static Term max();
  static Term atMost(int64_t Bound);
  static Term kernel(size_t Index);
  static Term function(FunctionId Id);
  static Term parameter(FunctionId Id, unsigned Index);
  /// One alternative is itself; nested ones are flattened, equal ones dropped.
  static Term any(std::vector<Term> Alternatives);
  static Term storage(StorageId Id);
  static Term returned(FunctionId Id, std::vector<Term> Arguments);
  static Term out(FunctionId Id, unsigned Index, std::vector<Term> Arguments);
  static Term call(Term Callee, std::vector<Term> Arguments);
  static Term named(Term Symbol);
  /// Folded at once where all operands are integers.
  static Term operation(const std::string &Operator,
                        std::vector<Term> Operands);
};

/// A kernel that terms refer to, or one that somebody may ask about. It enters
/// the plan only with a site.
struct FragmentKernel {
  KernelKey Key;
  std::string Name;
  std::vector<Use> Uses;
  SourcePosition At; ///< Its declaration; no file: not known.
  auto operator<=>(const FragmentKernel &) const = default;
};

/// What is known of a host function that terms mention. One that nothing is
/// known of is left out.
struct FragmentFunction {
  struct OutParameter {
    unsigned Index = 0;
    std::vector<Term> Values;
    auto operator<=>(const OutParameter &) const = default;
  };
  FunctionId Id;
  /// `__host__ __device__`, and in this TU only device code refers to it: its
  /// sites count only if host code of another TU calls it.
  bool DeviceOnly = false;
  /// Used as a value: it may have callers that no fragment shows.
  bool AddressTaken = false;
  std::vector<Term> Returns;
  std::vector<OutParameter> Outs;
  auto operator<=>(const FragmentFunction &) const = default;
};

/// A call that hands terms to a function: in the fragment only where a term
/// mentions a parameter of the function, or where another TU's may.
struct FragmentCall {
  FunctionId Caller; ///< Empty: a static initialiser.
  Term Callee;       ///< Function, or a term that yields one.
  /// By number, those alone that a term may ask for.
  std::map<unsigned, Term> Arguments;
  std::string When;  ///< Guard of the call, as Site::When.
  bool Once = false; ///< As Site::Once.
  /// Runs only where this is not 0: what is left of the enclosing conditions
  /// that depend on parameters.
  std::optional<Term> Condition;
  auto operator<=>(const FragmentCall &) const = default;
};

/// A value put into a StorageId.
struct FragmentStore {
  StorageId Into;
  Term What;
  auto operator<=>(const FragmentStore &) const = default;
};

struct FragmentSite {
  SiteKind Kind = SiteKind::Launch;
  SourcePosition At;
  FunctionId In; ///< Empty: a static initialiser.
  Term Kernel;
  // A set:
  std::optional<Term> SetAttribute;   ///< Number of an Attribute.
  std::optional<Term> SetCacheConfig; ///< Number of a CacheConfig.
  std::optional<Term> SetValue;
  std::string When;
  bool Once = false;
  std::optional<Term> Condition; ///< As FragmentCall::Condition.
  // A launch:
  std::string Shared;
  std::optional<bool> Cooperative;
  std::vector<uint32_t> Cluster;
  std::string Text; ///< Source text of the whole call, for `unresolved`.
  auto operator<=>(const FragmentSite &) const = default;
};

struct Fragment {
  std::string File; ///< The TU, relative to the root.
  kplan::Producer Producer;
  std::vector<FragmentKernel> Kernels;
  std::vector<FragmentFunction> Functions;
  std::vector<FragmentCall> Calls;
  std::vector<FragmentStore> Stores;
  std::vector<FragmentSite> Sites;
  std::vector<Global> Globals;
  /// Sites in templates that this TU does not instantiate ...
  std::vector<TemplateSite> Templates;
  /// ... and places of such sites in templates that it does, whether or not a
  /// site came of it.
  std::vector<SourcePosition> Instantiated;
  auto operator<=>(const Fragment &) const = default;
};

inline constexpr unsigned FragmentVersion = 2;

/// Whether a text is a file of fragments, of any version, and not a plan.
bool isFragmentFile(std::string_view Text);

/// Reads a file of fragments; strict, as plans are. `Name` stands in error
/// messages.
Result<std::vector<Fragment>> readFragments(std::string_view Text,
                                            const std::string &Name);

/// One file of all of them: in one order whatever the input's, and each once.
/// readFragments() gives back equal fragments.
std::string writeFragments(std::vector<Fragment> Fragments);

} // namespace kplan

#endif // KPLAN_PLAN_FRAGMENT_H
