//===- DriverLinks.cpp - PTX to "cubins" ----------------------------------===//
//
// Nothing is compiled: the cubin is the PTX text that was added, which the
// stand-in reads as well. One input a link.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

using namespace standin;

namespace {

struct Link {
  std::string Ptx;
};

Link *link(CUlinkState Handle) { return reinterpret_cast<Link *>(Handle); }

} // namespace

extern "C" {

CUresult cuLinkCreate_v2(unsigned, CUjit_option *, void **, CUlinkState *Out) {
  return call("cuLinkCreate_v2", [&](Call &) {
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = reinterpret_cast<CUlinkState>(new Link);
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData_v2(CUlinkState Handle, CUjitInputType Type, void *Data,
                          size_t Size, const char *, unsigned, CUjit_option *,
                          void **) {
  return call("cuLinkAddData_v2", [&](Call &) {
    if (!Handle || !Data || Type != CU_JIT_INPUT_PTX ||
        !link(Handle)->Ptx.empty())
      return CUDA_ERROR_INVALID_VALUE;
    link(Handle)->Ptx.assign(static_cast<const char *>(Data), Size);
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkComplete(CUlinkState Handle, void **Data, size_t *Size) {
  return call("cuLinkComplete", [&](Call &) {
    if (!Handle || !Data || !Size)
      return CUDA_ERROR_INVALID_VALUE;
    *Data = link(Handle)->Ptx.data();
    *Size = link(Handle)->Ptx.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState Handle) {
  return call("cuLinkDestroy", [&](Call &) {
    delete link(Handle);
    return CUDA_SUCCESS;
  });
}

} // extern "C"
