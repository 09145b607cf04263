//===- FirstUseRules.h - Which calls can be a first use -------------------===//
//
// Part of kplan. What FirstUseRules.def says, of one call.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_FIRSTUSERULES_H
#define KPLAN_RUNTIME_ESCAPES_FIRSTUSERULES_H

#include "hooks/DriverCall.h"

namespace kplan::runtime {

enum class HandleKind : uint8_t { None, Kernel, Function, Library, Module };
/// What a use makes resident.
enum class UsedCode : uint8_t { Library, Kernel };

/// What a call may be the first to use.
struct PossibleUse {
  HandleKind Kind = HandleKind::None; ///< None: the call uses no code.
  UsedCode Uses = UsedCode::Library;
  int Device = -1; ///< -1: the current context's.
  void *Handle = nullptr;
  const char *Name = nullptr; ///< Of a kernel or variable in it, or null.
};

/// The kernel of a node; null: it has none.
inline void *kernelOf(const CUDA_KERNEL_NODE_PARAMS_v1 *Node) {
  return Node ? Node->func : nullptr;
}
inline void *kernelOf(const CUDA_KERNEL_NODE_PARAMS *Node) {
  if (!Node)
    return nullptr;
  return Node->func ? static_cast<void *>(Node->func) : Node->kern;
}
inline void *kernelOf(const CUgraphNodeParams *Node) {
  if (!Node || Node->type != CU_GRAPH_NODE_TYPE_KERNEL)
    return nullptr;
  return Node->kernel.func ? static_cast<void *>(Node->kernel.func)
                           : Node->kernel.kern;
}

[[gnu::always_inline]] inline PossibleUse
possibleUse(const hooks::DriverCall &Call) {
  using namespace hooks;
  switch (Call.info().Like) {
#define KPLAN_USE(F, Handle, Field, Uses, NameIt, DeviceIt)                    \
  case DriverFunction::F: {                                                    \
    const auto &A = *Call.as<F##Arguments>();                                  \
    return {HandleKind::Handle, UsedCode::Uses, DeviceIt, A.Field, NameIt};    \
  }
#define FIRST_USE(F, Handle, Field, Uses)                                      \
  KPLAN_USE(F, Handle, Field, Uses, nullptr, -1)
#define FIRST_USE_NAMED(F, Handle, Field, Uses, NameField)                     \
  KPLAN_USE(F, Handle, Field, Uses, A.NameField, -1)
#define FIRST_USE_ON(F, Handle, Field, Uses, DeviceField)                      \
  KPLAN_USE(F, Handle, Field, Uses, nullptr, A.DeviceField)
#define FIRST_USE_IN_NODE(F, Field)                                            \
  case DriverFunction::F:                                                      \
    if (void *Kernel = kernelOf(Call.as<F##Arguments>()->Field))               \
      return {HandleKind::Function, UsedCode::Kernel, -1, Kernel, nullptr};    \
    return {};
#include "escapes/FirstUseRules.def"
#undef KPLAN_USE
  default:
    return {};
  }
}

/// Whether it waits for the device (an unload: where the code is resident).
constexpr bool isWaitingFree(hooks::DriverFunction F) {
  switch (hooks::infoOf(F).Like) {
#define WAITING_FREE(Function)                                                 \
  case hooks::DriverFunction::Function:                                        \
    return true;
#include "escapes/FirstUseRules.def"
  default:
    return false;
  }
}

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_FIRSTUSERULES_H
