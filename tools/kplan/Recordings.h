//===- Recordings.h - What traced processes leave behind ------------------===//
//
// Part of kplan. `kplan trace` and `kplan run --learn` have each process of a
// command write a recording, and make a plan of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_RECORDINGS_H
#define KPLAN_TOOLS_KPLAN_RECORDINGS_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kplan::tool {

/// A hidden folder, for the user alone, with what processes write. Gone with
/// its files at the end.
class PrivateFolder {
public:
  /// \param Name begins its name; what it is for.
  static Result<PrivateFolder> create(const std::string &In,
                                      const std::string &Name);
  ~PrivateFolder();
  PrivateFolder(PrivateFolder &&Other) noexcept
      : Path(std::exchange(Other.Path, "")) {}
  PrivateFolder &operator=(PrivateFolder &&) = delete;

  const std::string &path() const { return Path; }
  /// Paths of files whose names end so, sorted.
  std::vector<std::string> filesWith(std::string_view Suffix) const;

private:
  explicit PrivateFolder(std::string Path) : Path(std::move(Path)) {}
  std::vector<std::string> files() const;

  std::string Path;
};

/// The folder that a plan is to be written into, without links: the program may
/// change its working folder. An error where it cannot be written.
Result<std::string> folderOfPlan(const std::string &Plan);

/// One plan for all processes that left a recording, with what is to be said
/// about it printed; none: no process used CUDA.
std::optional<Plan> planOf(const PrivateFolder &Recordings,
                           const std::string &PlanFolder, size_t &Processes);

/// The recordings of all processes, as one file; an empty name: they go.
std::optional<Diagnostic> keepRecordings(const PrivateFolder &Recordings,
                                         const std::string &Path);

/// --record, of the commands that run a program.
void addRecordOption(CLI::App &Command, std::string &Path);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_RECORDINGS_H
