//===- LoadAhead.h - Load what the program will load ----------------------===//
//
// Part of kplan. Reads a plan's images from where the plan says that they are,
// and loads as many copies as the program had, with its options, for the
// program to claim (CodeTable.h). Nothing of them is resident afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LOADAHEAD_H
#define KPLAN_RUNTIME_LOADAHEAD_H

#include "CodeTable.h"
#include "DriverApi.h"
#include "plan/Plan.h"

#include <string>
#include <vector>

namespace kplan::runtime {

struct LoadTarget {
  CUcontext Context = nullptr; ///< Current on the calling thread.
  CUdevice Device = 0;
  uint64_t Home = 0; ///< 0: not known; no modules then.
  unsigned Threads = 0;
};

struct LoadedAhead {
  uint64_t Copies = 0;
  std::vector<std::string> Missing;
  std::vector<std::string> Warnings;
  bool OutOfMemory = false; ///< Of the device.
};

/// PTX that may be compiled ahead (Image::UseCompiled) and was is loaded as the
/// cubin for the device; the program that loads the PTX is handed that.
/// Copies that are alive already, whoever loaded them, count. Images that could
/// not be loaded are in `Missing`.
/// \param PlanFolder what paths in the plan's store are relative to.
LoadedAhead loadAhead(const DriverApi &Api, const LoadTarget &Target,
                      const Plan &P, const std::string &PlanFolder,
                      CodeTable &Table);

/// Unloads what was taken out of the table.
void giveBack(const DriverApi &Api, const std::vector<CodeEntry> &Entries);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LOADAHEAD_H
