//===- DriverContexts.cpp - Contexts, green contexts, limits --------------===//

#include "Call.h"

#include <cstring>

using namespace standin;

static CUresult checkDevice(CUdevice Device) {
  return Device >= 0 && Device < DeviceCount ? CUDA_SUCCESS
                                             : CUDA_ERROR_INVALID_DEVICE;
}

static CUcontext handle(Context *C) { return reinterpret_cast<CUcontext>(C); }

/// SMs of a resource that this driver made; the handle hides no pointer.
static constexpr unsigned Granule = 8;

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext *Out, CUdevice Device) {
  return call("cuDevicePrimaryCtxRetain", [&](Call &C) {
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult R = checkDevice(Device))
      return R;
    *Out = handle(C.S.retainPrimary(Device));
    return CUDA_SUCCESS;
  });
}

// For tests: makes a primary context current before it is active, as the CUDA
// runtime does by a function without a name.
CUresult cuStandinPrimaryCurrent(CUdevice Device) {
  return call("cuStandinPrimaryCurrent", [&](Call &C) {
    if (CUresult R = checkDevice(Device))
      return R;
    State::stack().push_back(C.S.primary(Device));
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice Device) {
  return call("cuDevicePrimaryCtxRelease_v2", [&](Call &C) {
    if (CUresult R = checkDevice(Device))
      return R;
    if (C.S.PrimaryCount[Device] == 0)
      return CUDA_ERROR_INVALID_CONTEXT;
    C.S.releasePrimary(Device);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice Device) {
  return call("cuDevicePrimaryCtxReset_v2", [&](Call &C) {
    if (CUresult R = checkDevice(Device))
      return R;
    waitForDevice(C.S, C.L, C.S.Devices[Device]);
    C.S.forgetDevice(Device);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice Device, unsigned *Flags,
                                    int *Active) {
  return call("cuDevicePrimaryCtxGetState", [&](Call &C) {
    if (CUresult R = checkDevice(Device))
      return R;
    if (Flags)
      *Flags = 0;
    if (Active)
      *Active = C.S.PrimaryCount[Device] != 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext *Out) {
  return call("cuCtxGetCurrent", [&](Call &C) {
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = handle(C.S.current());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext In) {
  return call("cuCtxSetCurrent", [&](Call &C) {
    auto &Stack = State::stack();
    Context *New = C.S.find(C.S.Contexts, In);
    if (In && !New)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!Stack.empty())
      Stack.pop_back();
    if (New)
      Stack.push_back(New);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext In) {
  return call("cuCtxPushCurrent_v2", [&](Call &C) {
    Context *New = C.S.find(C.S.Contexts, In);
    if (!New)
      return CUDA_ERROR_INVALID_CONTEXT;
    State::stack().push_back(New);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext *Out) {
  return call("cuCtxPopCurrent_v2", [&](Call &) {
    auto &Stack = State::stack();
    if (Stack.empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (Out)
      *Out = handle(Stack.back());
    Stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice *Out) {
  return callOnDevice("cuCtxGetDevice", [&](Call &, Device &D) {
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = D.Ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext In, unsigned long long *Id) {
  return call("cuCtxGetId", [&](Call &C) {
    Context *Which = In ? C.S.find(C.S.Contexts, In) : C.S.current();
    if (!Which)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!Id)
      return CUDA_ERROR_INVALID_VALUE;
    // As on an H200: current, with a device, but with no id.
    if (Which->Primary && C.S.PrimaryCount[Which->On->Ordinal] == 0)
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *Id = Which->Id;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize(void) {
  return callOnDevice("cuCtxSynchronize", [](Call &C, Device &D) {
    waitForDevice(C.S, C.L, D);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetLimit(size_t *Value, CUlimit Limit) {
  return callOnDevice("cuCtxGetLimit", [&](Call &, Device &D) {
    if (!Value)
      return CUDA_ERROR_INVALID_VALUE;
    switch (Limit) {
    case CU_LIMIT_STACK_SIZE:
      *Value = D.LocalBytes;
      return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
      *Value = D.PrintfBytes;
      return CUDA_SUCCESS;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
      *Value = D.HeapBytes;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  });
}

// The stack limit reserves or returns memory, and waits to do so. Once the
// printf buffer or the heap is there, its size can no longer be set.
CUresult cuCtxSetLimit(CUlimit Limit, size_t Value) {
  return callOnDevice("cuCtxSetLimit", [&](Call &C, Device &D) {
    switch (Limit) {
    case CU_LIMIT_STACK_SIZE:
      if (Value != D.LocalBytes)
        waitForDevice(C.S, C.L, D);
      D.LocalBytes = Value < 1024 ? 1024 : Value;
      return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
      if (D.PrintfStarted)
        return CUDA_ERROR_INVALID_VALUE;
      D.PrintfBytes = Value;
      return CUDA_SUCCESS;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
      if (D.HeapStarted)
        return CUDA_ERROR_INVALID_VALUE;
      D.HeapBytes = Value;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *Mode) {
  return call("cuThreadExchangeStreamCaptureMode", [&](Call &) {
    if (!Mode)
      return CUDA_ERROR_INVALID_VALUE;
    std::swap(*Mode, State::captureMode());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetDevResource(CUdevice Device, CUdevResource *Out,
                                CUdevResourceType Type) {
  return call("cuDeviceGetDevResource", [&](Call &) {
    if (CUresult R = checkDevice(Device))
      return R;
    if (!Out || Type != CU_DEV_RESOURCE_TYPE_SM)
      return CUDA_ERROR_INVALID_VALUE;
    std::memset(Out, 0, sizeof *Out);
    Out->type = Type;
    Out->sm = {SmCount, Granule, Granule};
    return CUDA_SUCCESS;
  });
}

CUresult cuDevSmResourceSplitByCount(CUdevResource *Groups, unsigned *Count,
                                     const CUdevResource *In,
                                     CUdevResource *Rest, unsigned Flags,
                                     unsigned Least) {
  return call("cuDevSmResourceSplitByCount", [&](Call &) {
    if (!Count || !In || Flags != 0 || In->type != CU_DEV_RESOURCE_TYPE_SM)
      return CUDA_ERROR_INVALID_VALUE;
    const unsigned Size =
        std::max(Granule, (Least + Granule - 1) / Granule * Granule);
    const unsigned Possible = In->sm.smCount / Size;
    if (!Groups) {
      *Count = Possible;
      return CUDA_SUCCESS;
    }
    *Count = std::min(*Count, Possible);
    if (*Count == 0)
      return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    for (unsigned I = 0; I < *Count; ++I) {
      Groups[I] = *In;
      Groups[I].sm.smCount = Size;
    }
    if (Rest) {
      *Rest = *In;
      Rest->sm.smCount = In->sm.smCount - *Count * Size;
      if (Rest->sm.smCount == 0)
        Rest->type = CU_DEV_RESOURCE_TYPE_INVALID;
    }
    return CUDA_SUCCESS;
  });
}

// The descriptor is the number of SMs: nothing else of it is modelled.
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *Out, CUdevResource *In,
                                   unsigned Count) {
  return call("cuDevResourceGenerateDesc", [&](Call &) {
    if (!Out || !In || Count == 0)
      return CUDA_ERROR_INVALID_VALUE;
    size_t Sms = 0;
    for (unsigned I = 0; I < Count; ++I) {
      if (In[I].type != CU_DEV_RESOURCE_TYPE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
      Sms += In[I].sm.smCount;
    }
    *Out = reinterpret_cast<CUdevResourceDesc>(Sms);
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxCreate(CUgreenCtx *Out, CUdevResourceDesc Descriptor,
                          CUdevice Device, unsigned Flags) {
  return call("cuGreenCtxCreate", [&](Call &C) {
    if (CUresult R = checkDevice(Device))
      return R;
    if (!Out || !Descriptor || Flags != CU_GREEN_CTX_DEFAULT_STREAM)
      return CUDA_ERROR_INVALID_VALUE;
    C.S.retainPrimary(Device);
    auto Green = std::make_unique<GreenContext>();
    Green->On = &C.S.Devices[Device];
    Green->Sms = static_cast<unsigned>(reinterpret_cast<size_t>(Descriptor));
    Green->View = C.S.createContext(*Green->On);
    *Out = reinterpret_cast<CUgreenCtx>(Green.get());
    Green->View->Green = *Out;
    C.S.add(C.S.GreenContexts, std::move(Green));
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxDestroy(CUgreenCtx Green) {
  return call("cuGreenCtxDestroy", [&](Call &C) {
    GreenContext *G = C.S.find(C.S.GreenContexts, Green);
    if (!G)
      return CUDA_ERROR_INVALID_CONTEXT;
    const int Ordinal = G->On->Ordinal;
    C.S.destroyContext(G->View);
    C.S.GreenContexts.erase(G);
    C.S.releasePrimary(Ordinal);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxFromGreenCtx(CUcontext *Out, CUgreenCtx Green) {
  return call("cuCtxFromGreenCtx", [&](Call &C) {
    GreenContext *G = C.S.find(C.S.GreenContexts, Green);
    if (!G)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = handle(G->View);
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxStreamCreate(CUstream *Out, CUgreenCtx Green, unsigned Flags,
                                int Priority) {
  (void)Priority;
  return call("cuGreenCtxStreamCreate", [&](Call &C) {
    GreenContext *G = C.S.find(C.S.GreenContexts, Green);
    if (!G)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!Out || Flags != CU_STREAM_NON_BLOCKING)
      return CUDA_ERROR_INVALID_VALUE;
    auto S = std::make_unique<Stream>();
    S->In = G->View;
    S->Flags = Flags;
    S->Green = Green;
    *Out = reinterpret_cast<CUstream>(C.S.add(C.S.Streams, std::move(S)));
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate_v4(CUcontext *Out, CUctxCreateParams *Parameters,
                        unsigned Flags, CUdevice Device) {
  (void)Flags;
  return call("cuCtxCreate_v4", [&](Call &C) {
    if (CUresult R = checkDevice(Device))
      return R;
    if (!Out || Parameters)
      return CUDA_ERROR_INVALID_VALUE;
    Context *New = C.S.createContext(C.S.Devices[Device]);
    State::stack().push_back(New);
    *Out = handle(New);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy_v2(CUcontext In) {
  return call("cuCtxDestroy_v2", [&](Call &C) {
    Context *Old = C.S.find(C.S.Contexts, In);
    if (!Old || Old->Primary || Old->Green)
      return CUDA_ERROR_INVALID_CONTEXT;
    waitForDevice(C.S, C.L, *Old->On);
    std::erase(State::stack(), Old);
    C.S.destroyContext(Old);
    return CUDA_SUCCESS;
  });
}

} // extern "C"
