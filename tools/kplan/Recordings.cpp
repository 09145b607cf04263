//===- Recordings.cpp - What traced processes leave behind ----------------===//

#include "Recordings.h"

#include "Commands.h"

#include "plan/FileIO.h"
#include "plan/Merge.h"
#include "trace/Recording.h"
#include "trace/TracedPlan.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <dirent.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kplan::tool {

static Diagnostic fileError(const std::string &Path, const char *What,
                            int Error) {
  Diagnostic D = makeError(std::string(What) + ": " +
                           std::generic_category().message(Error));
  D.File = Path;
  return D;
}

Result<PrivateFolder> PrivateFolder::create(const std::string &In,
                                            const std::string &Name) {
  std::string Path = In + "/.kplan-" + Name + "-XXXXXX";
  if (!::mkdtemp(Path.data()))
    return fileError(In, "cannot be written", errno);
  return PrivateFolder(std::move(Path));
}

PrivateFolder::~PrivateFolder() {
  if (Path.empty())
    return;
  for (const std::string &Name : files())
    ::unlink((Path + '/' + Name).c_str());
  ::rmdir(Path.c_str());
}

std::vector<std::string> PrivateFolder::files() const {
  std::vector<std::string> Names;
  std::unique_ptr<DIR, int (*)(DIR *)> Folder(::opendir(Path.c_str()),
                                              &::closedir);
  while (dirent *Entry = Folder ? ::readdir(Folder.get()) : nullptr)
    if (std::string Name = Entry->d_name; Name != "." && Name != "..")
      Names.push_back(std::move(Name));
  std::sort(Names.begin(), Names.end());
  return Names;
}

std::vector<std::string>
PrivateFolder::filesWith(std::string_view Suffix) const {
  std::vector<std::string> Paths;
  for (const std::string &Name : files())
    if (Name.ends_with(Suffix))
      Paths.push_back(Path + '/' + Name);
  return Paths;
}

Result<std::string> folderOfPlan(const std::string &Plan) {
  struct stat Status;
  if (::stat(Plan.c_str(), &Status) == 0) {
    if (S_ISDIR(Status.st_mode))
      return fileError(Plan, "cannot be written", EISDIR);
    if (::access(Plan.c_str(), W_OK) != 0)
      return fileError(Plan, "cannot be written", errno);
  }
  size_t Slash = Plan.rfind('/');
  std::string Folder = Slash == Plan.npos ? "."
                       : Slash == 0       ? "/"
                                          : Plan.substr(0, Slash);
  char Real[PATH_MAX];
  if (!::realpath(Folder.c_str(), Real))
    return fileError(Folder, "cannot write the plan there", errno);
  return std::string(Real);
}

std::optional<Plan> planOf(const PrivateFolder &Recordings,
                           const std::string &PlanFolder, size_t &Processes) {
  std::vector<Plan> Plans;
  std::vector<Diagnostic> Warnings;
  for (const std::string &Path : Recordings.filesWith(trace::RecordingSuffix)) {
    auto Events = trace::readRecording(Path);
    if (Events)
      Plans.push_back(trace::planOfProcess(*Events, PlanFolder, Warnings));
    else
      Warnings.insert(Warnings.end(), Events.errors().begin(),
                      Events.errors().end());
  }
  printDiagnostics(Warnings);
  Processes = Plans.size();
  if (Plans.empty())
    return std::nullopt;
  return mergePlans(std::move(Plans));
}

std::optional<Diagnostic> keepRecordings(const PrivateFolder &Recordings,
                                         const std::string &Path) {
  if (Path.empty())
    return std::nullopt;
  std::string All;
  for (const std::string &Of : Recordings.filesWith(trace::RecordingSuffix)) {
    auto Text = readFile(Of, trace::LargestRecording);
    if (!Text)
      return Text.errors().front();
    All += trace::wholeLines(*Text);
  }
  if (All.empty()) {
    Diagnostic D = makeError("no CUDA call was seen, so nothing is recorded");
    D.Level = Severity::Warning;
    D.File = Path;
    printDiagnostics({D});
    return std::nullopt;
  }
  return writeFileAtomically(Path, All);
}

void addRecordOption(CLI::App &Command, std::string &Path) {
  Command
      .add_option("--record", Path,
                  "Also keep each hooked driver call with its time, for "
                  "'kplan report'")
      ->type_name("FILE");
}

} // namespace kplan::tool
