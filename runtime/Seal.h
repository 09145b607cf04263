//===- Seal.h - First uses after the seal ---------------------------------===//
//
// Part of kplan. At the seal the functions of primed libraries that are not
// loaded are listed; looked at again later, those that are loaded by then were
// first used meanwhile: escapes. Looking neither loads nor waits, but only in
// libraries that are resident: a look at another one would itself be its first
// touch. So a library that priming did not touch is not watched (the report of
// priming counts its kernels), nor is a context that is neither a primary nor a
// green one, whose end could not be noticed.
//
// Not thread-safe: the caller has a lock.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_SEAL_H
#define KPLAN_RUNTIME_SEAL_H

#include "DriverApi.h"
#include "LiveCode.h"
#include "Prime.h"
#include "escapes/Escape.h"

#include <vector>

namespace kplan::runtime {

class Seal {
public:
  /// Starts the sealed phase with what has been primed until now.
  void close(const DriverApi &Api, const LiveCode &Code,
             std::vector<PrimedContext> Primed);
  /// Priming in the sealed phase is no escape: what it loaded is left out.
  /// Look before it starts.
  void primedAgain(const DriverApi &Api, const LiveCode &Code,
                   std::vector<PrimedContext> Primed);
  /// Ends the phase: look before it.
  void open();

  /// What was loaded since the last look.
  std::vector<Escape> look(const DriverApi &Api, const LiveCode &Code);

private:
  /// The functions of one library that are not loaded.
  struct Watch {
    uint64_t HomeId;
    CUdevice Device;
    CodeId Image; ///< Functions die with it.
    std::vector<CUfunction> Functions;
  };

  void list(const DriverApi &Api, const LiveCode &Code,
            const std::vector<PrimedContext> &Primed);

  bool Closed = false;
  std::vector<Watch> Watches;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_SEAL_H
