//===- LiveLog.cpp - Sets and gets, as they happen ------------------------===//

#include "record/LiveLog.h"

#include "hooks/HookObserver.h"
#include "hooks/LineBuffer.h"
#include "plan/Names.h"
#include "record/Clock.h"
#include "record/DriverQuestions.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime::hooks;
using namespace kplan::runtime::record;

namespace {

/// One line's worth, whichever function it was.
struct Access {
  bool Set = false;
  std::string What; ///< "max_dynamic_shared_size_bytes"
  std::string Value;
  std::string Kernel;
  std::optional<CUdevice> Device; ///< None: the current one.
};

std::string attributeName(CUfunction_attribute Which) {
  const AttributeInfo *Info = findAttribute(static_cast<unsigned>(Which));
  return Info ? std::string(Info->PlanName)
              : "attribute " + std::to_string(static_cast<int>(Which));
}

std::string configName(CUfunc_cache Config) {
  std::string_view Name = nameOf(static_cast<CacheConfig>(Config));
  return Name.empty() ? std::to_string(static_cast<int>(Config))
                      : std::string(Name);
}

template <class H> std::string named(std::string Name, H Handle) {
  if (!Name.empty())
    return Name;
  LineBuffer Text;
  Text << reinterpret_cast<const void *>(Handle);
  return std::string(Text.text().substr(std::strlen("kplan: ")));
}

std::optional<Access> accessOf(const DriverCall &Call, CUresult Result) {
  auto Got = [&](const int *Value) {
    return Result == CUDA_SUCCESS && Value ? std::to_string(*Value) : "?";
  };
  Access Out;
  if (auto *A = Call.as<KernelSetAttributeArguments>())
    Out = {true, attributeName(A->attrib), std::to_string(A->val),
           named(nameOfKernel(A->kernel), A->kernel), A->dev};
  else if (auto *B = Call.as<KernelGetAttributeArguments>())
    Out = {false, attributeName(B->attrib), Got(B->pi),
           named(nameOfKernel(B->kernel), B->kernel), B->dev};
  else if (auto *C = Call.as<FuncSetAttributeArguments>())
    Out = {true, attributeName(C->attrib), std::to_string(C->value),
           named(nameOfFunction(C->hfunc), C->hfunc), std::nullopt};
  else if (auto *D = Call.as<FuncGetAttributeArguments>())
    Out = {false, attributeName(D->attrib), Got(D->pi),
           named(nameOfFunction(D->hfunc), D->hfunc), std::nullopt};
  else if (auto *E = Call.as<KernelSetCacheConfigArguments>())
    Out = {true, "cache_config", configName(E->config),
           named(nameOfKernel(E->kernel), E->kernel), E->dev};
  else if (auto *F = Call.as<FuncSetCacheConfigArguments>())
    Out = {true, "cache_config", configName(F->config),
           named(nameOfFunction(F->hfunc), F->hfunc), std::nullopt};
  else
    return std::nullopt;
  return Out;
}

class LiveLog final : public HookObserver {
public:
  const char *name() const override { return "live log"; }
  bool start();

  std::optional<CUresult> before(const DriverCall &, uint64_t &At) override {
    At = now();
    return std::nullopt;
  }
  void after(const DriverCall &Call, CUresult Result, uint64_t &At) override;

private:
  uint64_t TraceBegan = 0;
};

constinit LiveLog TheLiveLog;

} // namespace

bool LiveLog::start() {
  const char *Text = secure_getenv("KPLAN_TRACE_LIVE");
  if (!Text)
    return false;
  const char *End = Text + std::strlen(Text);
  auto Read = std::from_chars(Text, End, TraceBegan);
  return Read.ec == std::errc() && Read.ptr == End;
}

void LiveLog::after(const DriverCall &Call, CUresult Result, uint64_t &At) {
  const uint64_t Taken = now() - At;
  auto What = accessOf(Call, Result);
  if (!What)
    return;
  auto Device = What->Device ? What->Device : currentDevice();
  LineBuffer Line;
  Line << "[";
  Line.microseconds(At - std::min(At, TraceBegan))
      << ", process " << static_cast<int64_t>(getpid()) << ", thread "
      << static_cast<int64_t>(syscall(SYS_gettid)) << "] "
      << (What->Set ? "set " : "get ") << What->What << " = " << What->Value
      << " of " << What->Kernel << " on device ";
  if (Device)
    Line << static_cast<int64_t>(*Device);
  else
    Line << "?";
  if (Result != CUDA_SUCCESS)
    Line << ": " << nameOfResult(Result);
  (Line << ", ").microseconds(Taken).write();
}

void kplan::runtime::record::addLiveLog() {
  if (TheLiveLog.start() &&
      !addObserver(TheLiveLog, Purposes(Purpose::Set) | Purpose::Touch))
    (LineBuffer() << "no live trace: there are too many observers").write();
}
