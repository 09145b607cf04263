//===- Context.h - Working in the program's context -----------------------===//
//
// Part of kplan. Scopes that let the runtime work in a context of the program
// and leave the thread as it was: the context stack, the current context, the
// stream capture mode, and the references on the primary context.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_CONTEXT_H
#define KPLAN_RUNTIME_CONTEXT_H

#include "DriverApi.h"
#include "kplan/kplan.h"
#include "link/LinkAbi.h"
#include "plan/Diagnostic.h"

#include <cstdint>
#include <optional>

namespace kplan::runtime {

/// While another thread captures a graph in global mode, calls that could
/// disturb a capture fail on every thread that is not in relaxed mode.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const DriverApi &Api);
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const DriverApi &Api;
  CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  bool Exchanged = false;
};

/// A context is current for the scope and popped again at its end.
class CurrentContext {
public:
  CurrentContext(const DriverApi &Api, CUcontext Context);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

  CUresult error() const { return Error; }

private:
  const DriverApi &Api;
  CUresult Error;
};

/// A reference on a device's primary context, for the scope. Taken only where
/// the context is active: it never creates one.
class PrimaryReference {
public:
  PrimaryReference(const DriverApi &Api, CUdevice Device);
  ~PrimaryReference();
  PrimaryReference(const PrimaryReference &) = delete;
  PrimaryReference &operator=(const PrimaryReference &) = delete;

  /// Null: not active, or it could not be had.
  CUcontext context() const { return Context; }
  /// Of the context; 0 where there is none. A reset makes a new id.
  uint64_t id() const { return Id; }

private:
  const DriverApi &Api;
  CUdevice Device;
  CUcontext Context = nullptr;
  uint64_t Id = 0;
};

/// What is made resident in the primary context holds for the green contexts
/// of the device and the other way round; another context is on its own.
enum class ContextKind { Primary, Green, Private };

/// The context that is primed, current on the calling thread for the scope.
class PrimeContext {
public:
  /// \param Requested device ordinal, or -1: see kplan.h.
  /// \param Unit the CUDA runtime that may create the primary context; null:
  ///   the program has none that kplan knows of.
  PrimeContext(const DriverApi &Api, int Requested,
               const kplan_link_unit *Unit);
  ~PrimeContext();
  PrimeContext(const PrimeContext &) = delete;
  PrimeContext &operator=(const PrimeContext &) = delete;

  /// Why there is none; with status(), all that may be looked at then.
  const std::optional<Diagnostic> &error() const { return Error; }
  kplan_status status() const { return Status; }

  CUcontext context() const { return Context; }
  CUdevice device() const { return Device; }
  ContextKind kind() const { return Kind; }
  /// Identifies what residency belongs to: the id of the device's primary
  /// context, or that of a private one.
  uint64_t homeId() const { return HomeId; }

private:
  void chooseDevice(int Requested, const kplan_link_unit *Unit);
  void fail(Diagnostic Why, kplan_status With = KPLAN_ERROR_NO_CONTEXT);
  void enterPrimary(const kplan_link_unit *Unit);
  void identify();

  const DriverApi &Api;
  CUcontext Original = nullptr;
  bool OriginalKnown = false;
  CUcontext Context = nullptr;
  CUdevice Device = -1;
  ContextKind Kind = ContextKind::Primary;
  uint64_t HomeId = 0;
  std::optional<Diagnostic> Error;
  kplan_status Status = KPLAN_OK;
  std::optional<PrimaryReference> Primary;
  std::optional<CurrentContext> Pushed;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_CONTEXT_H
