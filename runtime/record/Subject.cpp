//===- Subject.cpp - What a call is about ---------------------------------===//

#include "record/Subject.h"

#include "record/DriverQuestions.h"

#include <functional>
#include <string_view>

using namespace kplan::runtime::hooks;
using namespace kplan::runtime::record;

namespace {

class SubjectFinder {
public:
  explicit SubjectFinder(const DriverCall &Call) : Call(Call) {}

  // Launches.
  Subject operator()(const LaunchKernelArguments &A) const {
    return launch(A.f, A.hStream);
  }
  Subject operator()(const LaunchKernelExArguments &A) const {
    return launch(A.f, A.config ? A.config->hStream : nullptr);
  }
  Subject operator()(const LaunchCooperativeKernelArguments &A) const {
    return launch(A.f, A.hStream);
  }
  Subject operator()(const LaunchArguments &A) const {
    return launch(A.f, nullptr);
  }
  Subject operator()(const LaunchGridArguments &A) const {
    return launch(A.f, nullptr);
  }
  Subject operator()(const LaunchGridAsyncArguments &A) const {
    return launch(A.f, A.hStream);
  }
  Subject operator()(const GraphLaunchArguments &A) const {
    Subject S = launch(A.hGraphExec, A.hStream);
    S.Kernel = nullptr;
    return S;
  }

  // Sets.
  Subject operator()(const KernelSetAttributeArguments &A) const {
    return set(A.kernel, A.attrib, A.val);
  }
  Subject operator()(const FuncSetAttributeArguments &A) const {
    return set(A.hfunc, A.attrib, A.value);
  }
  Subject operator()(const KernelSetCacheConfigArguments &A) const {
    return about(A.kernel, keyOf(Fact::CacheSet, A.kernel, A.config));
  }
  Subject operator()(const FuncSetCacheConfigArguments &A) const {
    return about(A.hfunc, keyOf(Fact::CacheSet, A.hfunc, A.config));
  }
  Subject operator()(const FuncSetSharedMemConfigArguments &A) const {
    return touch(A.hfunc);
  }
  Subject operator()(const FuncSetSharedSizeArguments &A) const {
    return touch(A.hfunc);
  }
  Subject operator()(const FuncSetBlockShapeArguments &A) const {
    return touch(A.hfunc);
  }

  // Touches.
  Subject operator()(const ModuleGetFunctionArguments &A) const {
    return lookUp(A.hmod, A.name);
  }
  Subject operator()(const ModuleGetGlobalArguments &A) const {
    return lookUp(A.hmod, A.name);
  }
  Subject operator()(const ModuleGetGlobal_v2Arguments &A) const {
    return lookUp(A.hmod, A.name);
  }
  Subject operator()(const ModuleGetTexRefArguments &A) const {
    return lookUp(A.hmod, A.name);
  }
  Subject operator()(const ModuleGetSurfRefArguments &A) const {
    return lookUp(A.hmod, A.name);
  }
  Subject operator()(const LibraryGetKernelArguments &A) const {
    return lookUp(A.library, A.name);
  }
  Subject operator()(const LibraryGetGlobalArguments &A) const {
    return lookUp(A.library, A.name);
  }
  Subject operator()(const LibraryGetManagedArguments &A) const {
    return lookUp(A.library, A.name);
  }
  Subject operator()(const LibraryGetUnifiedFunctionArguments &A) const {
    return lookUp(A.library, A.symbol);
  }
  Subject operator()(const LibraryEnumerateKernelsArguments &A) const {
    return in(A.lib, keyOf(Fact::Listed, A.lib, A.numKernels));
  }
  Subject operator()(const ModuleEnumerateFunctionsArguments &A) const {
    return in(A.mod, keyOf(Fact::Listed, A.mod, A.numFunctions));
  }
  // Each context has modules and functions of its own.
  Subject operator()(const LibraryGetModuleArguments &A) const {
    return in(A.library,
              keyOf(Fact::LookedUp, A.library, numberOf(currentContext())));
  }
  Subject operator()(const KernelGetFunctionArguments &A) const {
    return about(A.kernel,
                 keyOf(Fact::LookedUp, A.kernel, numberOf(currentContext())));
  }
  Subject operator()(const KernelGetParamInfoArguments &A) const {
    return touch(A.kernel);
  }
  Subject operator()(const KernelGetParamCountArguments &A) const {
    return touch(A.kernel);
  }
  Subject operator()(const FuncLoadArguments &A) const {
    return touch(A.function);
  }
  Subject operator()(const FuncGetAttributeArguments &A) const {
    return touch(A.hfunc);
  }
  Subject operator()(const FuncGetModuleArguments &A) const {
    return touch(A.hfunc);
  }
  Subject operator()(const FuncGetParamInfoArguments &A) const {
    return touch(A.func);
  }
  Subject operator()(const FuncGetParamCountArguments &A) const {
    return touch(A.func);
  }
  Subject operator()(
      const OccupancyMaxActiveBlocksPerMultiprocessorArguments &A) const {
    return touch(A.func);
  }
  Subject operator()(
      const OccupancyMaxActiveBlocksPerMultiprocessorWithFlagsArguments &A)
      const {
    return touch(A.func);
  }
  Subject
  operator()(const OccupancyAvailableDynamicSMemPerBlockArguments &A) const {
    return touch(A.func);
  }
  Subject operator()(const OccupancyMaxPotentialBlockSizeArguments &A) const {
    return touch(A.func);
  }
  Subject
  operator()(const OccupancyMaxPotentialBlockSizeWithFlagsArguments &A) const {
    return touch(A.func);
  }
  Subject operator()(const OccupancyMaxPotentialClusterSizeArguments &A) const {
    return touch(A.func);
  }
  Subject operator()(const OccupancyMaxActiveClustersArguments &A) const {
    return touch(A.func);
  }

