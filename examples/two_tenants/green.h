//===- green.h - Two tenants of one GPU ----------------------------------===//
//
// Splits the SMs of a device into two green contexts: A takes about half, B
// the rest. What runs in one can run beside what runs in the other.
//
//===----------------------------------------------------------------------===//

#ifndef TWO_TENANTS_GREEN_H
#define TWO_TENANTS_GREEN_H

#include <cuda.h>
#include <string>

/// A green context and a stream in it (the stream alone would not keep the
/// context). Work goes to a tenant by its stream; the device's primary context
/// stays current.
class Tenant {
public:
  Tenant(CUdevice Device, CUdevResource Sms);
  ~Tenant();
  Tenant(const Tenant &) = delete;
  Tenant &operator=(const Tenant &) = delete;

  CUstream stream() const { return Stream; }
  unsigned sms() const { return SmCount; }

private:
  CUgreenCtx Green = nullptr;
  CUstream Stream = nullptr;
  unsigned SmCount = 0;
};

/// The SMs of a device in two parts that share none.
struct Partition {
  CUdevResource A, B;
};

/// Throws Failure where the driver is too old or there are too few SMs.
Partition splitSms(CUdevice Device);

/// Device 0, with its primary context made as the CUDA runtime would.
struct Gpu {
  Gpu();
  CUdevice Device = 0;
  std::string Name;
  int DriverVersion = 0; ///< 13000 is 13.0.
  /// A stand-in driver for tests: no device code runs.
  bool simulated() const;
};

#endif // TWO_TENANTS_GREEN_H
