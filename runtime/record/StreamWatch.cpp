//===- StreamWatch.cpp - Which streams have work in flight ----------------===//

#include "record/StreamWatch.h"

#include "record/DriverEntry.h"
#include "record/DriverQuestions.h"

#include <algorithm>

using namespace kplan::runtime::record;

namespace {

constexpr size_t MostStreams = 256;

/// The calling thread's questions spoil no capture of another thread.
class RelaxedCapture {
public:
  RelaxedCapture() { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  void exchange() {
    ask<CUresult(CUstreamCaptureMode *)>("cuThreadExchangeStreamCaptureMode",
                                         &Mode);
  }
  CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};

} // namespace

bool StreamWatch::isDefault(CUstream Stream) {
  return !Stream || Stream == CU_STREAM_LEGACY;
}

unsigned StreamWatch::note(CUstream Stream, bool &IsNew) {
  IsNew = false;
  if (Stream == CU_STREAM_PER_THREAD)
    return 0;
  CUcontext In = isDefault(Stream) ? currentContext() : nullptr;
  if (isDefault(Stream))
    Stream = CU_STREAM_LEGACY;
  std::lock_guard Guard(Lock);
  for (const Known &K : Streams)
    if (K.Stream == Stream && K.In == In)
      return K.Number;
  if (Streams.size() == MostStreams)
    return 0;
  Streams.push_back({Stream, In, ++Count});
  IsNew = true;
  return Count;
}

std::vector<std::string> StreamWatch::busy(unsigned Except) {
  std::vector<std::string> Numbers;
  std::lock_guard Guard(Lock);
  if (Captures || Streams.empty())
    return Numbers;
  auto *Query = driverEntry<CUresult(CUstream)>("cuStreamQuery");
  auto *Capturing = driverEntry<CUresult(CUstream, CUstreamCaptureStatus *)>(
      "cuStreamIsCapturing");
  if (!Query)
    return Numbers;
  RelaxedCapture Relaxed;
  CUcontext Current = currentContext();
  for (const Known &K : Streams) {
    if (K.Number == Except || (K.In && K.In != Current))
      continue;
    // Captures that begin by functions that are not hooked.
    CUstreamCaptureStatus Status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (Capturing && (Capturing(K.Stream, &Status) != CUDA_SUCCESS ||
                      Status != CU_STREAM_CAPTURE_STATUS_NONE))
      continue;
    if (Query(K.Stream) == CUDA_ERROR_NOT_READY)
      Numbers.push_back(std::to_string(K.Number));
  }
  return Numbers;
}

void StreamWatch::forget(CUstream Stream) {
  std::lock_guard Guard(Lock);
  std::erase_if(Streams, [&](const Known &K) { return K.Stream == Stream; });
}

void StreamWatch::forgetAll() {
  std::lock_guard Guard(Lock);
  Streams.clear();
}

void StreamWatch::beginCapture() {
  std::lock_guard Guard(Lock);
  ++Captures;
}

void StreamWatch::endCapture() {
  std::lock_guard Guard(Lock);
  if (Captures)
    --Captures;
}
