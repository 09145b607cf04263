//===- WorkerPool.cpp - Many units, a few workers at a time ---------------===//
//
// Part of kplan.
//
// Requests, answers and what a worker prints lie in anonymous files in memory:
// nothing is left behind whatever happens, no pipe fills up, and an answer is
// looked at only once its writer has ended.
//
//===----------------------------------------------------------------------===//

#include "scan/WorkerPool.h"

#include "scan/Signals.h"
#include "scan/Worker.h"

#include "llvm/Support/Threading.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <list>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace kplan::scan {

namespace {

using Clock = std::chrono::steady_clock;

/// A file without a name, closed and gone with its owner.
class MemoryFile {
public:
  MemoryFile() : Descriptor(memfd_create("kplan-scan", MFD_CLOEXEC)) {}
  MemoryFile(MemoryFile &&Other) noexcept
      : Descriptor(std::exchange(Other.Descriptor, -1)) {}
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile() {
    if (Descriptor >= 0)
      close(Descriptor);
  }

  int descriptor() const { return Descriptor; }

  /// Leaves the position at the start, where the reader begins.
  bool write(std::string_view Bytes) {
    off_t Offset = 0;
    while (!Bytes.empty()) {
      ssize_t N = pwrite(Descriptor, Bytes.data(), Bytes.size(), Offset);
      if (N < 0 && errno == EINTR)
        continue;
      if (N <= 0)
        return false;
      Offset += N;
      Bytes.remove_prefix(N);
    }
    return true;
  }

  /// The last `Most` bytes.
  std::string read(size_t Most = ~size_t(0)) const {
    off_t End = lseek(Descriptor, 0, SEEK_END);
    if (End <= 0)
      return {};
    std::string Bytes(std::min<size_t>(End, Most), '\0');
    off_t Start = End - Bytes.size();
    for (size_t Done = 0; Done < Bytes.size();) {
      ssize_t N = pread(Descriptor, Bytes.data() + Done, Bytes.size() - Done,
                        Start + Done);
      if (N < 0 && errno == EINTR)
        continue;
      if (N <= 0) {
        Bytes.resize(Done);
        break;
      }
      Done += N;
    }
    return Bytes;
  }

private:
  int Descriptor;
};

struct RunningWorker {
  size_t Index = 0;
  pid_t Process = -1;
  Clock::time_point Deadline = Clock::time_point::max();
  bool TimedOut = false;
  MemoryFile Request, Answer, Output;
};

std::string systemError(const std::string &What, int Error) {
  return What + ": " + std::strerror(Error);
}

/// The lines that clang's crash handler numbers, innermost first; the last one
/// says where in the source it was: "3.	a.cu:2:23: parsing function
/// 'f'".
std::string lastWords(const std::string &Output) {
  size_t Start = Output.find("Stack dump:\n");
  if (Start == std::string::npos)
    return {};
  std::string Last;
  for (size_t At = Start; (At = Output.find('\n', At)) != std::string::npos;) {
    ++At;
    size_t Digits = Output.find_first_not_of("0123456789", At);
    if (Digits == std::string::npos || Digits == At ||
        Output.compare(Digits, 2, ".\t") != 0)
      break;
    Last = Output.substr(Digits + 2, Output.find('\n', At) - Digits - 2);
  }
  return Last.starts_with("Program arguments:") ? std::string() : Last;
}

std::string describeEnd(int Status, const std::string &Output) {
  if (WIFSIGNALED(Status)) {
    int Signal = WTERMSIG(Status);
    const char *Name = sigabbrev_np(Signal);
    std::string Text = Signal == SIGKILL ? "killed: " : "crashed: ";
    Text += Name ? std::string("SIG") + Name : std::to_string(Signal);
    const char *Description = sigdescr_np(Signal);
    if (Signal == SIGKILL)
      Text += " (out of memory, if nobody killed it)";
    else if (Description)
      Text += std::string(" (") + Description + ")";
    return Text;
  }
  std::string Text =
      "ended early with status " + std::to_string(WEXITSTATUS(Status));
  size_t End = Output.find_last_not_of('\n');
  if (End != std::string::npos) {
    size_t Line = Output.rfind('\n', End);
    Line = Line == std::string::npos ? 0 : Line + 1;
    Text += ": " + Output.substr(Line, End + 1 - Line);
  }
  return Text;
}

/// Where a worker starts: standard input and the answer are files in memory,
/// standard output leads nowhere, and signals are as they were for us.
class SpawnSetup {
public:
  SpawnSetup(const RunningWorker &W, const sigset_t &Mask) {
    posix_spawn_file_actions_init(&Files);
    posix_spawn_file_actions_adddup2(&Files, W.Request.descriptor(),
                                     STDIN_FILENO);
    posix_spawn_file_actions_addopen(&Files, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&Files, W.Output.descriptor(),
                                     STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&Files, W.Answer.descriptor(),
                                     AnswerDescriptor);
    posix_spawnattr_init(&Attributes);
    posix_spawnattr_setsigmask(&Attributes, &Mask);
    posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&Files);
    posix_spawnattr_destroy(&Attributes);
  }
  SpawnSetup(const SpawnSetup &) = delete;
  SpawnSetup &operator=(const SpawnSetup &) = delete;

