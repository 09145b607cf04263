//===- LinkUnit.h - Calls into a link unit's CUDA runtime -----------------===//
//
// Part of kplan. The few CUDA runtime calls that only the program's own
// instance of the runtime can answer. A call that fails sets the thread's last
// CUDA error. Where there was none, none is left behind; an error that was
// there cannot be put back, so a thread that has one must not make calls that
// can fail: see hasLastError().
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LINKUNIT_H
#define KPLAN_RUNTIME_LINKUNIT_H

#include "link/LinkAbi.h"
#include "plan/Diagnostic.h"

#include <cuda.h>

namespace kplan::runtime {

/// Whether the calling thread has an error that a failing call would replace.
bool hasLastError(const kplan_link_unit &Unit);

/// The kernel behind a host stub. Loads the image into the driver, not onto
/// the device.
Result<CUkernel> getKernel(const kplan_link_unit &Unit, const void *Stub);

/// The address of a device variable; makes its library's globals resident.
Result<void *> getSymbolAddress(const kplan_link_unit &Unit, const void *Host);

/// The calling thread's current device.
Result<int> getDevice(const kplan_link_unit &Unit);

/// Makes the device's primary context exist; makes nothing current. Keeps the
/// thread's last error.
Result<int> initDevice(const kplan_link_unit &Unit, int Device);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LINKUNIT_H
