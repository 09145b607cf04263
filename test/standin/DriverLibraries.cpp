//===- DriverLibraries.cpp - Libraries, modules, kernels, functions -------===//

#include "Call.h"
#include "Handles.h"

#include <algorithm>
#include <cstring>

using namespace standin;

namespace standin {

Kernel *addKernel(Library &In, const kplan::image::KernelCode &Code) {
  auto K = std::make_unique<Kernel>();
  K->In = &In;
  K->Code = Code;
  std::fill(std::begin(K->MaxDynamicShared), std::end(K->MaxDynamicShared),
            std::max<int64_t>(
                0, (48 << 10) - static_cast<int64_t>(Code.StaticSharedBytes)));
  Kernel *Handle = K.get();
  In.Kernels[Code.Symbol] = std::move(K);
  return Handle;
}

Kernel *findKernel(Library &In, const char *Name) {
  if (Kernel *K = In.kernel(Name))
    return K;
  if (!In.Opaque)
    return nullptr;
  kplan::image::KernelCode Code;
  Code.Symbol = Name;
  return addKernel(In, Code);
}

} // namespace standin

/// For calls about one kernel, by either kind of handle.
static CUresult
callOnKernel(const char *Function, void *Handle,
             const std::function<CUresult(Call &, Device &, Kernel &)> &Do) {
  return callOnDevice(Function, [&](Call &C, Device &D) {
    Kernel *K = C.S.kernel(Handle);
    if (!K)
      return CUDA_ERROR_INVALID_HANDLE;
    C.Subject = K->Code.Symbol;
    C.effect(D, K->In, K);
    return Do(C, D, *K);
  });
}

static CUresult getAttribute(int *Out, CUfunction_attribute A, const Kernel &K,
                             int Ordinal) {
  if (!Out)
    return CUDA_ERROR_INVALID_VALUE;
  switch (A) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *Out = K.Code.MaxThreadsPerBlock
               ? static_cast<int>(K.Code.MaxThreadsPerBlock)
               : 1024;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *Out = static_cast<int>(K.Code.StaticSharedBytes);
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *Out = static_cast<int>(K.Code.LocalBytes);
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *Out = static_cast<int>(K.Code.Registers);
    break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *Out = Arch;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *Out = static_cast<int>(K.MaxDynamicShared[Ordinal]);
    break;
  default:
    if (A < 0 || A >= CU_FUNC_ATTRIBUTE_MAX)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = static_cast<int>(K.Attributes[Ordinal][A]);
  }
  return CUDA_SUCCESS;
}

