//===- OwnKernel.h - kplan's own small kernels ----------------------------===//
//
// Part of kplan. Some state of a context is made by the first launch of a
// kernel that needs it. kplan launches one that needs it and does nothing: PTX
// text, which the driver compiles, so that no device code is built.
//
// Modules stay loaded for as long as their context: an unload can stall.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_OWNKERNEL_H
#define KPLAN_RUNTIME_OWNKERNEL_H

#include "DriverApi.h"
#include "Outcome.h"

#include <string>

namespace kplan::runtime {

/// What every PTX text of kplan begins with: the oldest target that CUDA 13
/// still takes, in a version that any driver of CUDA 12 knows.
inline constexpr const char *PtxPrologue = ".version 6.4\n"
                                           ".target sm_75\n"
                                           ".address_size 64\n";

/// A stream of kplan's own: it waits for nothing of the program's.
class OwnStream {
public:
  explicit OwnStream(const DriverApi &Api);
  ~OwnStream();
  OwnStream(const OwnStream &) = delete;
  OwnStream &operator=(const OwnStream &) = delete;

  /// Loads `Ptx` and finds its kernel.
  Result<CUfunction> load(const std::string &Ptx, const char *Entry);

  /// Launches it with one thread and waits for this stream only. The kernel
  /// takes one 32-bit and one 64-bit parameter, both 0: do nothing.
  Outcome launch(CUfunction Function);

private:
  const DriverApi &Api;
  CUstream Stream = nullptr;
  CUresult Created;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_OWNKERNEL_H
