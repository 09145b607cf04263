//===- CodeHandle.h - A library or a module of the driver -----------------===//

#ifndef KPLAN_RUNTIME_CODEHANDLE_H
#define KPLAN_RUNTIME_CODEHANDLE_H

#include "plan/Plan.h"

#include <cuda.h>

#include <compare>
#include <cstdint>
#include <variant>

namespace kplan::runtime {

/// What cuLibraryLoadData and cuModuleLoadData give.
using CodeHandle = std::variant<CUlibrary, CUmodule>;

inline Loader loaderOf(CodeHandle Code) {
  return std::holds_alternative<CUlibrary>(Code) ? Loader::Library
                                                 : Loader::Module;
}

/// A kernel of a library, or a function of a module.
using KernelHandle = std::variant<CUkernel, CUfunction>;

/// Names code for the whole process, unlike a handle, which may come again.
struct CodeId {
  enum class Kind {
    Registered, ///< By the program with its CUDA runtime: see Registry.h.
    Loaded,     ///< Into the driver: see CodeTable.h.
  };
  Kind From = Kind::Registered;
  uint64_t Serial = 0;
  auto operator<=>(const CodeId &) const = default;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_CODEHANDLE_H
