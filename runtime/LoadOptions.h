//===- LoadOptions.h - The options of a load, given and made --------------===//
//
// Part of kplan. Takes the option arrays of a load apart (image/LoadOptions.def
// says which option is what), answers those that return something, and builds
// the arrays for loading an image ahead.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LOADOPTIONS_H
#define KPLAN_RUNTIME_LOADOPTIONS_H

#include "CodeTable.h"
#include "JitLog.h"
#include "plan/Diagnostic.h"

#include <cuda.h>

#include <memory>
#include <vector>

namespace kplan::runtime {

/// The arrays as the driver's functions take them; may be null where there are
/// no options.
struct OptionArrays {
  unsigned JitCount = 0;
  const CUjit_option *Jit = nullptr;
  void **JitValues = nullptr;
  unsigned LibraryCount = 0;
  const CUlibraryOption *Library = nullptr;
  void **LibraryValues = nullptr;
};

class GivenOptions {
public:
  explicit GivenOptions(const OptionArrays &Arrays);

  /// An option is not known, refers to memory of the process, is given twice,
  /// or asks for what was not recorded when the image was loaded ahead.
  bool understood() const { return Understood; }
  const SemanticOptions &semantic() const { return Semantic; }

  /// Whether a load with this log behind it can be answered.
  bool canAnswer(const JitLog &Log) const;
  /// Writes what the driver would have written.
  void answer(const JitLog &Log) const;

private:
  struct Buffer {
    char *Text = nullptr;
    void **Size = nullptr; ///< In and out; a number, not a pointer.
  };
  void take(unsigned Option, void **Value);
  bool asksForAnything() const { return Info.Size || Error.Size || WallTime; }
  static void write(const Buffer &To, const std::string &Text);

  bool Understood = true;
  bool Verbose = false;
  SemanticOptions Semantic;
  Buffer Info, Error;
  void **WallTime = nullptr;
};

/// For one load ahead. Not to be moved: the arrays point into it.
class LoadAheadOptions {
public:
  /// With a log only for PTX, which is compiled in any case: what need not be
  /// is loaded with nothing but what the program gives. An error: a name that
  /// is no option of the driver.
  static Result<std::unique_ptr<LoadAheadOptions>>
  make(const SemanticOptions &Semantic, ImageKind Kind);

  unsigned count() const { return static_cast<unsigned>(Options.size()); }
  CUjit_option *options() { return Options.data(); }
  void **values() { return Values.data(); }
  /// After the load.
  JitLog log() const;

private:
  void add(CUjit_option Option, void *Value);

  ImageKind Kind = ImageKind::Cubin;
  std::vector<CUjit_option> Options;
  std::vector<void *> Values;
  std::vector<char> Info, Error;
  size_t WallTime = SIZE_MAX; ///< Its index; SIZE_MAX: not asked for.
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LOADOPTIONS_H
