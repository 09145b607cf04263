//===- PlanCompiler.h - The cubins that a plan needs ----------------------===//
//
// Part of kplan. Links a plan's modules and, on request, its PTX images, one
// cubin for each architecture, into the store of the compiled plan. A cubin
// that was made before from the same sources, by the same linker and options,
// is used again. Nothing is written of the plan itself.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_LINK_PLANCOMPILER_H
#define KPLAN_LINK_PLANCOMPILER_H

#include "image/Arch.h"
#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace kplan::link {

struct CompileRequest {
  /// Of the plan's store; a module's inputs count from here, those of the
  /// modules named in FromWorkingFolder from there.
  std::string PlanFolder;
  std::set<std::string> FromWorkingFolder;
  std::string OutFolder; ///< Of the compiled plan's store; it is there.
  std::vector<image::Arch> Archs;
  bool Ptx = false;     ///< Images, too.
  std::string CudaPath; ///< Where the linker is; empty: it is looked for.
  /// What was compiled before, in OutFolder.
  std::vector<CompiledImage> Before;
};

struct CompileStep {
  size_t Number = 0; ///< From 1.
  size_t Of = 0;
  std::string What; ///< "module m for sm_90".
};

struct CompileResult {
  kplan::Plan Plan; ///< With `compiled` filled in, and its store in OutFolder.
  size_t Linked = 0;
  size_t Reused = 0;
  /// PTX that some of the architectures cannot run: not an error, since the
  /// program cannot load it there either.
  std::vector<Diagnostic> Warnings;
};

/// \param Step called before each link.
Result<CompileResult>
compilePlanCode(Plan P, const CompileRequest &Request,
                const std::function<void(const CompileStep &)> &Step);

} // namespace kplan::link

#endif // KPLAN_LINK_PLANCOMPILER_H
