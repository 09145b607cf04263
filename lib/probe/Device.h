//===- Device.h - What a device of this machine is ------------------------===//
//
// Part of kplan. Asked of the driver, without a context.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_DEVICE_H
#define KPLAN_PROBE_DEVICE_H

#include "plan/Diagnostic.h"

#include <cstdint>
#include <string>

namespace kplan::probe {

struct DeviceFacts {
  std::string Gpu;
  std::string Driver; ///< "580.159.04"; empty: it does not say.
  unsigned Sms = 0;
  unsigned Arch = 0;        ///< 90 for 9.0.
  uint64_t SharedBytes = 0; ///< That a block can opt in to.
  bool Clusters = false;
};

Result<DeviceFacts> readDevice(int Ordinal);

} // namespace kplan::probe

#endif // KPLAN_PROBE_DEVICE_H
