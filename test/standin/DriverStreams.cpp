//===- DriverStreams.cpp - Streams and events -----------------------------===//

#include "Call.h"

#include <utility>

using namespace standin;

/// Whether all that a stream or event waits for is over. Work of another
/// stream counts by its time, as does all work where \p Own is null.
static bool isDone(const WorkList &Pending, const Stream *Own) {
  for (auto &W : Pending)
    if (!isOver(*W, W->On != Own))
      return false;
  return true;
}

static Event *event(State &S, CUevent Handle) {
  return State::find(S.Events, Handle);
}

extern "C" {

CUresult cuStreamCreate(CUstream *Out, unsigned Flags) {
  return callOnDevice("cuStreamCreate", [&](Call &C, Device &) {
    if (!Out || Flags > CU_STREAM_NON_BLOCKING)
      return CUDA_ERROR_INVALID_VALUE;
    Context *In = C.S.current();
    if (In->Green && Flags != CU_STREAM_NON_BLOCKING)
      return CUDA_ERROR_INVALID_VALUE;
    auto S = std::make_unique<Stream>();
    S->In = In;
    S->Flags = Flags;
    S->Green = In->Green;
    *Out = reinterpret_cast<CUstream>(C.S.add(C.S.Streams, std::move(S)));
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamCreateWithPriority(CUstream *Out, unsigned Flags,
                                    int Priority) {
  (void)Priority;
  return cuStreamCreate(Out, Flags);
}

CUresult cuStreamDestroy_v2(CUstream Handle) {
  return call("cuStreamDestroy_v2", [&](Call &C) {
    Stream *S = State::find(C.S.Streams, Handle);
    if (!S)
      return CUDA_ERROR_INVALID_HANDLE;
    C.S.Streams.erase(S);
    return CUDA_SUCCESS;
  });
}

// A capture records nothing here: what counts is which calls it forbids.
CUresult cuStreamBeginCapture_v2(CUstream Handle, CUstreamCaptureMode Mode) {
  return call("cuStreamBeginCapture_v2", [&](Call &C) {
    Stream *S = State::find(C.S.Streams, Handle);
    if (!S || S->CapturesGlobally)
      return CUDA_ERROR_INVALID_VALUE;
    S->CapturesGlobally = Mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    C.S.GlobalCaptures += S->CapturesGlobally;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamEndCapture(CUstream Handle, CUgraph *Out) {
  return call("cuStreamEndCapture", [&](Call &C) {
    Stream *S = State::find(C.S.Streams, Handle);
    if (!S || !Out)
      return CUDA_ERROR_INVALID_VALUE;
    C.S.GlobalCaptures -= std::exchange(S->CapturesGlobally, false);
    *Out = nullptr;
    return CUDA_SUCCESS;
  });
}

// For tests: how many threads wait for work on a device at this moment.
int cuStandinWaiting(void) {
  State &S = State::get();
  Lock L(S.Mutex);
  return static_cast<int>(S.Waiting);
}

CUresult cuStreamQuery(CUstream Handle) {
  return call("cuStreamQuery", [&](Call &C) {
    Stream *S = C.S.stream(Handle);
    if (!S)
      return CUDA_ERROR_INVALID_HANDLE;
    return isDone(S->Pending, S) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuStreamSynchronize(CUstream Handle) {
  return call("cuStreamSynchronize", [&](Call &C) {
    Stream *S = C.S.stream(Handle);
    if (!S)
      return CUDA_ERROR_INVALID_HANDLE;
    waitFor(C.S, C.L, S->Pending);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamWaitEvent(CUstream Handle, CUevent On, unsigned Flags) {
  return call("cuStreamWaitEvent", [&](Call &C) {
    Stream *S = C.S.stream(Handle);
    Event *E = event(C.S, On);
    if (!S || !E)
      return CUDA_ERROR_INVALID_HANDLE;
    if (Flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    S->Pending.insert(S->Pending.end(), E->Pending.begin(), E->Pending.end());
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetCtx(CUstream Handle, CUcontext *Out) {
  return call("cuStreamGetCtx", [&](Call &C) {
    Stream *S = C.S.stream(Handle);
    if (!S)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = reinterpret_cast<CUcontext>(S->In);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetGreenCtx(CUstream Handle, CUgreenCtx *Out) {
  return call("cuStreamGetGreenCtx", [&](Call &C) {
    Stream *S = C.S.stream(Handle);
    if (!S)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = S->Green;
    return CUDA_SUCCESS;
  });
}

CUresult cuEventCreate(CUevent *Out, unsigned Flags) {
  (void)Flags;
  return callOnDevice("cuEventCreate", [&](Call &C, Device &) {
    if (!Out)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = reinterpret_cast<CUevent>(
        C.S.add(C.S.Events, std::make_unique<Event>()));
    return CUDA_SUCCESS;
  });
}

CUresult cuEventDestroy_v2(CUevent Handle) {
  return call("cuEventDestroy_v2", [&](Call &C) {
    Event *E = event(C.S, Handle);
    if (!E)
      return CUDA_ERROR_INVALID_HANDLE;
    C.S.Events.erase(E);
    return CUDA_SUCCESS;
  });
}

CUresult cuEventRecord(CUevent Handle, CUstream On) {
  return call("cuEventRecord", [&](Call &C) {
    Event *E = event(C.S, Handle);
    Stream *S = C.S.stream(On);
    if (!E || !S)
      return CUDA_ERROR_INVALID_HANDLE;
    E->Pending = S->Pending;
    E->Recorded = Clock::now();
    E->IsRecorded = true;
    return CUDA_SUCCESS;
  });
}

CUresult cuEventQuery(CUevent Handle) {
  return call("cuEventQuery", [&](Call &C) {
    Event *E = event(C.S, Handle);
    if (!E)
      return CUDA_ERROR_INVALID_HANDLE;
    prune(E->Pending);
    return E->Pending.empty() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuEventSynchronize(CUevent Handle) {
  return call("cuEventSynchronize", [&](Call &C) {
    Event *E = event(C.S, Handle);
    if (!E)
      return CUDA_ERROR_INVALID_HANDLE;
    waitFor(C.S, C.L, E->Pending);
    return CUDA_SUCCESS;
  });
}

// Between the two calls of cuEventRecord: the device's clock is not modelled.
CUresult cuEventElapsedTime_v2(float *Milliseconds, CUevent From, CUevent To) {
  return call("cuEventElapsedTime_v2", [&](Call &C) {
    Event *Begin = event(C.S, From), *End = event(C.S, To);
    if (!Begin || !End || !Begin->IsRecorded || !End->IsRecorded)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!Milliseconds)
      return CUDA_ERROR_INVALID_VALUE;
    *Milliseconds = std::chrono::duration<float, std::milli>(End->Recorded -
                                                             Begin->Recorded)
                        .count();
    return CUDA_SUCCESS;
  });
}

} // extern "C"
