//===- HostToolchain.h - Whose headers the host side sees -----------------===//
//
// Part of kplan. Finds the folder of GCC's own files for a compiler's name, so
// that clang takes the same standard library. Nothing is run.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_HOSTTOOLCHAIN_H
#define KPLAN_SCAN_HOSTTOOLCHAIN_H

#include "scan/HostSystem.h"

#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

enum class CompilerKind {
  Nvcc,
  NvccWrapper, ///< Kokkos' nvcc_wrapper: GCC's options, nvcc below.
  Gcc,         ///< Also cc, c++ and MPI's wrappers.
  Clang,
  Unknown,
};

/// Told from the program's name alone: "x86_64-linux-gnu-g++-12".
CompilerKind classifyCompiler(std::string_view Program);

/// Clang's options that select the headers of a GCC or clang; none when
/// clang's own choice is as good as any.
/// \p Compiler a name or path, or (for -ccbin) the folder that holds `gcc`.
std::vector<std::string> toolchainOptions(const std::string &Compiler,
                                          const std::string &Directory,
                                          const HostSystem &System);

} // namespace kplan::scan

#endif // KPLAN_SCAN_HOSTTOOLCHAIN_H
