//===- Context.cpp - Working in the program's context ---------------------===//

#include "Context.h"

#include "LinkUnit.h"

#include <utility>

using namespace kplan;
using namespace kplan::runtime;

RelaxedCapture::RelaxedCapture(const DriverApi &Api) : Api(Api) {
  Exchanged = Api.ThreadExchangeStreamCaptureMode(&Mode) == CUDA_SUCCESS;
}

RelaxedCapture::~RelaxedCapture() {
  if (Exchanged)
    Api.ThreadExchangeStreamCaptureMode(&Mode);
}

CurrentContext::CurrentContext(const DriverApi &Api, CUcontext Context)
    : Api(Api), Error(Api.CtxPushCurrent(Context)) {}

CurrentContext::~CurrentContext() {
  CUcontext Popped;
  if (Error == CUDA_SUCCESS)
    Api.CtxPopCurrent(&Popped);
}

PrimaryReference::PrimaryReference(const DriverApi &Api, CUdevice Device)
    : Api(Api), Device(Device) {
  unsigned Flags = 0;
  int Active = 0;
  if (Api.DevicePrimaryCtxGetState(Device, &Flags, &Active) != CUDA_SUCCESS ||
      !Active)
    return;
  if (Api.DevicePrimaryCtxRetain(&Context, Device) != CUDA_SUCCESS) {
    Context = nullptr;
    return;
  }
  unsigned long long Found = 0;
  if (Api.CtxGetId(Context, &Found) == CUDA_SUCCESS)
    Id = Found;
}

PrimaryReference::~PrimaryReference() {
  if (Context)
    Api.DevicePrimaryCtxRelease(Device);
}

PrimeContext::PrimeContext(const DriverApi &Api, int Requested,
                           const kplan_link_unit *Unit)
    : Api(Api) {
  CUresult Asked = Api.CtxGetCurrent(&Original);
  // A driver that nobody has initialised yet has none current.
  OriginalKnown = Asked == CUDA_SUCCESS || Asked == CUDA_ERROR_NOT_INITIALIZED;
  if (Asked != CUDA_SUCCESS)
    Original = nullptr;

  // The CUDA runtime makes a primary context current before it activates it;
  // such a context has a device, but no id, and nothing can be done in it.
  CUdevice Current = -1;
  unsigned long long Id = 0;
  if (Original && Api.CtxGetDevice(&Current) == CUDA_SUCCESS &&
      Api.CtxGetId(Original, &Id) == CUDA_SUCCESS &&
      (Requested < 0 || Requested == Current)) {
    Context = Original;
    Device = Current;
  } else {
    chooseDevice(Requested, Unit);
    if (!Error)
      enterPrimary(Unit);
  }
  if (!Error)
    identify();
}

PrimeContext::~PrimeContext() {
  Pushed.reset();
  // The CUDA runtime may have bound a context to the thread meanwhile.
  CUcontext Now = nullptr;
  if (OriginalKnown && Api.CtxGetCurrent(&Now) == CUDA_SUCCESS &&
      Now != Original)
    Api.CtxSetCurrent(Original);
}

void PrimeContext::fail(Diagnostic Why, kplan_status With) {
  Error = std::move(Why);
  Status = With;
}

void PrimeContext::chooseDevice(int Requested, const kplan_link_unit *Unit) {
  int Ordinal = Requested;
  if (Ordinal < 0) {
    if (!Unit)
      return fail(makeError("no context is current, and the program has no "
                            "CUDA runtime with device code that could make one",
                            "make a context current, or name a device whose "
                            "primary context is active"));
    Result<int> Current = getDevice(*Unit);
    if (!Current)
      return fail(Current.errors().front());
    Ordinal = *Current;
  }
  // The driver may not be initialised yet, and the CUDA runtime counts devices
  // as the driver does, so this is a check that is made where it can be.
  Device = Ordinal;
  CUresult Code = Api.DeviceGet(&Device, Ordinal);
  if (Code != CUDA_SUCCESS && Code != CUDA_ERROR_NOT_INITIALIZED)
    fail(makeError(Api.describe(Code, "cuDeviceGet")));
}

void PrimeContext::enterPrimary(const kplan_link_unit *Unit) {
  Primary.emplace(Api, Device);
  if (!Primary->context() && Unit) {
    if (Result<int> Initialised = initDevice(*Unit, Device); !Initialised)
      return fail(Initialised.errors().front());
    Primary.emplace(Api, Device);
  }
  if (!Primary->context())
    return fail(makeError("the primary context of device " +
                              std::to_string(Device) + " is not active",
                          "create it before priming"));
  Context = Primary->context();
  Pushed.emplace(Api, Context);
  if (CUresult Code = Pushed->error())
    fail(makeError(Api.describe(Code, "cuCtxPushCurrent")), KPLAN_ERROR_DRIVER);
}

void PrimeContext::identify() {
  if (!Primary)
    Primary.emplace(Api, Device);
  if (Primary->context() == Context) {
    Kind = ContextKind::Primary;
    HomeId = Primary->id();
    return;
  }
  // Only a stream tells whether a context is green.
  bool Green = false;
  CUstream Stream = nullptr;
  if (Primary->context() && Api.StreamGetGreenCtx &&
      Api.StreamCreate(&Stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS) {
    CUgreenCtx Owner = nullptr;
    Green = Api.StreamGetGreenCtx(Stream, &Owner) == CUDA_SUCCESS && Owner;
    Api.StreamDestroy(Stream);
  }
  Kind = Green ? ContextKind::Green : ContextKind::Private;
  unsigned long long Own = 0;
  if (!Green && Api.CtxGetId(Context, &Own) != CUDA_SUCCESS)
    Own = 0;
  HomeId = Green ? Primary->id() : Own;
}
