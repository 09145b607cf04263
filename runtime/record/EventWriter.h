//===- EventWriter.h - From a call to events ------------------------------===//
//
// Part of kplan. Tells from the arguments and results of a call that succeeded
// what a recording needs, each fact once.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_EVENTWRITER_H
#define KPLAN_RUNTIME_RECORD_EVENTWRITER_H

#include "hooks/DriverCall.h"
#include "record/HandleTable.h"
#include "record/Journal.h"
#include "record/LoadedImage.h"
#include "record/SeenSet.h"
#include "record/Subject.h"

#include <string>

namespace kplan::runtime::record {

/// Whether a call takes a context away, and all its streams.
bool endsContext(const hooks::DriverCall &Call);

class EventWriter {
public:
  EventWriter(Journal &To, ImageKeeper &Images, HandleTable &Handles,
              SeenSet &Seen)
      : To(To), Images(Images), Handles(Handles), Seen(Seen) {}

  void write(const hooks::DriverCall &Call);
  /// Of a call that failed.
  void writeFailed(const hooks::DriverCall &Call);

  // By function; the last takes those that leave nothing to write.
  void operator()(const hooks::ModuleLoadArguments &A);
  void operator()(const hooks::ModuleLoadDataArguments &A);
  void operator()(const hooks::ModuleLoadDataExArguments &A);
  void operator()(const hooks::ModuleLoadFatBinaryArguments &A);
  void operator()(const hooks::LibraryLoadDataArguments &A);
  void operator()(const hooks::LibraryLoadFromFileArguments &A);
  void operator()(const hooks::ModuleGetFunctionArguments &A);
  void operator()(const hooks::ModuleEnumerateFunctionsArguments &A);
  void operator()(const hooks::ModuleGetGlobalArguments &A);
  void operator()(const hooks::ModuleGetGlobal_v2Arguments &A);
  void operator()(const hooks::LibraryGetKernelArguments &A);
  void operator()(const hooks::LibraryEnumerateKernelsArguments &A);
  void operator()(const hooks::LibraryGetModuleArguments &A);
  void operator()(const hooks::LibraryGetGlobalArguments &A);
  void operator()(const hooks::LibraryGetManagedArguments &A);
  void operator()(const hooks::KernelGetFunctionArguments &A);
  void operator()(const hooks::KernelSetAttributeArguments &A);
  void operator()(const hooks::KernelSetCacheConfigArguments &A);
  void operator()(const hooks::FuncSetAttributeArguments &A);
  void operator()(const hooks::FuncSetCacheConfigArguments &A);
  void operator()(const hooks::LaunchCooperativeKernelMultiDeviceArguments &A);
  void operator()(const hooks::CtxCreateArguments &A);
  void operator()(const hooks::CtxCreate_v3Arguments &A);
  void operator()(const hooks::CtxCreate_v4Arguments &A);
  void operator()(const hooks::DevicePrimaryCtxRetainArguments &A);
  void operator()(const hooks::GreenCtxCreateArguments &A);
  void operator()(const hooks::CtxSetLimitArguments &A);
  void operator()(const hooks::GraphAddKernelNodeArguments &A);
  void operator()(const hooks::GraphAddKernelNode_v2Arguments &A);
  void operator()(const hooks::GraphAddNodeArguments &A);
  void operator()(const hooks::GraphAddNode_v2Arguments &A);
  void operator()(const hooks::GraphKernelNodeSetParamsArguments &A);
  void operator()(const hooks::GraphKernelNodeSetParams_v2Arguments &A);
  void operator()(const hooks::GraphExecKernelNodeSetParamsArguments &A);
  void operator()(const hooks::GraphExecKernelNodeSetParams_v2Arguments &A);
  void operator()(const hooks::GraphNodeSetParamsArguments &A);
  void operator()(const hooks::GraphExecNodeSetParamsArguments &A);
  template <class Other> void operator()(const Other &) {}

private:
  /// That a call uses the kernel or function that it is about.
  void writeUse(const hooks::DriverCall &Call, bool Launched);
  /// Of a fact about a kernel or function.
  bool isNew(Fact What, const void *Handle, uint64_t More = 0);
  void load(const void *Handle, const char *By, trace::LoadEvent &E);
  void nameKernel(CUkernel Kernel, const char *Symbol = nullptr,
                  CUlibrary Library = nullptr);
  void nameFunction(CUfunction Function, const char *Symbol = nullptr,
                    CUmodule Module = nullptr);
  void useKernel(CUkernel Kernel);
  /// Of either kind of handle.
  void useFunction(CUfunction Function, bool Launched);
  void useNode(CUfunction Function, CUkernel Kernel);
  void useNode(const CUgraphNodeParams *Node);
  void noteDevice(const char *Context, CUdevice Device);
  void noteCurrentDevice();

  Journal &To;
  ImageKeeper &Images;
  HandleTable &Handles;
  SeenSet &Seen;
};

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_EVENTWRITER_H
