//===- Worker.cpp - A process that measures one row -----------------------===//

#include "probe/Worker.h"

#include "probe/Bench.h"
#include "probe/Compile.h"
#include "probe/Rows.h"
#include "probe/Steps.h"

#include <charconv>
#include <cstdio>
#include <unistd.h>
#include <vector>

namespace kplan::probe {

//===----------------------------------------------------------------------===//
// The line: a mark and fields, between tabs.
//===----------------------------------------------------------------------===//

static constexpr std::string_view Mark = "\n@kplan-probe";

[[noreturn]] static void writeAndEnd(const std::vector<std::string> &Fields) {
  std::string Line(Mark);
  for (std::string Field : Fields) {
    for (char &C : Field)
      if (static_cast<unsigned char>(C) < ' ')
        C = ' ';
    Line += '\t' + Field;
  }
  Line += '\n';
  std::fwrite(Line.data(), 1, Line.size(), stdout);
  std::fflush(stdout);
  ::_exit(0);
}

static std::vector<std::string> readFields(std::string_view Output) {
  size_t At = Output.rfind(Mark);
  if (At == std::string_view::npos)
    return {};
  Output.remove_prefix(At + 1);
  const size_t End = Output.find('\n');
  if (End == std::string_view::npos)
    return {}; // cut off
  Output = Output.substr(0, End);
  std::vector<std::string> Fields;
  while ((At = Output.find('\t')) != std::string_view::npos) {
    Output.remove_prefix(At + 1);
    Fields.emplace_back(Output.substr(0, Output.find('\t')));
  }
  return Fields;
}

template <typename T> static T number(const std::string &Text) {
  T Value{};
  std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Value;
}

static std::string milliseconds(double Value) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.4f", Value);
  return Text;
}

void endWorker(Ending How, const std::string &Why) {
  writeAndEnd(
      {How == Ending::Failed ? "failed" : "not measurable", "0", "0", Why});
}

std::optional<Measurement> readMeasurement(std::string_view Output) {
  const auto Fields = readFields(Output);
  if (Fields.size() != 4)
    return std::nullopt;
  Measurement M;
  M.Verdict = Fields[0];
  M.HostMs = number<double>(Fields[1]);
  M.DoneMs = number<double>(Fields[2]);
  M.Note = Fields[3];
  M.Runs = M.Agree = 1;
  return M;
}

std::optional<Prepared> readPrepared(std::string_view Output) {
  const auto F = readFields(Output);
  if (F.size() != 9)
    return std::nullopt;
  Prepared P;
  P.On.Gpu = F[0];
  P.On.Arch = F[1];
  P.On.Driver = F[2];
  P.On.Cuda = F[3];
  P.On.Sms = number<unsigned>(F[4]);
  P.On.Devices = number<unsigned>(F[5]);
  P.On.Simulated = F[6] == "1";
  P.Beside.Sms = number<unsigned>(F[7]);
  P.Beside.Green = F[8] == "1";
  return P;
}

//===----------------------------------------------------------------------===//
// The work.
//===----------------------------------------------------------------------===//

static Driver driverOrEnd() {
  auto Api = loadDriver();
  if (!Api)
    endWorker(Ending::Failed, Api.errors().front().Message);
  return *Api;
}

static int attribute(const Driver &Api, CUdevice_attribute Which,
                     CUdevice Device) {
  int Value = 0;
  if (!Api.DeviceGetAttribute ||
      Api.DeviceGetAttribute(&Value, Which, Device) != CUDA_SUCCESS)
    return 0;
  return Value;
}

void prepareInWorker(const Setting &Use, int File) {
  const Driver Api = driverOrEnd();
  int Devices = 0, Version = 0;
  CUdevice Device = 0;
  if (!Api.DeviceGetCount || !Api.DeviceGet || !Api.DevicePrimaryCtxRetain ||
      !Api.CtxSetCurrent || Api.DeviceGetCount(&Devices) != CUDA_SUCCESS)
    endWorker(Ending::Failed, "the driver names no devices");
  if (Use.Device >= Devices || Api.DeviceGet(&Device, Use.Device))
    endWorker(Ending::Failed, "there is no device " +
                                  std::to_string(Use.Device) + ": " +
                                  std::to_string(Devices) + " are here");
  CUcontext Context = nullptr;
  if (CUresult Error = Api.DevicePrimaryCtxRetain(&Context, Device))
    endWorker(Ending::Failed, Api.describe(Error, "cuDevicePrimaryCtxRetain"));
  Api.CtxSetCurrent(Context);
  CodeSet Code;
  for (size_t I = 0; I < TextCount; ++I) {
    const Text Which = static_cast<Text>(I);
    const bool NeedsLibrary = Which == Text::Parent;
    if (NeedsLibrary && Use.CudaDeviceRuntime.empty())
      continue;
    auto Compiled =
        compile(Api, Which, NeedsLibrary ? Use.CudaDeviceRuntime : "");
    if (!Compiled)
      endWorker(Ending::Failed, "the driver cannot compile the probe's code: " +
                                    Compiled.errors().front().Message);
    Code[I] = std::move(*Compiled);
  }
  if (auto Error = writeCode(File, Code))
    endWorker(Ending::Failed, Error->Message);
  // How the device is divided is found out by dividing it.
  const Bench B(Api, Use, Code);
  if (Api.DriverGetVersion)
    Api.DriverGetVersion(&Version);
  char Name[256] = "";
  if (Api.DeviceGetName)
    Api.DeviceGetName(Name, sizeof Name, Device);
  const int Major = attribute(Api, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                              Device),
            Minor = attribute(Api, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                              Device);
  writeAndEnd(
      {Name, "sm_" + std::to_string(Major) + std::to_string(Minor), Api.Version,
       std::to_string(Version / 1000) + "." +
           std::to_string(Version % 1000 / 10),
       std::to_string(
           attribute(Api, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, Device)),
       std::to_string(Devices), isSimulated(Api, Device) ? "1" : "0",
       std::to_string(B.Split.SmsA), B.Split.Green ? "1" : "0"});
}

void measureInWorker(const std::string &Row, const Setting &Use, int File) {
  const probe::Row *R = findRow(Row);
  if (!R)
    endWorker(Ending::Failed, "there is no such row");
  auto Code = readCode(File);
  if (!Code)
    endWorker(Ending::Failed, Code.errors().front().Message);
  const Driver Api = driverOrEnd();
  Bench B(Api, Use, *Code);
  R->Body(B);
  if (!B.Measured)
    endWorker(Ending::Failed, "the row measured nothing");
  writeAndEnd({nameOf(B.Result.What), milliseconds(B.Result.HostMs),
               milliseconds(B.Result.DoneMs), B.Note});
}

} // namespace kplan::probe