  posix_spawn_file_actions_t Files;
  posix_spawnattr_t Attributes;
};

class Pool {
public:
  Pool(const std::vector<UnitRequest> &Requests, const PoolOptions &Options,
       const UnitFinished &Finished, const sigset_t &MaskOfWorkers)
      : Requests(Requests), Options(Options), Finished(Finished),
        MaskOfWorkers(MaskOfWorkers), Waiting(Requests.size()),
        Retried(Requests.size(), false) {
    for (size_t I = 0; I < Requests.size(); ++I)
      Waiting[I] = I;
  }
  ~Pool() { killAll(); }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  bool done() const {
    return Waiting.empty() && Again.empty() && Running.empty();
  }

  void startWhatFits() {
    while (!Waiting.empty() && Running.size() < std::max(1u, Options.Jobs)) {
      size_t Index = Waiting.front();
      Waiting.pop_front();
      start(Index);
    }
    while (Waiting.empty() && Running.empty() && !Again.empty()) {
      size_t Index = Again.front();
      Again.pop_front();
      Retried[Index] = true;
      start(Index);
    }
  }

  /// Milliseconds to the next deadline; -1: none.
  int millisecondsToWait() const {
    auto Next = Clock::time_point::max();
    for (const RunningWorker &W : Running)
      if (!W.TimedOut)
        Next = std::min(Next, W.Deadline);
    if (Next == Clock::time_point::max())
      return -1;
    auto Left =
        std::chrono::ceil<std::chrono::milliseconds>(Next - Clock::now());
    return std::clamp<long long>(Left.count(), 0, 1 << 30);
  }

  void killWhatIsTooSlow() {
    for (RunningWorker &W : Running)
      if (!W.TimedOut && W.Deadline <= Clock::now()) {
        W.TimedOut = true;
        kill(W.Process, SIGKILL);
      }
  }

  void collectWhatEnded() {
    for (auto It = Running.begin(); It != Running.end();) {
      int Status = 0;
      pid_t Process = waitpid(It->Process, &Status, WNOHANG);
      if (Process == 0 || (Process < 0 && errno == EINTR)) {
        ++It;
        continue;
      }
      RunningWorker Ended = std::move(*It);
      It = Running.erase(It);
      if (Process < 0)
        failed(Ended.Index, systemError("lost the worker", errno), {});
      else
        collect(Ended, Status);
    }
  }

private:
  void start(size_t Index) {
    RunningWorker W;
    W.Index = Index;
    UnitRequest Request = Requests[Index];
    Request.Options.Shortcuts &= !Retried[Index];
    if (W.Request.descriptor() < 0 || W.Answer.descriptor() < 0 ||
        W.Output.descriptor() < 0 || !W.Request.write(encodeRequest(Request)))
      return failed(Index, systemError("cannot talk to a worker", errno), {});
    SpawnSetup Setup(W, MaskOfWorkers);
    std::string Name = "kplan-scan", Argument = WorkerArgument;
    char *Arguments[] = {Name.data(), Argument.data(), nullptr};
    int Error = posix_spawn(&W.Process, Options.Program.c_str(), &Setup.Files,
                            &Setup.Attributes, Arguments, environ);
    if (Error)
      return failed(Index, systemError("cannot start a worker", Error), {});
    if (Options.TimeLimitSeconds)
      W.Deadline =
          Clock::now() + std::chrono::seconds(Options.TimeLimitSeconds);
    Running.push_back(std::move(W));
  }

