//===- LinkWatch.h - Escapes in link mode ---------------------------------===//
//
// Part of kplan. No call is hooked: escapes are found by looking at the
// libraries that priming touched (Seal.h).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LINKWATCH_H
#define KPLAN_RUNTIME_LINKWATCH_H

#include "Registry.h"
#include "Seal.h"
#include "escapes/Sealing.h"

#include <mutex>
#include <vector>

namespace kplan::runtime {

class LinkWatch final : public EscapeWatch {
public:
  explicit LinkWatch(const Registry &Images) : Images(Images) {}

  void seal(const DriverApi &Api) override;
  void unseal() override;
  std::vector<Escape> look(const DriverApi &Api) override;
  void primed(const DriverApi &Api,
              const std::vector<PrimedContext> &Contexts) override;
  std::vector<std::string> limits() const override;
  bool seesLaunches() const override { return false; }
  bool seesCalls() const override { return false; }

private:
  const Registry &Images;
  mutable std::mutex Mutex;
  Seal Primed;
  std::vector<PrimedContext> Contexts; ///< As the last priming left them.
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LINKWATCH_H
