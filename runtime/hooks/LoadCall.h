//===- LoadCall.h - The six ways to load code, as one ---------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_LOADCALL_H
#define KPLAN_RUNTIME_HOOKS_LOADCALL_H

#include "LoadOptions.h"
#include "hooks/DriverCall.h"

#include <optional>

namespace kplan::runtime::hooks {

/// A call with purpose Load.
struct LoadCall {
  Loader By = Loader::Library;
  void *Out = nullptr;         ///< CUlibrary * or CUmodule *.
  const void *Image = nullptr; ///< In memory; or
  const char *File = nullptr;  ///< ... a file.
  OptionArrays Options;

  /// What the call gave, once it has succeeded.
  CodeHandle handle() const;
  /// Gives that.
  void give(CodeHandle Code) const;
};

/// None: another purpose.
std::optional<LoadCall> asLoad(const DriverCall &Call);

/// What an unload is to take away. None: another purpose.
std::optional<CodeHandle> asUnload(const DriverCall &Call);

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_LOADCALL_H
