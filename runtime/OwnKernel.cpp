//===- OwnKernel.cpp - kplan's own small kernels --------------------------===//

#include "OwnKernel.h"

using namespace kplan;
using namespace kplan::runtime;

OwnStream::OwnStream(const DriverApi &Api)
    : Api(Api), Created(Api.StreamCreate(&Stream, CU_STREAM_NON_BLOCKING)) {}

OwnStream::~OwnStream() {
  if (Created == CUDA_SUCCESS)
    Api.StreamDestroy(Stream);
}

Result<CUfunction> OwnStream::load(const std::string &Ptx, const char *Entry) {
  CUmodule Module = nullptr;
  if (CUresult Error = Api.ModuleLoadData(&Module, Ptx.c_str()))
    return makeError(Api.describe(Error, "cuModuleLoadData"));
  CUfunction Function = nullptr;
  if (CUresult Error = Api.ModuleGetFunction(&Function, Module, Entry))
    return makeError(Api.describe(Error, "cuModuleGetFunction"));
  return Function;
}

Outcome OwnStream::launch(CUfunction Function) {
  if (Created != CUDA_SUCCESS)
    return Outcome::failed(Api.describe(Created, "cuStreamCreate"));
  uint32_t Never = 0;
  uint64_t Sink = 0;
  void *Parameters[] = {&Never, &Sink};
  if (CUresult Error = Api.LaunchKernel(Function, 1, 1, 1, 1, 1, 1, 0, Stream,
                                        Parameters, nullptr))
    return Outcome::failed(Api.describe(Error, "cuLaunchKernel"));
  if (CUresult Error = Api.StreamSynchronize(Stream))
    return Outcome::failed(Api.describe(Error, "cuStreamSynchronize"));
  return Outcome::done();
}
