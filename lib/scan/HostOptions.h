//===- HostOptions.h - GCC's and clang's command lines --------------------===//
//
// Part of kplan. Reads the arguments of a host compiler, also those that nvcc
// hands on to it, and keeps what says something about the source. The options
// stand in HostOptions.def.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_HOSTOPTIONS_H
#define KPLAN_SCAN_HOSTOPTIONS_H

#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

struct HostArguments {
  std::vector<std::string> Kept; ///< For clang, in order.
  std::string Standard;          ///< Of the last -std=; empty: none.
  std::string Language;          ///< Of the last -x before the first input.
  std::vector<std::string> Inputs;
  // clang as CUDA compiler:
  std::string CudaPath;
  std::vector<std::string> OffloadArchs;
  bool GpuRdc = false;
  /// Options that are in no table; they were left out.
  std::vector<std::string> Unknown;
};

/// Arguments without the program's name; response files are expanded already.
HostArguments parseHostArguments(const std::vector<std::string> &Arguments);

} // namespace kplan::scan

#endif // KPLAN_SCAN_HOSTOPTIONS_H
