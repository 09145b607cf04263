//===- Homes.cpp - Where code is resident ---------------------------------===//

#include "escapes/Homes.h"

using namespace kplan::runtime;

namespace {

/// Of what threads remember.
constinit std::atomic<uint64_t> Generation = 1;

/// What this thread was told last. A launch asks in every process with several
/// homes, so it must not cost a lock.
struct LastAnswer {
  CUcontext Context = nullptr;
  int Home = Homes::None;
  uint64_t Generation = 0;
};
thread_local constinit LastAnswer Last;

} // namespace

void Homes::changed() { Generation.fetch_add(1, std::memory_order_relaxed); }

void Homes::note(int Home) {
  int Before = Unseen;
  if (!Sole.compare_exchange_strong(Before, Home) && Before != Home)
    Sole.store(Several);
}

void Homes::shared(CUdevice Device) { note(ofDevice(Device)); }

void Homes::made(CUcontext Private, CUdevice Device) {
  std::lock_guard Guard(Mutex);
  // A program that makes so many has its last ones taken for one.
  int Home = Next < LastPrivate ? Next++ : LastPrivate;
  Privates[Private] = {Home, Device};
  changed();
  note(Home);
}

int Homes::ended(CUcontext Private) {
  std::lock_guard Guard(Mutex);
  auto It = Privates.find(Private);
  if (It == Privates.end())
    return None;
  int Home = It->second.Home;
  Privates.erase(It);
  changed();
  return Home;
}

CUdevice Homes::deviceOf(int Home) const {
  if (Home < FirstPrivate)
    return Home;
  std::lock_guard Guard(Mutex);
  for (const auto &[Context, P] : Privates)
    if (P.Home == Home)
      return P.Device;
  return -1;
}

CUcontext Homes::privateContext(int Home) const {
  if (Home < FirstPrivate)
    return nullptr;
  std::lock_guard Guard(Mutex);
  for (const auto &[Context, P] : Privates)
    if (P.Home == Home)
      return Context;
  return nullptr;
}

int Homes::find(const DriverApi &Api) const {
  CUcontext Context = nullptr;
  if (Api.CtxGetCurrent(&Context) != CUDA_SUCCESS || !Context)
    return None;
  const uint64_t Now = Generation.load(std::memory_order_relaxed);
  if (Last.Context == Context && Last.Generation == Now)
    return Last.Home;
  CUdevice Home = None;
  {
    std::lock_guard Guard(Mutex);
    if (auto It = Privates.find(Context); It != Privates.end())
      Home = It->second.Home;
  }
  if (Home == None && Api.CtxGetDevice(&Home) != CUDA_SUCCESS)
    return None;
  Last = {Context, Home, Now};
  return Home;
}
