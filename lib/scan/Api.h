//===- Api.h - What CUDA's functions do, for the scanner ------------------===//
//
// Part of kplan. Looks up Api.def.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_API_H
#define KPLAN_SCAN_API_H

#include <string_view>

namespace kplan::scan {

enum class ApiAction {
  Set,
  SetCache,
  Launch,
  LaunchConfig,
  LaunchNode,
  Query,
  Handle,
  Named,
  Global,
  NamedGlobal,
  Limit,
  Loader,
};

/// Argument numbers; -1 where the function has no such argument.
struct ApiFunction {
  std::string_view Name;
  ApiAction Action;
  int Kernel = -1;    ///< The kernel; Handle: the one whose handle is wanted.
  int Attribute = -1; ///< Limit: which limit is asked for.
  int Value = -1;     ///< Also of SetCache.
  int Shared = -1;    ///< Dynamic shared memory.
  int Config = -1;    ///< Pointer to a struct of launch parameters.
  int Out = -1;       ///< Pointer through which a result is stored.
  int Text = -1;      ///< A name as a string.
  int Symbol = -1;    ///< A device variable.
  bool Cooperative = false;
};

/// By name, without `_v2`, `_ptsz`, `_ptds`; null: the scanner does not care.
/// A function that is in the table twice (a query whose result is a limit) is
/// found by what it does to the kernel.
const ApiFunction *findApi(std::string_view Name);

/// What the function stores through a pointer, if anything that matters: one
/// of Handle, Named, Limit, Loader, or a Global that is read.
const ApiFunction *findApiResult(std::string_view Name);

/// The function that a declared name means: "cuLaunchKernel" for
/// "PFN_cuLaunchKernel_v4000", "pfn_cuLaunchKernel", "cuLaunchKernel_fn".
const ApiFunction *findApiInName(std::string_view Name);

} // namespace kplan::scan

#endif // KPLAN_SCAN_API_H
