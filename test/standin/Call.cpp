//===- Call.cpp - Around every entry point of the stand-in driver ---------===//

#include "Call.h"

#include "Errors.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <unordered_map>

namespace standin {

Effect effectOf(const std::string &Function) {
  static const std::unordered_map<std::string, Effect> Table = {
#define MODEL(Function, When, Loads) {#Function, {Waits::When, Loads != 0}},
#include "Model.def"
  };
  auto It = Table.find(Function);
  return It == Table.end() ? Effect{} : It->second;
}

bool Call::touch(Device &On, Library &In) {
  if (In.Resident[On.Ordinal])
    return false;
  waitForDevice(S, L, On);
  In.Resident[On.Ordinal] = true;
  return true;
}

void Call::effect(Device &On, Library *In, Kernel *K) {
  const Effect E = effectOf(Function);
  switch (E.When) {
  case Waits::Never:
    break;
  case Waits::Untouched:
    if (In)
      touch(On, *In);
    break;
  case Waits::Touched:
    if (In && In->Resident[On.Ordinal])
      waitForDevice(S, L, On);
    break;
  case Waits::Eager:
    if (!S.Eager)
      break;
    waitForDevice(S, L, On);
    if (In) {
      In->Resident[On.Ordinal] = true;
      for (auto &[Name, Each] : In->Kernels)
        Each->Loaded[On.Ordinal] = true;
    }
    break;
  case Waits::Always:
    waitForDevice(S, L, On);
    if (In)
      In->Resident[On.Ordinal] = true;
    break;
  }
  if (E.Loads && K)
    K->Loaded[On.Ordinal] = true;
}

namespace {

/// "cuKernelGetFunction:2:CUDA_ERROR_OUT_OF_MEMORY,...": the second call of
/// that function fails so; `*` for the number: every call.
class Failures {
public:
  Failures() {
    const char *Text = std::getenv("KPLAN_STANDIN_FAIL");
    std::istringstream In(Text ? Text : "");
    for (std::string Entry; std::getline(In, Entry, ',');) {
      std::istringstream Fields(Entry);
      std::string Function, Number, Error;
      std::getline(Fields, Function, ':');
      std::getline(Fields, Number, ':');
      std::getline(Fields, Error);
      const CUresult Result = errorByName(Error);
      if (Result == CUDA_SUCCESS || Number.empty()) {
        std::fprintf(stderr,
                     "stand-in driver: KPLAN_STANDIN_FAIL: '%s' is not "
                     "FUNCTION:NUMBER:CUDA_ERROR_...\n",
                     Entry.c_str());
        continue;
      }
      Rules[Function].push_back(
          {Number == "*" ? 0 : std::strtoull(Number.c_str(), nullptr, 10),
           Result});
    }
  }

  CUresult next(const std::string &Function) {
    auto It = Rules.find(Function);
    if (It == Rules.end())
      return CUDA_SUCCESS;
    const uint64_t Number = ++Calls[Function];
    for (const Rule &R : It->second)
      if (R.Number == 0 || R.Number == Number)
        return R.Result;
    return CUDA_SUCCESS;
  }

private:
  struct Rule {
    uint64_t Number;
    CUresult Result;
  };
  std::map<std::string, std::vector<Rule>> Rules;
  std::map<std::string, uint64_t> Calls;
};

void log(const Call &C, CUresult Result) {
  static const char *const Path = std::getenv("KPLAN_STANDIN_LOG");
  if (!Path)
    return;
  static std::FILE *const File = std::fopen(Path, "ae");
  if (!File)
    return;
  std::fprintf(File, "%s%s%s = %s\n", C.Function, C.Subject.empty() ? "" : " ",
               C.Subject.c_str(), errorName(Result));
  std::fflush(File);
}

} // namespace

CUresult call(const char *Function, const Body &Do, bool NeedsInit) {
  State &S = State::get();
  Lock L(S.Mutex);
  static Failures *const Fail = new Failures;
  Call C(Function, S, L);
  CUresult Result = Fail->next(Function);
  // What could wait is no call to make while a stream captures in global mode.
  if (Result == CUDA_SUCCESS && S.GlobalCaptures &&
      State::captureMode() != CU_STREAM_CAPTURE_MODE_RELAXED &&
      effectOf(Function).When != Waits::Never)
    Result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (Result == CUDA_SUCCESS)
    Result = NeedsInit && !S.Initialised ? CUDA_ERROR_NOT_INITIALIZED : Do(C);
  log(C, Result);
  return Result;
}

CUresult callOnDevice(const char *Function,
                      const std::function<CUresult(Call &, Device &)> &Do) {
  return call(Function, [&](Call &C) {
    Device *D = C.S.currentDevice();
    return D ? Do(C, *D) : CUDA_ERROR_INVALID_CONTEXT;
  });
}

} // namespace standin
