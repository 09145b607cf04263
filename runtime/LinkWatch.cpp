//===- LinkWatch.cpp - Escapes in link mode -------------------------------===//

#include "LinkWatch.h"

#include <algorithm>
#include <utility>

using namespace kplan::runtime;

void LinkWatch::seal(const DriverApi &Api) {
  std::lock_guard Guard(Mutex);
  Primed.close(Api, LiveCode(Images), Contexts);
}

void LinkWatch::unseal() {
  std::lock_guard Guard(Mutex);
  Primed.open();
}

std::vector<Escape> LinkWatch::look(const DriverApi &Api) {
  std::lock_guard Guard(Mutex);
  return Primed.look(Api, LiveCode(Images));
}

void LinkWatch::primed(const DriverApi &Api,
                       const std::vector<PrimedContext> &Now) {
  std::lock_guard Guard(Mutex);
  Contexts = Now;
  Primed.primedAgain(Api, LiveCode(Images), Contexts);
}

std::vector<std::string> LinkWatch::limits() const {
  std::lock_guard Guard(Mutex);
  std::vector<std::string> Lines;
  size_t Kernels = 0;
  for (const RegisteredImage &I : Images.snapshot()) {
    bool Watched = std::any_of(
        Contexts.begin(), Contexts.end(), [&](const PrimedContext &C) {
          return std::any_of(
              C.Resident.begin(), C.Resident.end(),
              [&](const ResidentLibrary &L) {
                return L.Image == CodeId{CodeId::Kind::Registered, I.Serial};
              });
        });
    Kernels += Watched ? 0 : I.Kernels.size();
  }
  if (Kernels)
    Lines.push_back(std::to_string(Kernels) +
                    " registered kernels are in libraries that were not "
                    "primed: their first use is not noticed");
  return Lines;
}
