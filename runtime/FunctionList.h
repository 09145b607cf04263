//===- FunctionList.h - Which functions of a library are loaded -----------===//
//
// Part of kplan. Looking neither loads nor waits where the library is resident;
// where it is not, asking for its module is its first use.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_FUNCTIONLIST_H
#define KPLAN_RUNTIME_FUNCTIONLIST_H

#include "CodeHandle.h"
#include "Context.h"
#include "DriverApi.h"

#include <optional>
#include <string>
#include <vector>

namespace kplan::runtime {

struct ListedFunction {
  CUfunction Function = nullptr;
  std::string Name; ///< Empty: the driver does not tell.
  bool Loaded = false;
};

/// Whether it is; none: the driver does not tell.
std::optional<bool> isLoaded(const DriverApi &Api, CUfunction F);

std::string functionName(const DriverApi &Api, CUfunction F);

/// All functions of code, by name; one whose state is not known counts as
/// loaded.
/// Empty too where the driver cannot list them.
std::vector<ListedFunction> listFunctions(const DriverApi &Api,
                                          CodeHandle Code);

/// A context for looking into, current for the scope: a private one, or the
/// primary context of a device where it is active.
class HomeContext {
public:
  HomeContext(const DriverApi &Api, CUcontext Private);
  HomeContext(const DriverApi &Api, CUdevice Device);
  /// Only where the primary context has this id, so that it is not one that was
  /// made after a reset.
  HomeContext(const DriverApi &Api, CUdevice Device, uint64_t HomeId);
  explicit operator bool() const {
    return Current && Current->error() == CUDA_SUCCESS;
  }

private:
  RelaxedCapture Relaxed;
  std::optional<PrimaryReference> Primary;
  std::optional<CurrentContext> Current;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_FUNCTIONLIST_H
