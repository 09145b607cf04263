//===- Probe.cpp - Measure what waits on this machine ---------------------===//

#include "probe/Probe.h"

#include "probe/CodeStore.h"
#include "probe/Process.h"
#include "probe/Rows.h"
#include "probe/Worker.h"

#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace kplan::probe {

std::vector<std::string>
workerArguments(const Setting &Use, const std::string &Row, int CodeStore) {
  char Hold[40];
  std::snprintf(Hold, sizeof Hold, "%.6f", Use.HoldMs);
  std::vector<std::string> Out = {"probe",
                                  "--worker",
                                  std::to_string(CodeStore),
                                  "--device",
                                  std::to_string(Use.Device),
                                  "--hold-ms",
                                  Hold};
  if (Use.TwoStreams)
    Out.push_back("--two-streams");
  if (!Use.CudaDeviceRuntime.empty()) {
    Out.push_back("--cudadevrt");
    Out.push_back(Use.CudaDeviceRuntime);
  }
  if (!Row.empty()) {
    Out.push_back("--row");
    Out.push_back(Row);
  }
  return Out;
}

namespace {

/// Closes a descriptor.
class OwnedFile {
public:
  explicit OwnedFile(int File) : File(File) {}
  ~OwnedFile() { ::close(File); }
  OwnedFile(const OwnedFile &) = delete;
  OwnedFile &operator=(const OwnedFile &) = delete;
  const int File;
};

std::string lastLine(const std::string &Output) {
  size_t End = Output.find_last_not_of(" \n");
  if (End == std::string::npos)
    return {};
  size_t Begin = Output.rfind('\n', End);
  Begin = Begin == std::string::npos ? 0 : Begin + 1;
  return Output.substr(Begin, End + 1 - Begin);
}

/// How a worker ended that did not say what it measured.
std::string howEnded(const Ended &E) {
  std::string Text =
      WIFSIGNALED(E.Status)
          ? "killed by signal " + std::to_string(WTERMSIG(E.Status))
          : "ended with status " + std::to_string(WEXITSTATUS(E.Status));
  const std::string Last = lastLine(E.Output);
  return Last.empty() ? Text : Text + ": " + Last;
}

/// Lazy loading is what the rows are about, whatever the user has set.
std::vector<std::pair<std::string, std::string>> environment(bool Eager) {
  return {{"CUDA_MODULE_LOADING", Eager ? "EAGER" : "LAZY"}};
}

std::chrono::milliseconds timeOut(const Request &What) {
  return std::chrono::milliseconds(
      static_cast<long long>(What.TimeOutSeconds * 1000));
}

Result<Prepared> prepare(const Request &What, int Store) {
  auto E = runSelf(workerArguments(What.How, "", Store), environment(false),
                   timeOut(What));
  if (!E)
    return E.errors();
  if (E->How != Ended::Exited)
    return makeError(
        "the driver did not answer within " +
            std::to_string(static_cast<long long>(What.TimeOutSeconds)) + " s",
        "is the GPU busy with a kernel that never ends? "
        "--timeout allows more time");
  auto P = readPrepared(E->Output);
  if (P)
    return *P;
  if (auto Failed = readMeasurement(E->Output))
    return makeError(Failed->Note);
  return makeError("the first worker " + howEnded(*E));
}

/// \p Stuck: set when nothing more can be measured.
Measurement measureOnce(const Request &What, const Row &R, int Store,
                        bool &Stuck) {
  Measurement M;
  auto E = runSelf(workerArguments(What.How, R.Name, Store),
                   environment(R.Eager), timeOut(What));
  if (!E) {
    M.Verdict = "failed";
    M.Note = E.errors().front().Message;
    return M;
  }
  if (E->How != Ended::Exited) {
    Stuck = E->How == Ended::Stuck;
    char Text[128];
    std::snprintf(Text, sizeof Text, "no end within %g s%s",
                  What.TimeOutSeconds,
                  Stuck ? "; the process cannot be killed" : "");
    M.Verdict = "timed out";
    M.Note = Text;
    return M;
  }
  if (auto Read = readMeasurement(E->Output))
    return *Read;
  M.Verdict = "failed";
  M.Note = howEnded(*E);
  return M;
}

Measurement measure(const Request &What, const Row &R, int Store, bool &Stuck) {
  std::vector<Measurement> Runs;
  for (unsigned I = 0; I < What.Repeat && !Stuck; ++I) {
    Runs.push_back(measureOnce(What, R, Store, Stuck));
    // What cannot be measured cannot be measured twice.
    if (Runs.back().Verdict == "not measurable" ||
        Runs.back().Verdict == "timed out")
      break;
  }
  Measurement M = combine(Runs);
  M.Row = R.Name;
  return M;
}

} // namespace

Result<Report> run(const Request &What) {
  auto Store = makeCodeStore();
  if (!Store)
    return Store.errors();
  const OwnedFile Owner(*Store);
  auto Known = prepare(What, *Store);
  if (!Known)
    return Known.errors();
  Report Out;
  Out.On = Known->On;
  Out.Beside = Known->Beside;
  Out.Beside.KernelMs = What.How.HoldMs;
  if (What.Begins)
    What.Begins(Out);
  bool Stuck = false;
  for (const std::string &Name : What.Rows) {
    const Row *R = findRow(Name);
    if (!R || Stuck)
      continue;
    Out.Rows.push_back(measure(What, *R, *Store, Stuck));
    if (What.Measured)
      What.Measured(Out.Rows.back());
  }
  return Out;
}

} // namespace kplan::probe