  // Neither a first use nor news.
  Subject operator()(const KernelGetAttributeArguments &) const {
    return ignored();
  }
  Subject operator()(const FuncIsLoadedArguments &) const { return ignored(); }
  Subject operator()(const CtxSetCurrentArguments &) const { return ignored(); }
  Subject operator()(const CtxPushCurrentArguments &) const {
    return ignored();
  }
  Subject operator()(const CtxPopCurrentArguments &) const { return ignored(); }

  /// Loads, unloads, frees, contexts, graphs, limits: each counts.
  template <class Other> Subject operator()(const Other &) const { return {}; }

private:
  static Subject ignored() {
    Subject S;
    S.Ignored = true;
    return S;
  }
  static Subject about(const void *Kernel, uint64_t Key) {
    Subject S;
    S.Key = Key;
    S.Kernel = Kernel;
    return S;
  }
  static Subject in(const void *Owner, uint64_t Key) {
    Subject S;
    S.Key = Key;
    S.Owner = Owner;
    return S;
  }
  Subject touch(const void *Kernel) const {
    return about(Kernel, keyOf(Fact::Touched, Kernel));
  }
  Subject lookUp(const void *Owner, const char *Name) const {
    // One name may be asked for in several ways.
    uint64_t Asked = std::hash<std::string_view>()(Name ? Name : "") +
                     mix(static_cast<uint64_t>(Call.info().Like));
    Subject S = in(Owner, keyOf(Fact::LookedUp, Owner, Asked));
    S.Name = Name;
    return S;
  }
  static Subject set(const void *Kernel, CUfunction_attribute Attribute,
                     int Value) {
    return about(Kernel, keyOf(Fact::Set, Kernel,
                               static_cast<uint64_t>(Attribute) << 32 |
                                   static_cast<uint32_t>(Value)));
  }
  Subject launch(const void *What, CUstream On) const {
    Subject S = about(What, keyOf(Fact::Launched, What));
    if (!On && Call.info().PerThreadStream)
      On = CU_STREAM_PER_THREAD;
    S.Stream = On;
    S.StreamKey = keyOf(Fact::Stream, On);
    return S;
  }

  const DriverCall &Call;
};

} // namespace

Subject kplan::runtime::record::subjectOf(const DriverCall &Call) {
  SubjectFinder Find(Call);
  switch (Call.info().Like) {
#define KPLAN_HOOKED(Name, Version, Purpose, ...)                              \
  case DriverFunction::Name:                                                   \
    return Find(*Call.as<Name##Arguments>());
#define KPLAN_HOOKED_ALSO(Name, Version, Like, ...)                            \
  case DriverFunction::Name:                                                   \
    break; // Never what another is like.
#include "hooks/DriverFunctions.def"
  }
  return {};
}
