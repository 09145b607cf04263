//===- Streams.cpp - Streams and events of the runtime --------------------===//

#include "Runtime.h"

using namespace standin::cudart;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Out, unsigned Flags) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuStreamCreate)(Out, Flags));
}

cudaError_t cudaStreamCreate(cudaStream_t *Out) {
  return cudaStreamCreateWithFlags(Out, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  return result(DRIVER(cuStreamDestroy)(Stream));
}

cudaError_t cudaStreamQuery(cudaStream_t Stream) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuStreamQuery)(Stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuStreamSynchronize)(Stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned Flags) {
  return result(DRIVER(cuStreamWaitEvent)(Stream, Event, Flags));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Out, unsigned Flags) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuEventCreate)(Out, Flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *Out) {
  return cudaEventCreateWithFlags(Out, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  return result(DRIVER(cuEventDestroy)(Event));
}

cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  return result(DRIVER(cuEventRecord)(Event, Stream));
}

cudaError_t cudaEventQuery(cudaEvent_t Event) {
  return result(DRIVER(cuEventQuery)(Event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t Event) {
  return result(DRIVER(cuEventSynchronize)(Event));
}

cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t From,
                                 cudaEvent_t To) {
  return result(DRIVER(cuEventElapsedTime)(Milliseconds, From, To));
}

} // extern "C"
