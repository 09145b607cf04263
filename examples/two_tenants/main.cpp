//===- main.cpp - First uses beside a long kernel, with and without a plan ===//
//
// Two tenants share one GPU through green contexts. A runs a long kernel; B
// uses its own kernels for the first time, one after another. Without a plan
// nearly every first use waits for A. With the plan that kplan-scan writes for
// these sources, kplan_prime() does it all before A starts, and none waits.
//
//===----------------------------------------------------------------------===//

#include "check.h"
#include "first_uses.h"
#include "green.h"
#include "hold.h"
#include "stall.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kplan/kplan.h>
#include <memory>
#include <string_view>
#include <vector>

namespace {

constexpr char Usage[] =
    "usage: two_tenants [--plan FILE] [--hold-ms N]\n"
    "\n"
    "Runs a long kernel in green context A and, beside it, the first uses of\n"
    "other kernels in green context B; says which of them waited for A.\n"
    "\n"
    "  --plan FILE   prime with this plan before A starts (kplan-scan writes "
    "it)\n"
    "  --hold-ms N   A's kernel gives up after N milliseconds (default 150)\n"
    "\n"
    "Exit status: 0 nothing stalled, 1 something did, 2 it could not be "
    "measured.\n";

struct Options {
  const char *Plan = nullptr;
  std::chrono::milliseconds Hold{150};
};

/// Exits on --help.
Options parse(int Count, char **Arguments) {
  Options O;
  for (int I = 1; I < Count; ++I) {
    const std::string_view Name = Arguments[I];
    if (Name == "--help" || Name == "-h") {
      std::fputs(Usage, stdout);
      std::exit(0);
    }
    if (Name != "--plan" && Name != "--hold-ms")
      throw Failure("unknown argument '" + std::string(Name) + "'; see --help");
    if (++I == Count)
      throw Failure(std::string(Name) + " needs a value; see --help");
    if (Name == "--plan") {
      O.Plan = Arguments[I];
      continue;
    }
    char *End;
    const long Milliseconds = std::strtol(Arguments[I], &End, 10);
    if (*End || Milliseconds < 1 || Milliseconds > 60000)
      throw Failure("--hold-ms takes a number from 1 to 60000, not '" +
                    std::string(Arguments[I]) + "'");
    O.Hold = std::chrono::milliseconds(Milliseconds);
  }
  return O;
}

struct FirstUse {
  const char *What;
  const char *Where;
  void (*Run)(const Work &, cudaStream_t);
  bool (*IsRight)(const Work &); ///< Null: there is no result.
};

constexpr FirstUse FirstUses[] = {
    {"attribute set", "sum_setup.cu",
     [](const Work &, cudaStream_t) { allowSumsSharedMemory(); }, nullptr},
    {"its launch, then a second kernel", "sum.cu", sum, sumIsRight},
    {"plain launch", "scale.cu", scale, scaleIsRight},
    {"template kernel, cluster launch", "histogram.cu", histogram,
     histogramIsRight},
    {"large stack", "median.cu", median, medianIsRight},
    {"kernel with printf", "validate.cu", validate, validateIsRight},
    {"device variable by name", "gain.cu", gain, gainIsRight},
};

/// Memory that host and device both see, filled with samples.
class MappedWork {
public:
  MappedWork() {
    const size_t Words = Work::Count + 2 * Work::Values;
    check(cuMemHostAlloc(&Memory, Words * sizeof(int),
                         CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
          "cuMemHostAlloc");
    int *Samples = static_cast<int *>(Memory);
    uint32_t State = 1;
    for (int I = 0; I < Work::Count; ++I) {
      State = State * 1664525 + 1013904223;
      Samples[I] = static_cast<int>(State >> 22);
    }
    View = {Samples, Samples + Work::Count,
            Samples + Work::Count + Work::Values};
  }
  ~MappedWork() { cuMemFreeHost(Memory); }
  MappedWork(const MappedWork &) = delete;
  MappedWork &operator=(const MappedWork &) = delete;

  const Work &view() const { return View; }

private:
  void *Memory = nullptr;
  Work View{};
};

/// Everything that B will use for the first time is put in place now.
void prime(const char *Plan) {
  kplan_options Options = KPLAN_OPTIONS_INIT;
  Options.plan = Plan;
  kplan_report *Report = nullptr;
  const kplan_status Status = kplan_prime(&Options, &Report);
  const std::unique_ptr<kplan_report, void (*)(kplan_report *)> Owner(
      Report, kplan_report_destroy);
  const char *Text = kplan_report_text(Report);
  std::printf("%s\n", *Text ? Text : "kplan is disabled: nothing is primed");
  if (Status != KPLAN_OK)
    throw Failure(std::string("kplan_prime: ") + kplan_status_name(Status));
  kplan_seal();
}

/// What was used for the first time after the seal all the same.
void printEscapes() {
  size_t Count = 0;
  if (kplan_escapes(nullptr, 0, &Count) != KPLAN_OK)
    return;
  std::vector<kplan_escape> Escapes(Count);
  if (kplan_escapes(Escapes.data(), Escapes.size(), &Count) != KPLAN_OK)
    return;
  std::printf("%zu escapes after the seal\n", Escapes.size());
  for (const kplan_escape &E : Escapes)
    std::printf("  %s %s %s\n", E.kind, E.symbol, E.api);
}

int run(const Options &O) {
  const Gpu Device;
  const Partition Parts = splitSms(Device.Device);
  const Tenant A(Device.Device, Parts.A), B(Device.Device, Parts.B);
  std::printf("%s, driver API %d.%d; A: %u SMs, busy for up to %lld ms; "
              "B: %u SMs\n",
              Device.Name.c_str(), Device.DriverVersion / 1000,
              Device.DriverVersion % 1000 / 10, A.sms(),
              static_cast<long long>(O.Hold.count()), B.sms());
  const MappedWork Memory;
  Hold Neighbour(A, O.Hold, !Device.simulated());

  if (O.Plan)
    prime(O.Plan);
  else
    std::printf("no plan: nothing is primed\n");

  std::printf("\n%-33s %-13s %9s %10s  %s\n", "first use on B", "in", "host ms",
              "B done ms", "verdict");
  int HostStalls = 0, DeviceStalls = 0, Wrong = 0;
  for (const FirstUse &Use : FirstUses) {
    const Work &W = Memory.view();
    std::fill(W.Result, W.Result + W.Values, -1);
    const Measurement M =
        measure(Neighbour, B, [&] { Use.Run(W, B.stream()); });
    HostStalls += M.What == Verdict::HostStall;
    DeviceStalls += M.What == Verdict::DeviceStall;
    const bool IsWrong = !Device.simulated() && Use.IsRight && !Use.IsRight(W);
    Wrong += IsWrong;
    std::printf("%-33s %-13s %9.3f %10.3f  %s%s\n", Use.What, Use.Where,
                M.HostMs, M.DoneMs, name(M.What),
                IsWrong ? ", WRONG RESULT" : "");
    std::fflush(stdout);
  }
  std::printf("\n");
  if (Device.simulated())
    std::printf("results not checked: simulated device\n");
  if (O.Plan)
    printEscapes();
  std::printf("%zu first uses: %d host stalls, %d device stalls\n",
              std::size(FirstUses), HostStalls, DeviceStalls);
  if (Wrong)
    throw Failure(std::to_string(Wrong) + " wrong results");
  return HostStalls || DeviceStalls ? 1 : 0;
}

} // namespace

int main(int Count, char **Arguments) {
  try {
    return run(parse(Count, Arguments));
  } catch (const Failure &F) {
    std::fflush(stdout);
    std::fprintf(stderr, "two_tenants: error: %s\n", F.what());
    return 2;
  }
}
