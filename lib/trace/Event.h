//===- Event.h - What a recording holds -----------------------------------===//
//
// Part of kplan. The recorder in a traced process appends events to a file, one
// line each; the analysis reads them in that order. Each struct lists its
// fields once, for the writer and the reader. Handles are the driver's, as
// numbers: one may stand for another thing after an unload.
//
//   load handle=93824 by=library image=xxh3:9f... kind=cubin store=images/...
//   kernel handle=93952 library=93824 symbol=_Z4gemmPf
//   use handle=93952 how=launch
//
// With times (kplan trace --record) there is also a line for each driver call,
// thread, stream, priming, seal and escape. Times are CLOCK_MONOTONIC's, in
// nanoseconds: one clock for all processes of a machine.
//
// In values, bytes other than printable ASCII, and space, `%`, `,` and `=`, are
// written as %XX. A field that is 0 or empty is left out.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TRACE_EVENT_H
#define KPLAN_TRACE_EVENT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kplan::trace {

inline constexpr uint64_t RecordingVersion = 2;

/// The first line.
struct ProcessEvent {
  static constexpr std::string_view Word = "process";
  uint64_t Version = 0; ///< RecordingVersion.
  uint64_t Id = 0;
  std::string Program;
  uint64_t At = 0;   ///< When it was written, in both clocks.
  uint64_t Date = 0; ///< Nanoseconds since 1970.

  template <class V> void visit(V &&Field) {
    Field("version", Version);
    Field("id", Id);
    Field("program", Program);
    Field("at", At);
    Field("date", Date);
  }
};

struct DriverEvent {
  static constexpr std::string_view Word = "driver";
  std::string Version; ///< "580.159.04"
  std::string Loading; ///< "lazy" or "eager"

  template <class V> void visit(V &&Field) {
    Field("version", Version);
    Field("loading", Loading);
  }
};

struct DeviceEvent {
  static constexpr std::string_view Word = "device";
  uint64_t Ordinal = 0;
  std::string Name;
  uint64_t Sms = 0;
  uint64_t Arch = 0; ///< 90 for compute capability 9.0.

  template <class V> void visit(V &&Field) {
    Field("ordinal", Ordinal);
    Field("name", Name);
    Field("sms", Sms);
    Field("arch", Arch);
  }
};

struct ContextEvent {
  static constexpr std::string_view Word = "context";
  std::string Kind; ///< "primary", "created" or "green"
  uint64_t Device = 0;

  template <class V> void visit(V &&Field) {
    Field("kind", Kind);
    Field("device", Device);
  }
};

/// A library or module was loaded.
struct LoadEvent {
  static constexpr std::string_view Word = "load";
  uint64_t Handle = 0;
  std::string By;    ///< As a plan's loader: "library" or "module".
  std::string Image; ///< Content id; empty: see Unknown.
  std::string Kind;  ///< As in a plan.
  // Its origin: either a path in the store, or a range of a file.
  std::string Store;
  std::string File;
  std::string BuildId;
  uint64_t Offset = 0;
  uint64_t Size = 0;
  /// Names in a plan and values, in turn.
  std::vector<std::string> Options;
  /// Names of options that cannot be written down.
  std::vector<std::string> Unwritten;
  uint64_t Wrapper = 0; ///< Version of the wrapper that it was given in.
  std::string Unknown;  ///< Why the image, or where it lies, is not known.

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("by", By);
    Field("image", Image);
    Field("kind", Kind);
    Field("store", Store);
    Field("file", File);
    Field("build_id", BuildId);
    Field("offset", Offset);
    Field("size", Size);
    Field("options", Options);
    Field("unwritten", Unwritten);
    Field("wrapper", Wrapper);
    Field("unknown", Unknown);
  }
};

/// Written before the driver unloads it, since its handle may be given out
/// again at once; Failed: it is still there after all.
struct UnloadEvent {
  static constexpr std::string_view Word = "unload";
  std::string By;
  uint64_t Handle = 0;
  uint64_t Failed = 0;

  template <class V> void visit(V &&Field) {
    Field("by", By);
    Field("handle", Handle);
    Field("failed", Failed);
  }
};

