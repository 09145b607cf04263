//===- EventWriter.cpp - From a call to events ----------------------------===//

#include "record/EventWriter.h"

#include "record/DriverQuestions.h"

#include <algorithm>

using namespace kplan;
using namespace kplan::runtime::hooks;
using namespace kplan::runtime::record;

bool kplan::runtime::record::endsContext(const DriverCall &Call) {
  return Call.as<CtxDestroyArguments>() || Call.as<CtxDetachArguments>() ||
         Call.as<DevicePrimaryCtxReleaseArguments>() ||
         Call.as<DevicePrimaryCtxResetArguments>() ||
         Call.as<GreenCtxDestroyArguments>() ||
         Call.as<CheckpointProcessCheckpointArguments>();
}

void EventWriter::writeUse(const DriverCall &Call, bool Launched) {
  void *Kernel = const_cast<void *>(subjectOf(Call).Kernel);
  if (!Kernel)
    return;
  if (Call.info().Base.starts_with("cuKernel"))
    return useKernel(static_cast<CUkernel>(Kernel));
  auto Function = static_cast<CUfunction>(Kernel);
  // These take nothing else.
  if (Call.info().Base.starts_with("cuFunc"))
    nameFunction(Function);
  useFunction(Function, Launched);
}

void EventWriter::write(const DriverCall &Call) {
  // Which kernel it is comes before what is done with it.
  writeUse(Call, Call.info().Purpose == Purpose::Launch);
  switch (Call.info().Like) {
#define KPLAN_HOOKED(Name, Version, Purpose, ...)                              \
  case DriverFunction::Name:                                                   \
    return (*this)(*Call.as<Name##Arguments>());
#define KPLAN_HOOKED_ALSO(Name, Version, Like, ...)                            \
  case DriverFunction::Name:                                                   \
    break; // Never what another is like.
#include "hooks/DriverFunctions.def"
  }
}

void EventWriter::writeFailed(const DriverCall &Call) {
  trace::UnloadEvent E;
  E.Failed = 1;
  if (auto *A = Call.as<LibraryUnloadArguments>()) {
    E.By = "library";
    E.Handle = numberOf(A->library);
    To.append(E);
  } else if (auto *B = Call.as<ModuleUnloadArguments>()) {
    E.By = "module";
    E.Handle = numberOf(B->hmod);
    To.append(E);
  } else if (const void *Kernel = subjectOf(Call).Kernel;
             Handles.kindOf(numberOf(Kernel)) != HandleKind::Unknown) {
    // A value that is refused has touched the kernel all the same.
    writeUse(Call, false);
  }
}

// Loads.

void EventWriter::load(const void *Handle, const char *By,
                       trace::LoadEvent &E) {
  noteCurrentDevice();
  E.Handle = numberOf(Handle);
  E.By = By;
  To.append(E);
}

void EventWriter::operator()(const ModuleLoadArguments &A) {
  trace::LoadEvent E;
  Images.describeFile(A.fname, E);
  load(*A.module, "module", E);
}

void EventWriter::operator()(const ModuleLoadDataArguments &A) {
  trace::LoadEvent E;
  Images.describe(A.image, E);
  load(*A.module, "module", E);
}

void EventWriter::operator()(const ModuleLoadDataExArguments &A) {
  trace::LoadEvent E;
  Images.describe(A.image, E);
  describeJitOptions(A.numOptions, A.options, A.optionValues, E);
  load(*A.module, "module", E);
}

void EventWriter::operator()(const ModuleLoadFatBinaryArguments &A) {
  trace::LoadEvent E;
  Images.describe(A.fatCubin, E);
  load(*A.module, "module", E);
}

void EventWriter::operator()(const LibraryLoadDataArguments &A) {
  trace::LoadEvent E;
  Images.describe(A.code, E);
  describeJitOptions(A.numJitOptions, A.jitOptions, A.jitOptionsValues, E);
  describeLibraryOptions(A.numLibraryOptions, A.libraryOptions, E);
  load(*A.library, "library", E);
}

void EventWriter::operator()(const LibraryLoadFromFileArguments &A) {
  trace::LoadEvent E;
  Images.describeFile(A.fileName, E);
  describeJitOptions(A.numJitOptions, A.jitOptions, A.jitOptionsValues, E);
  describeLibraryOptions(A.numLibraryOptions, A.libraryOptions, E);
  load(*A.library, "library", E);
}

// Handles and names.

void EventWriter::nameKernel(CUkernel Kernel, const char *Symbol,
                             CUlibrary Library) {
  if (!Kernel ||
      (!Symbol && Handles.kindOf(numberOf(Kernel)) == HandleKind::Kernel))
    return;
  trace::KernelEvent E;
  E.Handle = numberOf(Kernel);
  E.Library = numberOf(Library ? Library : libraryOf(Kernel));
  E.Symbol = Symbol ? Symbol : nameOfKernel(Kernel);
  if (Handles.add(HandleKind::Kernel, E.Handle, E.Library))
    To.append(E);
}

void EventWriter::nameFunction(CUfunction Function, const char *Symbol,
                               CUmodule Module) {
  if (!Function ||
      (!Symbol && Handles.kindOf(numberOf(Function)) != HandleKind::Unknown))
    return;
  trace::FunctionEvent E;
  E.Handle = numberOf(Function);
  E.Module = numberOf(Module ? Module : moduleOf(Function));
  E.Symbol = Symbol ? Symbol : nameOfFunction(Function);
  if (Handles.add(HandleKind::Function, E.Handle, E.Module))
    To.append(E);
}

void EventWriter::operator()(const LibraryGetKernelArguments &A) {
  nameKernel(*A.pKernel, A.name, A.library);
}

void EventWriter::operator()(const LibraryEnumerateKernelsArguments &A) {
  size_t Count = std::min<size_t>(A.numKernels, countKernels(A.lib));
  for (size_t I = 0; A.kernels && I < Count; ++I)
    nameKernel(A.kernels[I], nullptr, A.lib);
}

void EventWriter::operator()(const ModuleEnumerateFunctionsArguments &A) {
  size_t Count = std::min<size_t>(A.numFunctions, countFunctions(A.mod));
  for (size_t I = 0; A.functions && I < Count; ++I)
    nameFunction(A.functions[I], nullptr, A.mod);
}

void EventWriter::operator()(const LibraryGetModuleArguments &A) {
  trace::ModuleEvent E;
  E.Handle = numberOf(*A.pMod);
  E.Library = numberOf(A.library);
  Handles.addModule(E.Handle, E.Library);
  To.append(E);
}

void EventWriter::operator()(const ModuleGetFunctionArguments &A) {
  nameFunction(*A.hfunc, A.name, A.hmod);
  useFunction(*A.hfunc, false);
}

void EventWriter::operator()(const KernelGetFunctionArguments &A) {
  trace::FunctionEvent E;
  E.Handle = numberOf(*A.pFunc);
  E.Kernel = numberOf(A.kernel);
  Handles.addFunctionOf(E.Kernel, E.Handle);
  To.append(E);
}

// Uses.

bool EventWriter::isNew(Fact What, const void *Handle, uint64_t More) {
  uint64_t Key = keyOf(What, Handle, More);
  if (!Seen.insert(Key))
    return false;
  Handles.noteKey(numberOf(Handle), Key);
  return true;
}

void EventWriter::useKernel(CUkernel Kernel) {
  nameKernel(Kernel);
  if (!isNew(Fact::Used, Kernel))
    return;
  trace::UseEvent E;
  E.Handle = numberOf(Kernel);
  E.How = "touch";
  To.append(E);
}

void EventWriter::useFunction(CUfunction Function, bool Launched) {
  if (isNew(Fact::Used, Function, Launched)) {
    trace::UseEvent E;
    E.Handle = numberOf(Function);
    E.How = Launched ? "launch" : "touch";
    To.append(E);
  }
  if (!Launched || !isNew(Fact::LocalBytes, Function))
    return;
  noteCurrentDevice();
  // Launches take kernels as well; the driver is not asked about what nobody
  // has looked up.
  std::optional<uint64_t> Bytes;
  switch (Handles.kindOf(numberOf(Function))) {
  case HandleKind::Function:
    Bytes = localBytes(Function);
    break;
  case HandleKind::Kernel:
    if (auto Device = currentDevice())
      Bytes = localBytes(reinterpret_cast<CUkernel>(Function), *Device);
    break;
  case HandleKind::Unknown:
    break;
  }
  if (!Bytes)
    return;
  trace::LocalEvent E;
  E.Handle = numberOf(Function);
  E.Bytes = *Bytes;
  To.append(E);
}

void EventWriter::operator()(
    const LaunchCooperativeKernelMultiDeviceArguments &A) {
  for (unsigned I = 0; A.launchParamsList && I < A.numDevices; ++I)
    useFunction(A.launchParamsList[I].function, true);
}

// Nodes of graphs: they will be launched.

void EventWriter::useNode(CUfunction Function, CUkernel Kernel) {
  if (Function)
    useFunction(Function, false);
  else if (Kernel)
    useKernel(Kernel);
}

void EventWriter::useNode(const CUgraphNodeParams *Node) {
  if (Node && Node->type == CU_GRAPH_NODE_TYPE_KERNEL)
    useNode(Node->kernel.func, Node->kernel.kern);
}

void EventWriter::operator()(const GraphAddKernelNodeArguments &A) {
  useNode(A.nodeParams->func, nullptr);
}
void EventWriter::operator()(const GraphAddKernelNode_v2Arguments &A) {
  useNode(A.nodeParams->func, A.nodeParams->kern);
}
void EventWriter::operator()(const GraphAddNodeArguments &A) {
  useNode(A.nodeParams);
}
void EventWriter::operator()(const GraphAddNode_v2Arguments &A) {
  useNode(A.nodeParams);
}
void EventWriter::operator()(const GraphKernelNodeSetParamsArguments &A) {
  useNode(A.nodeParams->func, nullptr);
}
void EventWriter::operator()(const GraphKernelNodeSetParams_v2Arguments &A) {
  useNode(A.nodeParams->func, A.nodeParams->kern);
}
void EventWriter::operator()(const GraphExecKernelNodeSetParamsArguments &A) {
  useNode(A.nodeParams->func, nullptr);
}
void EventWriter::operator()(
    const GraphExecKernelNodeSetParams_v2Arguments &A) {
  useNode(A.nodeParams->func, A.nodeParams->kern);
}
void EventWriter::operator()(const GraphNodeSetParamsArguments &A) {
  useNode(A.nodeParams);
}
void EventWriter::operator()(const GraphExecNodeSetParamsArguments &A) {
  useNode(A.nodeParams);
}

// Settings.

static trace::SetEvent setEvent(const void *Handle, CUfunction_attribute What,
                                int Value) {
  trace::SetEvent E;
  E.Handle = numberOf(Handle);
  E.Attribute = static_cast<uint64_t>(What);
  E.Value = Value;
  return E;
}

static trace::CacheEvent cacheEvent(const void *Handle, CUfunc_cache Config) {
  trace::CacheEvent E;
  E.Handle = numberOf(Handle);
  E.Config = static_cast<uint64_t>(Config);
  return E;
}

void EventWriter::operator()(const KernelSetAttributeArguments &A) {
  To.append(setEvent(A.kernel, A.attrib, A.val));
}
void EventWriter::operator()(const FuncSetAttributeArguments &A) {
  To.append(setEvent(A.hfunc, A.attrib, A.value));
}
void EventWriter::operator()(const KernelSetCacheConfigArguments &A) {
  To.append(cacheEvent(A.kernel, A.config));
}
void EventWriter::operator()(const FuncSetCacheConfigArguments &A) {
  To.append(cacheEvent(A.hfunc, A.config));
}

void EventWriter::operator()(const CtxSetLimitArguments &A) {
  trace::LimitEvent E;
  E.Number = static_cast<uint64_t>(A.limit);
  E.Value = A.value;
  To.append(E);
}

// Globals.

static trace::GlobalEvent globalEvent(const char *By, const void *Handle,
                                      const char *Symbol) {
  trace::GlobalEvent E;
  E.By = By;
  E.Handle = numberOf(Handle);
  E.Symbol = Symbol ? Symbol : "";
  return E;
}

void EventWriter::operator()(const ModuleGetGlobalArguments &A) {
  To.append(globalEvent("module", A.hmod, A.name));
}
void EventWriter::operator()(const ModuleGetGlobal_v2Arguments &A) {
  To.append(globalEvent("module", A.hmod, A.name));
}
void EventWriter::operator()(const LibraryGetGlobalArguments &A) {
  To.append(globalEvent("library", A.library, A.name));
}
void EventWriter::operator()(const LibraryGetManagedArguments &A) {
  To.append(globalEvent("library", A.library, A.name));
}

// Devices and contexts.

void EventWriter::noteDevice(const char *Context, CUdevice Device) {
  if (Seen.insert(keyOf(Fact::Driver, uint64_t(0))))
    To.append(describeDriver());
  auto Number = static_cast<uint64_t>(Device);
  if (Seen.insert(keyOf(Fact::Device, Number)))
    To.append(describeDevice(Device));
  trace::ContextEvent E;
  E.Kind = Context;
  E.Device = Number;
  To.append(E);
}

void EventWriter::noteCurrentDevice() {
  auto Device = currentDevice();
  if (Device && !Seen.contains(keyOf(Fact::Device, uint64_t(*Device))))
    noteDevice("current", *Device);
}

void EventWriter::operator()(const CtxCreateArguments &A) {
  noteDevice("created", A.dev);
}
void EventWriter::operator()(const CtxCreate_v3Arguments &A) {
  noteDevice("created", A.dev);
}
void EventWriter::operator()(const CtxCreate_v4Arguments &A) {
  noteDevice("created", A.dev);
}
void EventWriter::operator()(const DevicePrimaryCtxRetainArguments &A) {
  noteDevice("primary", A.dev);
}
void EventWriter::operator()(const GreenCtxCreateArguments &A) {
  noteDevice("green", A.dev);
}