static CUresult setAttribute(CUfunction_attribute A, int Value, Kernel &K,
                             int Ordinal) {
  if (A < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      A >= CU_FUNC_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  if (A != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    K.Attributes[Ordinal][A] = Value;
    return CUDA_SUCCESS;
  }
  if (Value < 0 ||
      static_cast<uint64_t>(Value) + K.Code.StaticSharedBytes > (227 << 10))
    return CUDA_ERROR_INVALID_VALUE;
  K.MaxDynamicShared[Ordinal] = Value;
  return CUDA_SUCCESS;
}

static CUresult getGlobal(Call &C, CUdeviceptr *Address, size_t *Bytes,
                          Library &In, Device &D, const char *Name) {
  C.Subject = Name;
  auto It = In.Globals.find(Name);
  if (It == In.Globals.end())
    return CUDA_ERROR_NOT_FOUND;
  C.effect(D, &In);
  if (Address)
    *Address = reinterpret_cast<CUdeviceptr>(It->second.data());
  if (Bytes)
    *Bytes = It->second.size();
  return CUDA_SUCCESS;
}

extern "C" {

CUresult cuLibraryGetKernel(CUkernel *Out, CUlibrary Handle, const char *Name) {
  return call("cuLibraryGetKernel", [&](Call &C) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out || !Name)
      return CUDA_ERROR_INVALID_VALUE;
    C.Subject = Name;
    Kernel *K = findKernel(*L, Name);
    if (!K)
      return CUDA_ERROR_NOT_FOUND;
    C.S.Kernels.insert(K);
    *Out = reinterpret_cast<CUkernel>(K);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernelCount(unsigned *Count, CUlibrary Handle) {
  return call("cuLibraryGetKernelCount", [&](Call &C) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Count)
      return CUDA_ERROR_INVALID_VALUE;
    *Count = static_cast<unsigned>(L->Kernels.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel *Out, unsigned Count,
                                   CUlibrary Handle) {
  return call("cuLibraryEnumerateKernels", [&](Call &C) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    unsigned I = 0;
    for (auto &[Name, K] : L->Kernels)
      if (I < Count)
        Out[I++] = reinterpret_cast<CUkernel>(K.get());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetModule(CUmodule *Out, CUlibrary Handle) {
  return callOnDevice("cuLibraryGetModule", [&](Call &C, Device &D) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    C.effect(D, L);
    *Out = reinterpret_cast<CUmodule>(L);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr *Address, size_t *Bytes,
                            CUlibrary Handle, const char *Name) {
  return callOnDevice("cuLibraryGetGlobal", [&](Call &C, Device &D) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Name)
      return CUDA_ERROR_INVALID_VALUE;
    return getGlobal(C, Address, Bytes, *L, D, Name);
  });
}

// No variable is managed here.
CUresult cuLibraryGetManaged(CUdeviceptr *, size_t *, CUlibrary Handle,
                             const char *Name) {
  return callOnDevice("cuLibraryGetManaged", [&](Call &C, Device &) {
    if (!State::find(C.S.Libraries, Handle))
      return CUDA_ERROR_INVALID_HANDLE;
    return Name ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuKernelGetLibrary(CUlibrary *Out, CUkernel Handle) {
  return call("cuKernelGetLibrary", [&](Call &C) {
    Kernel *K = C.S.kernel(Handle);
    if (!K || K->In->IsModule)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    C.Subject = K->Code.Symbol;
    *Out = reinterpret_cast<CUlibrary>(K->In);
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetFunction(CUfunction *Out, CUkernel Handle) {
  return callOnKernel("cuKernelGetFunction", Handle,
                      [&](Call &, Device &, Kernel &K) {
                        if (!Out)
                          return CUDA_ERROR_INVALID_VALUE;
                        *Out = reinterpret_cast<CUfunction>(&K);
                        return CUDA_SUCCESS;
                      });
}

CUresult cuKernelGetName(const char **Out, CUkernel Handle) {
  return call("cuKernelGetName", [&](Call &C) {
    Kernel *K = C.S.kernel(Handle);
    if (!K)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = K->Code.Symbol.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetAttribute(int *Out, CUfunction_attribute A, CUkernel Handle,
                              CUdevice Device) {
  return call("cuKernelGetAttribute", [&](Call &C) {
    Kernel *K = C.S.kernel(Handle);
    if (!K)
      return CUDA_ERROR_INVALID_HANDLE;
    if (Device < 0 || Device >= DeviceCount)
      return CUDA_ERROR_INVALID_DEVICE;
    C.Subject = K->Code.Symbol + " " + std::to_string(A);
    return getAttribute(Out, A, *K, Device);
  });
}

CUresult cuKernelGetParamInfo(CUkernel Handle, size_t Index, size_t *Offset,
                              size_t *Size) {
  return callOnKernel("cuKernelGetParamInfo", Handle,
                      [&](Call &, Device &, Kernel &K) {
                        if (!Offset || Index >= K.Code.Parameters.size())
                          return CUDA_ERROR_INVALID_VALUE;
                        *Offset = K.Code.Parameters[Index].Offset;
                        if (Size)
                          *Size = K.Code.Parameters[Index].Size;
                        return CUDA_SUCCESS;
                      });
}

CUresult cuKernelSetAttribute(CUfunction_attribute A, int Value,
                              CUkernel Handle, CUdevice Device) {
  return callOnKernel("cuKernelSetAttribute", Handle,
                      [&](Call &C, standin::Device &, Kernel &K) {
                        C.Subject += " " + std::to_string(A) + " " +
                                     std::to_string(Value);
                        if (Device < 0 || Device >= DeviceCount)
                          return CUDA_ERROR_INVALID_DEVICE;
                        return setAttribute(A, Value, K, Device);
                      });
}

CUresult cuKernelSetCacheConfig(CUkernel Handle, CUfunc_cache Config,
                                CUdevice Device) {
  return callOnKernel("cuKernelSetCacheConfig", Handle,
                      [&](Call &C, standin::Device &, Kernel &K) {
                        C.Subject += " " + std::to_string(Config);
                        if (Device < 0 || Device >= DeviceCount)
                          return CUDA_ERROR_INVALID_DEVICE;
                        K.Cache = Config;
                        return CUDA_SUCCESS;
                      });
}

CUresult cuFuncGetAttribute(int *Out, CUfunction_attribute A,
                            CUfunction Handle) {
  return callOnKernel("cuFuncGetAttribute", Handle,
                      [&](Call &C, Device &D, Kernel &K) {
                        C.Subject += " " + std::to_string(A);
                        return getAttribute(Out, A, K, D.Ordinal);
                      });
}

CUresult cuFuncSetAttribute(CUfunction Handle, CUfunction_attribute A,
                            int Value) {
  return callOnKernel(
      "cuFuncSetAttribute", Handle, [&](Call &C, Device &D, Kernel &K) {
        C.Subject += " " + std::to_string(A) + " " + std::to_string(Value);
        return setAttribute(A, Value, K, D.Ordinal);
      });
}

CUresult cuFuncSetCacheConfig(CUfunction Handle, CUfunc_cache Config) {
  return callOnKernel("cuFuncSetCacheConfig", Handle,
                      [&](Call &, Device &, Kernel &K) {
                        K.Cache = Config;
                        return CUDA_SUCCESS;
                      });
}

CUresult cuFuncLoad(CUfunction Handle) {
  return callOnKernel("cuFuncLoad", Handle,
                      [](Call &, Device &, Kernel &) { return CUDA_SUCCESS; });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *Out, CUfunction Handle) {
  return callOnDevice("cuFuncIsLoaded", [&](Call &C, Device &D) {
    Kernel *K = C.S.kernel(Handle);
    if (!K)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    C.Subject = K->Code.Symbol;
    *Out = K->Loaded[D.Ordinal] ? CU_FUNCTION_LOADING_STATE_LOADED
                                : CU_FUNCTION_LOADING_STATE_UNLOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetName(const char **Out, CUfunction Handle) {
  return cuKernelGetName(Out, reinterpret_cast<CUkernel>(Handle));
}

CUresult cuFuncGetModule(CUmodule *Out, CUfunction Handle) {
  return call("cuFuncGetModule", [&](Call &C) {
    Kernel *K = C.S.kernel(Handle);
    if (!K)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = reinterpret_cast<CUmodule>(K->In);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *Out) {
  return call("cuModuleGetLoadingMode", [&](Call &C) {
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = C.S.Eager ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction *Out, CUmodule Handle,
                             const char *Name) {
  return callOnDevice("cuModuleGetFunction", [&](Call &C, Device &D) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out || !Name)
      return CUDA_ERROR_INVALID_VALUE;
    C.Subject = Name;
    Kernel *K = findKernel(*L, Name);
    if (!K)
      return CUDA_ERROR_NOT_FOUND;
    C.S.Kernels.insert(K);
    C.effect(D, L, K);
    *Out = reinterpret_cast<CUfunction>(K);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunctionCount(unsigned *Count, CUmodule Handle) {
  return cuLibraryGetKernelCount(Count, reinterpret_cast<CUlibrary>(Handle));
}

CUresult cuModuleEnumerateFunctions(CUfunction *Out, unsigned Count,
                                    CUmodule Handle) {
  return cuLibraryEnumerateKernels(reinterpret_cast<CUkernel *>(Out), Count,
                                   reinterpret_cast<CUlibrary>(Handle));
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *Address, size_t *Bytes,
                              CUmodule Handle, const char *Name) {
  return callOnDevice("cuModuleGetGlobal_v2", [&](Call &C, Device &D) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Name)
      return CUDA_ERROR_INVALID_VALUE;
    return getGlobal(C, Address, Bytes, *L, D, Name);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Out,
                                                     CUfunction Handle,
                                                     int BlockSize,
                                                     size_t DynamicShared) {
  (void)DynamicShared;
  return callOnKernel("cuOccupancyMaxActiveBlocksPerMultiprocessor", Handle,
                      [&](Call &, Device &, Kernel &) {
                        if (!Out || BlockSize < 1)
                          return CUDA_ERROR_INVALID_VALUE;
                        *Out = ThreadsPerSm / BlockSize;
                        return CUDA_SUCCESS;
                      });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Out, CUfunction Handle, int BlockSize, size_t DynamicShared,
    unsigned Flags) {
  (void)Flags;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(Out, Handle, BlockSize,
                                                     DynamicShared);
}

} // extern "C"