/// The module of a library in some context.
struct ModuleEvent {
  static constexpr std::string_view Word = "module";
  uint64_t Handle = 0;
  uint64_t Library = 0;

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("library", Library);
  }
};

struct KernelEvent {
  static constexpr std::string_view Word = "kernel";
  uint64_t Handle = 0;
  uint64_t Library = 0; ///< 0: not known.
  std::string Symbol;

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("library", Library);
    Field("symbol", Symbol);
  }
};

/// A function of a module, or of a kernel in some context.
struct FunctionEvent {
  static constexpr std::string_view Word = "function";
  uint64_t Handle = 0;
  uint64_t Kernel = 0; ///< Either this
  uint64_t Module = 0; ///< or these.
  std::string Symbol;

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("kernel", Kernel);
    Field("module", Module);
    Field("symbol", Symbol);
  }
};

/// A kernel or function was touched or launched for the first time.
struct UseEvent {
  static constexpr std::string_view Word = "use";
  uint64_t Handle = 0;
  std::string How; ///< "launch" or "touch"

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("how", How);
  }
};

/// Local memory per thread, as the driver says.
struct LocalEvent {
  static constexpr std::string_view Word = "local";
  uint64_t Handle = 0;
  uint64_t Bytes = 0;

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("bytes", Bytes);
  }
};

struct SetEvent {
  static constexpr std::string_view Word = "set";
  uint64_t Handle = 0;
  uint64_t Attribute = 0; ///< CUfunction_attribute
  int64_t Value = 0;

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("attribute", Attribute);
    Field("value", Value);
  }
};

struct CacheEvent {
  static constexpr std::string_view Word = "cache";
  uint64_t Handle = 0;
  uint64_t Config = 0; ///< CUfunc_cache

  template <class V> void visit(V &&Field) {
    Field("handle", Handle);
    Field("config", Config);
  }
};

struct GlobalEvent {
  static constexpr std::string_view Word = "global";
  std::string By; ///< Whose handle it is: "library" or "module".
  uint64_t Handle = 0;
  std::string Symbol;

  template <class V> void visit(V &&Field) {
    Field("by", By);
    Field("handle", Handle);
    Field("symbol", Symbol);
  }
};

struct LimitEvent {
  static constexpr std::string_view Word = "limit";
  uint64_t Number = 0; ///< CUlimit
  uint64_t Value = 0;

  template <class V> void visit(V &&Field) {
    Field("number", Number);
    Field("value", Value);
  }
};

struct StallEvent {
  static constexpr std::string_view Word = "stall";
  std::string Api;
  uint64_t Handle = 0; ///< Of a kernel or function; 0: about none.
  uint64_t Nanoseconds = 0;
  uint64_t Thread = 0; ///< The system's number.
  uint64_t Stream = 0; ///< Number of the stream it was made for; 0: none.
  /// Numbers of other streams that had work in flight when it began.
  std::vector<std::string> InFlight;
  /// It waited behind another thread's first use.
  uint64_t Behind = 0;

  template <class V> void visit(V &&Field) {
    Field("api", Api);
    Field("handle", Handle);
    Field("ns", Nanoseconds);
    Field("thread", Thread);
    Field("stream", Stream);
    Field("in_flight", InFlight);
    Field("behind", Behind);
  }
};

// What follows is written with times only.

/// One driver call that is hooked.
struct CallEvent {
  static constexpr std::string_view Word = "call";
  uint64_t At = 0; ///< When it began.
  uint64_t Nanoseconds = 0;
  uint64_t Thread = 0; ///< The system's number.
  std::string Api;
  std::string Purpose; ///< What it is hooked for: "launch", "load", ...
  uint64_t Handle = 0; ///< Of a kernel or function; 0: about none.
  uint64_t Owner = 0;  ///< Of a library or module; 0: about none.
  std::string Symbol;  ///< What was looked up by name.
  uint64_t Stream = 0; ///< Number of the stream it was made for; 0: none.
  uint64_t First = 0;  ///< Nothing like it was seen in this process before.
  std::string Error;   ///< "CUDA_ERROR_..."; empty: it succeeded.
  std::vector<std::string> InFlight; ///< As in StallEvent.
  /// A StallEvent follows.
  uint64_t Stall = 0;
  uint64_t Behind = 0; ///< As in StallEvent.

