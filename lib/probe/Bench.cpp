//===- Bench.cpp - One call beside a running kernel -----------------------===//

#include "probe/Bench.h"

#include "probe/Worker.h"

#include <chrono>

#define CU(Name, ...) KPLAN_PROBE_CALL(*this, Name, __VA_ARGS__)

namespace kplan::probe {

bool isSimulated(const Driver &Api, CUdevice Device) {
  char Name[256] = "";
  return Api.DeviceGetName &&
         Api.DeviceGetName(Name, sizeof Name, Device) == CUDA_SUCCESS &&
         std::string(Name).find("stand-in") != std::string::npos;
}

void Bench::fail(const std::string &Why) { endWorker(Ending::Failed, Why); }
void Bench::giveUp(const std::string &Why) {
  endWorker(Ending::NotMeasurable, Why);
}

Bench::Bench(const Driver &Api, const Setting &Use, const CodeSet &Code)
    : Api(Api), Use(Use), Code(Code) {
  CU(DeviceGet, &Device, Use.Device);
  Simulated = isSimulated(Api, Device);
  CU(DevicePrimaryCtxRetain, &Primary, Device);
  CU(CtxSetCurrent, Primary);
  Split = split();
  if (Split.SmsA > MostSms)
    fail("the device has more SMs than expected");
  void *Mapped = nullptr;
  CU(MemHostAlloc, &Mapped, (MostSms + 3) * sizeof(int),
     CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
  Release = static_cast<volatile int *>(Mapped);
  Ended = Release + 1;
  Out = const_cast<int *>(Release + 2);
  Started = Release + 3;
  CUmodule Module = nullptr;
  CU(ModuleLoadData, &Module, code(Text::Hold));
  CU(ModuleGetFunction, &Hold, Module, HoldSymbol);
  CU(StreamCreate, &PrimaryStream, CU_STREAM_NON_BLOCKING);
  // Once for nothing, so that the blocking kernel has no first use.
  startHold(0);
  *Release = 1;
  CU(StreamSynchronize, Split.StreamA);
}

Halves Bench::split() const {
  CUdevResource All{};
  const bool CanSplit =
      Api.DeviceGetDevResource && Api.DevSmResourceSplitByCount &&
      Api.DevResourceGenerateDesc && Api.GreenCtxCreate &&
      Api.CtxFromGreenCtx && Api.GreenCtxStreamCreate &&
      Api.DeviceGetDevResource(Device, &All, CU_DEV_RESOURCE_TYPE_SM) ==
          CUDA_SUCCESS;
  if (CanSplit && !Use.TwoStreams)
    return splitGreen(All);
  int Sms = 0;
  CU(DeviceGetAttribute, &Sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
     Device);
  Halves H;
  H.B = Primary;
  CU(StreamCreate, &H.StreamA, CU_STREAM_NON_BLOCKING);
  CU(StreamCreate, &H.StreamB, CU_STREAM_NON_BLOCKING);
  H.SmsA = static_cast<unsigned>(Sms > 1 ? Sms / 2 : 1);
  H.SmsB = static_cast<unsigned>(Sms) - H.SmsA;
  return H;
}

Halves Bench::splitGreen(const CUdevResource &All) const {
  Halves H;
  H.Green = true;
  CUdevResource PartA{}, PartB{};
  unsigned Groups = 1;
  // A count between two steps of 8 would be rounded up, at B's cost.
  CU(DevSmResourceSplitByCount, &PartA, &Groups, &All, &PartB, 0U,
     All.sm.smCount / 16 * 8);
  auto Create = [&](CUdevResource &Part, CUcontext &Context, CUstream &Stream) {
    CUdevResourceDesc Descriptor = nullptr;
    CU(DevResourceGenerateDesc, &Descriptor, &Part, 1U);
    CUgreenCtx Green = nullptr;
    CU(GreenCtxCreate, &Green, Descriptor, Device, CU_GREEN_CTX_DEFAULT_STREAM);
    CU(CtxFromGreenCtx, &Context, Green);
    CU(GreenCtxStreamCreate, &Stream, Green, CU_STREAM_NON_BLOCKING, 0);
    return Part.sm.smCount;
  };
  CUcontext A = nullptr;
  H.SmsA = Create(PartA, A, H.StreamA);
  H.SmsB = Create(PartB, H.B, H.StreamB);
  return H;
}

bool Bench::holds() const {
  return *Ended == 0 && Api.StreamQuery(Split.StreamA) == CUDA_ERROR_NOT_READY;
}

void Bench::startHold(double Milliseconds) {
  *Release = 0;
  *Ended = 0;
  for (unsigned I = 0; I < Split.SmsA; ++I)
    Started[I] = 0;
  auto Nanoseconds = static_cast<unsigned long long>(Milliseconds * 1e6);
  const volatile int *ReleaseArgument = Release, *StartedArgument = Started,
                     *EndedArgument = Ended;
  void *Arguments[] = {static_cast<void *>(&ReleaseArgument), &Nanoseconds,
                       static_cast<void *>(&StartedArgument),
                       static_cast<void *>(&EndedArgument)};
  onPrimary([&] {
    CU(LaunchKernel, Hold, Split.SmsA, 1U, 1U, 1U, 1U, 1U, 0U, Split.StreamA,
       Arguments, nullptr);
  });
  if (Simulated) // no device code runs that could say so
    return;
  for (unsigned I = 0; I < Split.SmsA; ++I)
    while (Started[I] == 0)
      if (Api.StreamQuery(Split.StreamA) != CUDA_ERROR_NOT_READY &&
          Started[I] == 0)
        fail("the neighbour's kernel ended before all of it had started");
}

Sample Bench::measure(const std::function<void()> &Call) {
  startHold(Use.HoldMs);
  const auto Begin = std::chrono::steady_clock::now();
  auto Elapsed = [&] {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - Begin)
        .count();
  };
  Sample S;
  Call();
  S.HostMs = Elapsed();
  const bool Returned = holds();
  CUresult Done;
  while ((Done = Api.StreamQuery(Split.StreamB)) == CUDA_ERROR_NOT_READY)
    ; // the parent ends this process where it takes too long
  if (Done != CUDA_SUCCESS)
    fail(Api.describe(Done, "cuStreamQuery"));
  S.DoneMs = Elapsed();
  const bool DoneBefore = holds();
  *Release = 1;
  CU(StreamSynchronize, Split.StreamA);
  S.What = !Returned     ? Verdict::HostStall
           : !DoneBefore ? Verdict::DeviceStall
                         : Verdict::Ok;
  const double Waited = S.What == Verdict::HostStall ? S.HostMs : S.DoneMs;
  if (S.What != Verdict::Ok && Waited < StallFraction * Use.HoldMs)
    fail("the neighbour's kernel ended early");
  if (!Measured)
    Result = S;
  Measured = true;
  return S;
}

void Bench::note(const std::string &Text) {
  Note += (Note.empty() ? "" : "; ") + Text;
}

void Bench::on(CUcontext Context, const std::function<void()> &Body) const {
  CU(CtxPushCurrent, Context);
  Body();
  CU(CtxPopCurrent, nullptr);
}

const char *Bench::code(Text Which) const {
  const std::string &Bytes = Code[static_cast<size_t>(Which)];
  if (Bytes.empty())
    giveUp(Which == Text::Parent
               ? "not measurable without cudadevrt: name libcudadevrt.a with "
                 "--cudadevrt"
               : "the driver could not compile the row's code");
  return Bytes.c_str();
}

size_t Bench::freeBytes() const {
  size_t Free = 0, Total = 0;
  CU(MemGetInfo, &Free, &Total);
  return Free;
}

CUdevice Bench::otherDevice() const {
  int Count = 0;
  CU(DeviceGetCount, &Count);
  if (Count < 2)
    giveUp("this machine has one GPU");
  CUdevice Other = 0;
  CU(DeviceGet, &Other, Use.Device == 0 ? 1 : 0);
  return Other;
}

} // namespace kplan::probe
