//===- Launch.cpp - Run a command under libkplan_preload.so ---------------===//

#include "Launch.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace kplan::tool {

static constexpr char LibraryName[] = "libkplan_preload.so";

static Diagnostic fileError(const std::string &Path, std::string Why,
                            std::string Hint = {}) {
  Diagnostic D = makeError(std::move(Why), std::move(Hint));
  D.File = Path;
  return D;
}

static std::string message(int Error) {
  return std::generic_category().message(Error);
}

Result<std::string> findPreloadLibrary() {
  char Self[PATH_MAX];
  ssize_t Length = ::readlink("/proc/self/exe", Self, sizeof Self);
  if (Length <= 0)
    return makeError("cannot find kplan itself: " + message(errno));
  std::string Folder(Self, static_cast<size_t>(Length));
  Folder.erase(Folder.rfind('/') + 1);
  // Installed, and in the build tree.
  for (const char *Libraries : {KPLAN_LIBRARIES_FROM_TOOLS, "../lib"}) {
    char Real[PATH_MAX];
    if (!::realpath((Folder + Libraries).c_str(), Real))
      continue;
    // By the name that a reader of LD_PRELOAD knows, though it is a link.
    std::string Path = std::string(Real) + '/' + LibraryName;
    if (::access(Path.c_str(), R_OK) != 0)
      continue;
    if (Path.find_first_of(" :") != Path.npos)
      return fileError(Path,
                       "cannot be preloaded: LD_PRELOAD knows no path with a "
                       "space or colon",
                       "install kplan elsewhere");
    return Path;
  }
  return makeError(std::string("cannot find ") + LibraryName +
                       ", which belongs to kplan",
                   "it should be in " + Folder + KPLAN_LIBRARIES_FROM_TOOLS);
}

static std::optional<Diagnostic> checkProgram(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0)
    return fileError(Path, "cannot be run: " + message(errno));
  if (S_ISDIR(Status.st_mode))
    return fileError(Path, "cannot be run: it is a folder");
  if (::access(Path.c_str(), X_OK) != 0)
    return fileError(Path, "cannot be run: " + message(errno));
  if (Status.st_mode & (S_ISUID | S_ISGID))
    return fileError(Path,
                     "runs with another user's rights: the loader preloads "
                     "nothing into it",
                     "run a copy of it as yourself");
  return std::nullopt;
}

Result<std::string> findProgram(const std::string &Name) {
  if (Name.find('/') != Name.npos) {
    if (auto Error = checkProgram(Name))
      return *Error;
    return Name;
  }
  const char *Path = std::getenv("PATH");
  std::string Folders = Path ? Path : "/usr/local/bin:/usr/bin:/bin";
  std::optional<Diagnostic> First; // why what was found cannot be run
  for (size_t Begin = 0; Begin <= Folders.size() && !Name.empty();) {
    size_t End = std::min(Folders.find(':', Begin), Folders.size());
    std::string Candidate = Folders.substr(Begin, End - Begin);
    Candidate += Candidate.empty() ? "./" + Name : '/' + Name;
    Begin = End + 1;
    auto Error = checkProgram(Candidate);
    if (!Error)
      return Candidate;
    if (!First && ::access(Candidate.c_str(), F_OK) == 0)
      First = std::move(Error);
  }
  if (First)
    return *First;
  return makeError("no program '" + Name + "' in PATH");
}

std::string preloadList(const char *Existing, const std::string &Library) {
  std::string List = Existing ? Existing : "";
  // A kplan that runs under a kplan.
  for (size_t At = List.find(Library); At != List.npos;
       At = List.find(Library, At + 1)) {
    size_t End = At + Library.size();
    auto IsEnd = [](char C) { return C == ':' || C == ' '; };
    if ((At == 0 || IsEnd(List[At - 1])) &&
        (End == List.size() || IsEnd(List[End])))
      return List;
  }
  return List.empty() ? Library : List + ':' + Library;
}

static std::vector<std::string> environmentFor(const Command &What,
                                               const std::string &Library) {
  std::map<std::string, std::string> Variables;
  for (char **Entry = environ; *Entry; ++Entry) {
    std::string Text = *Entry;
    size_t Equals = Text.find('=');
    if (Equals != Text.npos)
      Variables[Text.substr(0, Equals)] = Text.substr(Equals + 1);
  }
  Variables["LD_PRELOAD"] = preloadList(std::getenv("LD_PRELOAD"), Library);
  for (const auto &[Name, Value] : What.Environment)
    if (Value)
      Variables[Name] = *Value;
    else
      Variables.erase(Name);
  std::vector<std::string> Out;
  Out.reserve(Variables.size());
  for (const auto &[Name, Value] : Variables)
    Out.push_back(Name + '=' + Value);
  return Out;
}

static std::vector<char *> pointers(std::vector<std::string> &Strings) {
  std::vector<char *> Out;
  Out.reserve(Strings.size() + 1);
  for (std::string &S : Strings)
    Out.push_back(S.data());
  Out.push_back(nullptr);
  return Out;
}

// Signals: a terminal sends SIGINT and SIGQUIT to the command as well, which
// decides what they mean; SIGTERM and SIGHUP may have been sent to us alone.

static volatile pid_t PassSignalsTo = 0;

extern "C" {
static void passOn(int Signal) {
  if (PassSignalsTo > 0)
    ::kill(PassSignalsTo, Signal);
}
}

/// Sets what we do; returns what the command must have set back. What was
/// ignored stays ignored, for both.
static sigset_t takeSignals() {
  sigset_t Changed;
  sigemptyset(&Changed);
  for (int Signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
    struct sigaction Before;
    ::sigaction(Signal, nullptr, &Before);
    if (Before.sa_handler == SIG_IGN)
      continue;
    struct sigaction Ours = {};
    Ours.sa_handler = Signal == SIGINT || Signal == SIGQUIT ? SIG_IGN : passOn;
    Ours.sa_flags = SA_RESTART;
    ::sigaction(Signal, &Ours, nullptr);
    sigaddset(&Changed, Signal);
  }
  return Changed;
}

Result<RunningCommand> start(const Command &What) {
  auto Library = findPreloadLibrary();
  if (!Library)
    return Library.errors();
  auto Program = findProgram(What.Words.empty() ? "" : What.Words.front());
  if (!Program)
    return Program.errors();
  std::vector<std::string> Words = What.Words;
  std::vector<std::string> Environment = environmentFor(What, *Library);

  sigset_t Default = takeSignals();
  posix_spawnattr_t Attributes;
  ::posix_spawnattr_init(&Attributes);
  ::posix_spawnattr_setsigdefault(&Attributes, &Default);
  ::posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t Process = 0;
  int Error =
      ::posix_spawn(&Process, Program->c_str(), nullptr, &Attributes,
                    pointers(Words).data(), pointers(Environment).data());
  ::posix_spawnattr_destroy(&Attributes);
  if (Error)
    return fileError(*Program, "cannot be run: " + message(Error));
  PassSignalsTo = Process;
  return RunningCommand(Process);
}

int RunningCommand::wait() {
  int State = 0;
  pid_t Got;
  do
    Got = ::waitpid(Process, &State, 0);
  while (Got < 0 && errno == EINTR);
  PassSignalsTo = 0;
  if (WIFSIGNALED(State))
    return 128 + WTERMSIG(State);
  return WEXITSTATUS(State);
}

Result<int> run(const Command &What) {
  auto Running = start(What);
  if (!Running)
    return Running.errors();
  return Running->wait();
}

} // namespace kplan::tool