  template <class V> void visit(V &&Field) {
    Field("at", At);
    Field("ns", Nanoseconds);
    Field("thread", Thread);
    Field("api", Api);
    Field("purpose", Purpose);
    Field("handle", Handle);
    Field("owner", Owner);
    Field("symbol", Symbol);
    Field("stream", Stream);
    Field("first", First);
    Field("error", Error);
    Field("in_flight", InFlight);
    Field("stall", Stall);
    Field("behind", Behind);
  }
};

struct ThreadEvent {
  static constexpr std::string_view Word = "thread";
  uint64_t Number = 0; ///< The system's.
  std::string Name;    ///< As it was at its first recorded call.

  template <class V> void visit(V &&Field) {
    Field("number", Number);
    Field("name", Name);
  }
};

struct StreamEvent {
  static constexpr std::string_view Word = "stream";
  uint64_t Number = 0; ///< From 1, as they were first launched on.
  uint64_t Default = 0;
  uint64_t Device = 0;

  template <class V> void visit(V &&Field) {
    Field("number", Number);
    Field("default", Default);
    Field("device", Device);
  }
};

/// A plan was primed, or an attempt made.
struct PrimeEvent {
  static constexpr std::string_view Word = "prime";
  uint64_t At = 0;
  uint64_t Nanoseconds = 0;
  uint64_t Thread = 0;
  uint64_t Libraries = 0; ///< And the next: as in kplan_report.
  uint64_t Functions = 0;
  uint64_t Attributes = 0;
  uint64_t Globals = 0;
  uint64_t Images = 0;
  uint64_t DeviceBytes = 0;
  uint64_t Missing = 0; ///< Entries that could not be placed.
  std::string Failure;  ///< Why it stopped; empty: it did not.

  template <class V> void visit(V &&Field) {
    Field("at", At);
    Field("ns", Nanoseconds);
    Field("thread", Thread);
    Field("libraries", Libraries);
    Field("functions", Functions);
    Field("attributes", Attributes);
    Field("globals", Globals);
    Field("images", Images);
    Field("device_bytes", DeviceBytes);
    Field("missing", Missing);
    Field("failure", Failure);
  }
};

struct SealEvent {
  static constexpr std::string_view Word = "seal";
  uint64_t At = 0;
  uint64_t Unseal = 0; ///< It ends.

  template <class V> void visit(V &&Field) {
    Field("at", At);
    Field("unseal", Unseal);
  }
};

/// A first use after the seal; fields as in runtime/escapes/Escape.h.
struct EscapeEvent {
  static constexpr std::string_view Word = "escape";
  std::string Kind; ///< "load", "touch" or "free"
  std::string Api;  ///< Empty: it was only found to have happened.
  std::string Symbol;
  std::string Image;
  uint64_t Thread = 0;
  uint64_t At = 0; ///< 0: not known.
  uint64_t Nanoseconds = 0;

  template <class V> void visit(V &&Field) {
    Field("kind", Kind);
    Field("api", Api);
    Field("symbol", Symbol);
    Field("image", Image);
    Field("thread", Thread);
    Field("at", At);
    Field("ns", Nanoseconds);
  }
};

using Event =
    std::variant<ProcessEvent, DriverEvent, DeviceEvent, ContextEvent,
                 LoadEvent, UnloadEvent, ModuleEvent, KernelEvent,
                 FunctionEvent, UseEvent, LocalEvent, SetEvent, CacheEvent,
                 GlobalEvent, LimitEvent, StallEvent, CallEvent, ThreadEvent,
                 StreamEvent, PrimeEvent, SealEvent, EscapeEvent>;

/// Whether a call that is slow only unpacks code: under lazy loading, loading a
/// library takes milliseconds, and nothing waits before its first use.
bool onlyUnpacks(const DriverEvent &Driver, std::string_view Api);

/// One line, its end included.
std::string encode(const Event &E);

/// A line without its end. None: it is no event, or has other fields, or a
/// field twice.
std::optional<Event> decode(std::string_view Line);

} // namespace kplan::trace

#endif // KPLAN_TRACE_EVENT_H
