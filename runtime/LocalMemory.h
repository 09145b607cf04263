//===- LocalMemory.h - Local memory for the largest planned kernel --------===//
//
// Part of kplan. The first launch of a kernel that needs more local memory a
// thread than any before it waits for the device while more is set aside. One
// launch of a kernel with as large a frame does so ahead of time; raising
// CU_LIMIT_STACK_SIZE would as well, but the program could notice.
//
// It can cost much: the driver sets it aside for every thread that the device
// can hold (33,000 bytes a thread: 4.5 GB on an H200).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LOCALMEMORY_H
#define KPLAN_RUNTIME_LOCALMEMORY_H

#include "OwnKernel.h"

#include <cstdint>
#include <string>

namespace kplan::runtime {

/// Launches a kernel whose frame is at least `Bytes`.
Outcome reserveLocalMemory(const DriverApi &Api, OwnStream &Stream,
                           uint64_t Bytes);

/// A kernel whose frame has `Bytes`, a multiple of 16.
std::string localMemoryPtx(uint64_t Bytes);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LOCALMEMORY_H
