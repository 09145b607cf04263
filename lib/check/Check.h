//===- Check.h - Does a plan still fit? -----------------------------------===//
//
// Part of kplan. What a plan says, held against what it is about: the device
// code of programs, the limits of an architecture, the files that its images
// came from, another plan. Each check adds to one list; an error there is a
// finding, a warning is not.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_CHECK_CHECK_H
#define KPLAN_CHECK_CHECK_H

#include "image/Program.h"
#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>
#include <vector>

namespace kplan::check {

struct Subject {
  const kplan::Plan &Plan;
  std::string Path;   ///< Of the plan; stands in the findings.
  std::string Folder; ///< Of its store.
};

struct Findings {
  std::vector<Diagnostic> List;
  // What was looked at, for the line that says that all is well.
  size_t KernelsFound = 0;
  size_t KernelsElsewhere = 0; ///< In images of none of the programs.
  size_t OriginsSound = 0;
  size_t OriginsAbsent = 0; ///< Their files are not on this machine.
};

/// Each kernel that is not tied to an image must be in the code of some
/// program, each that is tied to an image of one of these programs in that
/// one's. Entries that cannot be read make a kernel that is not found a
/// warning: it may be there.
void checkKernels(const Subject &Of,
                  const std::vector<image::ProgramCode> &Programs,
                  Findings &Out);

/// What a device takes.
struct Limits {
  std::string Device;       ///< "sm_90", or its name: stands in the findings.
  uint64_t SharedBytes = 0; ///< Of a block, static and dynamic together.
  bool Clusters = false;
};
/// As the programming guide has them for compute capability \p Arch (90 for
/// 9.0). An error where kplan does not know the architecture.
Result<Limits> limitsOfArch(unsigned Arch);

/// Each value must be one that the device takes, with the kernels' static
/// shared memory as \p Programs have it.
void checkLimits(const Subject &Of, const Limits &Device,
                 const std::vector<image::ProgramCode> &Programs,
                 Findings &Out);

/// Each value must be one that some device could take.
void checkValues(const Subject &Of, Findings &Out);

/// A machine, as a trace notes it.
struct TracedOn {
  std::string Gpu;
  unsigned Sms = 0;
  std::string Driver; ///< Empty: not known.
};
/// A plan that was traced must have been traced on such a GPU; another driver
/// is a warning.
void checkTracedOn(const Subject &Of, const TracedOn &Here, Findings &Out);

/// The bytes of each image, and each compiled cubin, must be where the plan
/// says, and be the same. A file is looked for under its own path, then among
/// \p Programs by its name. A missing library is no finding, a missing file of
/// the store is.
void checkOrigins(const Subject &Of,
                  const std::vector<image::ProgramCode> &Programs,
                  Findings &Out);

/// What \p Other has and the plan lacks: kernels, by symbol, whatever image
/// they are tied to; attributes; globals.
void checkAgainst(const Subject &Of, const Subject &Other, Findings &Out);

} // namespace kplan::check

#endif // KPLAN_CHECK_CHECK_H
