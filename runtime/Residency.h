//===- Residency.h - Bring code and globals onto the device ---------------===//
//
// Part of kplan. Executes a worklist: the images on a few threads, since most
// of the time goes into unpacking them; then, in each, every planned function
// (one a library would leave the others to their first launch), its attributes,
// and the planned variables.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RESIDENCY_H
#define KPLAN_RUNTIME_RESIDENCY_H

#include "CodeTable.h"
#include "DriverApi.h"
#include "KernelAttributes.h"
#include "Worklist.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kplan::runtime {

/// A library or module of an image, on the device.
struct ResidentLibrary {
  CodeId Image;
  CodeHandle Code;
  auto operator<=>(const ResidentLibrary &) const = default;
};

struct ResidencyTarget {
  CUcontext Context = nullptr; ///< Current on the calling thread.
  CUdevice Device = 0;
  bool Attributes = true;
  unsigned Threads = 0;        ///< 0: chosen here.
  CodeTable *Loaded = nullptr; ///< That loaded images are in, where there are.
};

struct Residency {
  uint64_t Libraries = 0;
  uint64_t Functions = 0;
  uint64_t Globals = 0;
  AttributeCounts Attributes;
  /// The most local memory a thread of a planned function needs, and whose.
  uint64_t LocalBytes = 0;
  std::string LocalSymbol;
  /// Empty where the driver does not tell a kernel's library.
  std::vector<ResidentLibrary> Resident;
  std::vector<std::string> Missing;
  /// Device memory ran out; what had not been begun by then was left out.
  bool OutOfMemory = false;
};

/// How many threads to work on: as wished, or a few.
unsigned chooseThreads(unsigned Wanted);

/// Does each job once, on chooseThreads(Wanted) threads that have the context
/// current, as the calling one has, and do not disturb a capture.
void runInContext(const DriverApi &Api, CUcontext Context, unsigned Wanted,
                  size_t Jobs, const std::function<void(size_t)> &Do);

/// \param Caches what earlier primings set; those of this one are added.
Residency makeResident(const DriverApi &Api, const ResidencyTarget &Target,
                       const std::vector<ImageWork> &Images,
                       CacheConfigs &Caches);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_RESIDENCY_H
