//===- DeviceServices.h - The printf buffer and the device heap -----------===//
//
// Part of kplan. The first launch of any kernel that contains printf or assert,
// or that uses the device heap, makes the driver set these up: a device stall.
// One launch of any such kernel beforehand cures all of them.
//
// Once started, the sizes (cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize)
// cannot be changed any more, not even to the same value.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_DEVICESERVICES_H
#define KPLAN_RUNTIME_DEVICESERVICES_H

#include "OwnKernel.h"

#include <string>

namespace kplan::runtime {

Outcome startPrintf(OwnStream &Stream);
Outcome startMalloc(OwnStream &Stream);

/// The PTX behind them, for tests.
std::string printfPtx();
std::string mallocPtx();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_DEVICESERVICES_H