  void collect(const RunningWorker &W, int Status) {
    std::string Output = W.Output.read(1 << 16);
    if (W.TimedOut)
      return failed(W.Index,
                    "took longer than the time limit of " +
                        std::to_string(Options.TimeLimitSeconds) + " s",
                    {});
    if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
      return failed(W.Index, describeEnd(Status, Output), lastWords(Output));
    std::optional<UnitResult> Answer = decodeResult(W.Answer.read());
    if (!Answer)
      return failed(W.Index, "gave an answer that is not valid", {});
    UnitOutcome Outcome;
    Outcome.Result = std::move(*Answer);
    Finished(W.Index, std::move(Outcome));
  }

  void failed(size_t Index, std::string Why, std::string LastWords) {
    if (!Retried[Index]) {
      Again.push_back(Index);
      return;
    }
    UnitOutcome Outcome;
    Outcome.Failure = std::move(Why);
    Outcome.LastWords = std::move(LastWords);
    Finished(Index, std::move(Outcome));
  }

  void killAll() {
    for (RunningWorker &W : Running)
      kill(W.Process, SIGKILL);
    for (RunningWorker &W : Running)
      while (waitpid(W.Process, nullptr, 0) < 0 && errno == EINTR)
        ;
    Running.clear();
  }

  const std::vector<UnitRequest> &Requests;
  const PoolOptions &Options;
  const UnitFinished &Finished;
  const sigset_t &MaskOfWorkers;
  std::deque<size_t> Waiting;
  std::deque<size_t> Again; ///< Died once.
  std::vector<bool> Retried;
  std::list<RunningWorker> Running;
};

/// Where our parent left SIGCHLD ignored, children would vanish unseen.
class DefaultChildSignal {
public:
  DefaultChildSignal() {
    struct sigaction Default{};
    Default.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &Default, &Before);
  }
  ~DefaultChildSignal() { sigaction(SIGCHLD, &Before, nullptr); }

private:
  struct sigaction Before{};
};

} // namespace

int runWorkers(const std::vector<UnitRequest> &Requests,
               const PoolOptions &Options, const UnitFinished &Finished) {
  DefaultChildSignal ChildSignal;
  sigset_t Signals = endingSignals();
  sigaddset(&Signals, SIGCHLD);
  SignalDelay Delay(Signals);
  int Descriptor = signalfd(-1, &Signals, SFD_CLOEXEC | SFD_NONBLOCK);

  int EndedBy = 0;
  {
    Pool P(Requests, Options, Finished, Delay.before());
    for (P.startWhatFits(); !P.done() && !EndedBy; P.startWhatFits()) {
      pollfd Poll{Descriptor, POLLIN, 0};
      poll(&Poll, 1, P.millisecondsToWait());
      signalfd_siginfo Info;
      while (read(Descriptor, &Info, sizeof Info) == sizeof Info)
        if (Info.ssi_signo != SIGCHLD)
          EndedBy = Info.ssi_signo;
      if (EndedBy)
        break;
      P.killWhatIsTooSlow();
      P.collectWhatEnded();
    }
  } // The workers are gone.
  close(Descriptor);
  return EndedBy;
}

unsigned defaultJobs() {
  // A TU with CUTLASS's headers takes a worker to about 1.5 GB.
  constexpr uint64_t KilobytesAWorker = 1536 << 10;
  uint64_t Available = 0;
  std::ifstream MemInfo("/proc/meminfo");
  for (std::string Key, Rest; MemInfo >> Key;) {
    if (Key == "MemAvailable:") {
      MemInfo >> Available;
      break;
    }
    std::getline(MemInfo, Rest);
  }
  unsigned Threads = llvm::hardware_concurrency().compute_thread_count();
  if (Available)
    Threads = std::min<uint64_t>(Threads, Available / KilobytesAWorker);
  return std::max(1u, Threads);
}

} // namespace kplan::scan
