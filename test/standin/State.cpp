//===- State.cpp - What the stand-in driver keeps in memory ---------------===//

#include "State.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fnmatch.h>
#include <sstream>

namespace standin {

Kernel *Library::kernel(const std::string &Name) {
  auto It = Kernels.find(Name);
  return It == Kernels.end() ? nullptr : It->second.get();
}

State::State() {
  for (int I = 0; I < DeviceCount; ++I)
    Devices[I].Ordinal = I;
  const char *Loading = std::getenv("CUDA_MODULE_LOADING");
  Eager = Loading && std::strcmp(Loading, "EAGER") == 0;
  const char *Patterns = std::getenv("KPLAN_STANDIN_BLOCKERS");
  std::istringstream In(Patterns ? Patterns : "_Z4hold*");
  for (std::string Pattern; std::getline(In, Pattern, ',');)
    Blockers.push_back(Pattern);
}

State &State::get() {
  // Never destroyed: programs call the driver while they end.
  static State *S = new State;
  return *S;
}

std::vector<Context *> &State::stack() {
  // Never destroyed either: exit handlers come after a thread's destructors.
  thread_local auto *Stack = new std::vector<Context *>;
  return *Stack;
}

CUstreamCaptureMode &State::captureMode() {
  thread_local CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  return Mode;
}

Context *State::current() {
  return stack().empty() ? nullptr : find(Contexts, stack().back());
}

Device *State::currentDevice() {
  Context *C = current();
  return C ? C->On : nullptr;
}

Stream *State::stream(CUstream Handle) {
  if (Handle == nullptr || Handle == CU_STREAM_LEGACY ||
      Handle == CU_STREAM_PER_THREAD) {
    Context *C = current();
    return C ? C->Default.get() : nullptr;
  }
  return find(Streams, Handle);
}

Context *State::createContext(Device &On) {
  auto C = std::make_unique<Context>();
  C->On = &On;
  C->Id = NextContextId++;
  C->Default = std::make_unique<Stream>();
  C->Default->In = C.get();
  return add(Contexts, std::move(C));
}

uint64_t State::home(const Context &C) const {
  const Context *P = Primary[C.On->Ordinal];
  return (C.Green && P ? P : &C)->Id;
}

void State::drop(Library *L) {
  for (auto &[Name, K] : L->Kernels)
    Kernels.erase(K.get());
  Libraries.erase(L);
}

void State::dropModules(uint64_t Home) {
  std::vector<Library *> Gone;
  for (auto &[Handle, L] : Libraries)
    if (L->IsModule && L->Home == Home)
      Gone.push_back(Handle);
  for (Library *L : Gone)
    drop(L);
}

void State::destroyContext(Context *C) {
  if (!C->Green)
    dropModules(C->Id);
  std::erase_if(Streams, [C](auto &Entry) { return Entry.first->In == C; });
  Contexts.erase(C);
}

Context *State::primary(int Ordinal) {
  if (!Primary[Ordinal]) {
    Primary[Ordinal] = createContext(Devices[Ordinal]);
    Primary[Ordinal]->Primary = true;
  }
  return Primary[Ordinal];
}

Context *State::retainPrimary(int Ordinal) {
  ++PrimaryCount[Ordinal];
  return primary(Ordinal);
}

void State::releasePrimary(int Ordinal) {
  if (PrimaryCount[Ordinal] == 0 || --PrimaryCount[Ordinal] != 0)
    return;
  destroyContext(Primary[Ordinal]);
  Primary[Ordinal] = nullptr;
  forgetDevice(Ordinal);
}

void State::forgetDevice(int Ordinal) {
  if (Context *P = Primary[Ordinal]) {
    dropModules(P->Id);
    P->Id = NextContextId++;
  }
  for (auto &[Handle, L] : Libraries) {
    L->Resident[Ordinal] = false;
    for (auto &[Name, K] : L->Kernels)
      K->Loaded[Ordinal] = false;
  }
  Device Fresh;
  Fresh.Ordinal = Ordinal;
  Devices[Ordinal] = Fresh;
}

uint64_t State::memoryInUse(const Device &D) const {
  // The driver reserves local memory for every thread that the device holds;
  // the first 1024 bytes of each are there from the start.
  return (512ULL << 20) + (D.LocalBytes - 1024) * SmCount * ThreadsPerSm +
         (D.HeapStarted ? D.HeapBytes : 0) + D.Allocated;
}

bool State::isBlocker(const std::string &Symbol) const {
  return std::any_of(Blockers.begin(), Blockers.end(), [&](auto &Pattern) {
    return fnmatch(Pattern.c_str(), Symbol.c_str(), 0) == 0;
  });
}

bool isOver(Work &W, bool MayTimeOut) {
  if (W.Over)
    return true;
  for (auto &Before : W.After)
    if (!isOver(*Before, MayTimeOut && Before->On != W.On))
      return false;
  W.After.clear();
  if (W.Deadline == Clock::time_point::max())
    W.Deadline = Clock::now() + W.TimeOut;
  W.Over = (W.Release && *W.Release != 0) ||
           (MayTimeOut && Clock::now() >= W.Deadline);
  return W.Over;
}

void prune(WorkList &List) {
  std::erase_if(List, [](auto &W) { return isOver(*W, false); });
}

static void waitForOne(State &S, Lock &L, Work &W) {
  const WorkList Before = W.After;
  for (auto &B : Before)
    waitForOne(S, L, *B);
  while (!isOver(W, true))
    // The program sets the release flag without telling anybody.
    S.Changed.wait_for(L, std::chrono::microseconds(200));
}

void waitFor(State &S, Lock &L, const WorkList &List) {
  const WorkList Held = List; // The stream may go while we wait.
  ++S.Waiting;
  for (auto &W : Held)
    waitForOne(S, L, *W);
  --S.Waiting;
}

void waitForDevice(State &S, Lock &L, Device &D) {
  waitFor(S, L, D.Running);
  prune(D.Running);
}

} // namespace standin
