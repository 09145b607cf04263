//===- CallLog.cpp - Driver calls, as they happen -------------------------===//

#include "hooks/CallLog.h"

#include "hooks/HookObserver.h"
#include "hooks/LineBuffer.h"
#include "hooks/RealDriver.h"

#include <atomic>
#include <ctime>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>

using namespace kplan::runtime::hooks;

namespace {

uint64_t now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 +
         static_cast<uint64_t>(T.tv_nsec);
}

const char *attributeName(CUfunction_attribute A) {
  switch (static_cast<int>(A)) {
#define KPLAN_ATTRIBUTE(Enumerator, Number, PlanName, RuntimeName, Settable)   \
  case Number:                                                                 \
    return PlanName;
#include "plan/Attributes.def"
  default:
    return nullptr;
  }
}

/// Writes the arguments of a call; nothing behind a pointer is read but names.
class ArgumentWriter {
public:
  explicit ArgumentWriter(LineBuffer &Line) : Line(Line) {}

  template <class T> void operator()(const char *Name, const T &Value) {
    Line << (First ? "" : ", ") << Name << "=";
    First = false;
    write(Value);
  }

private:
  void write(const char *Text) { Line.quoted(Text); }
  void write(CUfunction_attribute A) {
    if (const char *Name = attributeName(A))
      Line << Name;
    else
      Line << static_cast<int>(A);
  }
  template <class T> void write(const T &Value) {
    if constexpr (std::is_pointer_v<T>)
      Line << reinterpret_cast<const void *>(Value);
    else if constexpr (std::is_enum_v<T> || std::is_signed_v<T>)
      Line << static_cast<int64_t>(Value);
    else
      Line << static_cast<uint64_t>(Value);
  }

  LineBuffer &Line;
  bool First = true;
};

void writeArguments(LineBuffer &Line, const DriverCall &Call) {
  ArgumentWriter Writer(Line);
  switch (Call.info().Like) {
#define KPLAN_HOOKED(Name, Version, Purpose, ...)                              \
  case DriverFunction::Name:                                                   \
    Call.as<Name##Arguments>()->visit(Writer);                                 \
    break;
#define KPLAN_HOOKED_ALSO(Name, Version, Like, ...)                            \
  case DriverFunction::Name:                                                   \
    break; // Never what another is like.
#include "hooks/DriverFunctions.def"
  }
}

class CallLog final : public HookObserver {
public:
  const char *name() const override { return "log of calls"; }

  std::optional<CUresult> before(const DriverCall &,
                                 uint64_t &Started) override {
    Started = now();
    uint64_t None = 0;
    FirstCall.compare_exchange_strong(None, Started);
    return std::nullopt;
  }

  void after(const DriverCall &Call, CUresult Result,
             uint64_t &Started) override {
    uint64_t Taken = now() - Started;
    LineBuffer Line;
    Line << "[";
    Line.microseconds(Started - FirstCall.load());
    Line << ", thread " << static_cast<int64_t>(syscall(SYS_gettid)) << "] "
         << Call.info().Symbol << "(";
    writeArguments(Line, Call);
    Line << ") = ";
    writeResult(Line, Result);
    Line << ", ";
    Line.microseconds(Taken).write();
  }

private:
  static void writeResult(LineBuffer &Line, CUresult Result) {
    const char *Name = nullptr;
    if (void *Address = loadedDriver().findFunction("cuGetErrorName"))
      reinterpret_cast<decltype(&cuGetErrorName)>(Address)(Result, &Name);
    if (Name)
      Line << Name;
    else
      Line << static_cast<int64_t>(Result);
  }

  std::atomic<uint64_t> FirstCall = 0;
};

constinit CallLog Log;

} // namespace

void kplan::runtime::hooks::addCallLog(Purposes Wanted) {
  addObserver(Log, Wanted);
}
