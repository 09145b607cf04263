//===- DriverCall.h - One call of a hooked driver function ----------------===//
//
// Part of kplan. For each hooked function `X` a struct XArguments with its
// parameters, generated from the table:
//
//   if (auto *A = Call.as<ModuleLoadDataArguments>())
//     remember(A->image);
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_DRIVERCALL_H
#define KPLAN_RUNTIME_HOOKS_DRIVERCALL_H

#include "hooks/DriverFunctions.h"
#include "hooks/ForEach.h"

#include <cuda.h>

// Types that CUDA 12.4 does not declare; nobody looks inside.
struct CUctxCreateParams_st;
struct CUcheckpointLockArgs_st;
struct CUcheckpointCheckpointArgs_st;
struct CUcheckpointRestoreArgs_st;
struct CUcheckpointUnlockArgs_st;
struct CUIcheckpointOperation_st;

namespace kplan::runtime::hooks {

// Fields have the names that cuda.h gives to the parameters. visit(V) calls
// V("name", Value) for each of them, in order.
#define KPLAN_FIELD(Type, Name) Type Name;
#define KPLAN_TYPE(Type, Name) Type
#define KPLAN_NAME(Type, Name) Name
#define KPLAN_VISIT(Type, Name) Visitor(#Name, Name);
#define KPLAN_HOOKED(FunctionName, Version, Purpose, ...)                      \
  struct FunctionName##Arguments {                                             \
    static constexpr DriverFunction Id = DriverFunction::FunctionName;         \
    using Function = CUresult(KPLAN_LIST(KPLAN_TYPE, __VA_ARGS__));            \
    KPLAN_EACH(KPLAN_FIELD, __VA_ARGS__)                                       \
    CUresult callWith(void *Address) const {                                   \
      return reinterpret_cast<Function *>(Address)(                            \
          KPLAN_LIST(KPLAN_NAME, __VA_ARGS__));                                \
    }                                                                          \
    template <class V> void visit(V &&Visitor) const {                         \
      KPLAN_EACH(KPLAN_VISIT, __VA_ARGS__)                                     \
    }                                                                          \
  };
#define KPLAN_HOOKED_ALSO(FunctionName, Version, Like, ...)                    \
  using FunctionName##Arguments = Like##Arguments;
#include "hooks/DriverFunctions.def"
#undef KPLAN_FIELD
#undef KPLAN_TYPE
#undef KPLAN_NAME
#undef KPLAN_VISIT

struct DriverCall {
  DriverFunction Function;
  void *Arguments; ///< To a struct of the function's, see as().

  const DriverFunctionInfo &info() const { return infoOf(Function); }

  /// The arguments, if this is a call of that function, in any ABI that has the
  /// same parameters; else null. `Function` tells which one it was.
  template <class ArgumentsOfX> ArgumentsOfX *as() const {
    return info().Like == ArgumentsOfX::Id
               ? static_cast<ArgumentsOfX *>(Arguments)
               : nullptr;
  }
};

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_DRIVERCALL_H
