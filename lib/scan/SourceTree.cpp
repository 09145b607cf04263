//===- SourceTree.cpp - The source files below a folder -------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/SourceTree.h"

#include "plan/Canonical.h"
#include "scan/Paths.h"
#include "scan/Translate.h"

#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace kplan::scan {

namespace {

void walk(const std::string &Folder, std::vector<std::string> &Files,
          std::vector<Diagnostic> &Warnings) {
  std::error_code EC;
  fs::directory_iterator It(Folder, EC), End;
  std::vector<std::string> Folders;
  for (; !EC && It != End; It.increment(EC)) {
    const fs::directory_entry &Entry = *It;
    std::string Path = Entry.path().string();
    std::error_code Ignored;
    if (Entry.is_directory(Ignored)) {
      bool Hidden = Entry.path().filename().string().starts_with('.');
      if (!Hidden && !Entry.is_symlink(Ignored) &&
          !fs::exists(Path + "/CMakeCache.txt", Ignored))
        Folders.push_back(std::move(Path));
    } else if (sourceKind(Path) != SourceKind::None &&
               Entry.is_regular_file(Ignored)) {
      if (std::optional<std::string> Real = realPath(Path))
        Files.push_back(std::move(*Real));
    } else if (sourceKind(Path) == SourceKind::Cuda &&
               Entry.is_symlink(Ignored) && !Entry.exists(Ignored)) {
      Diagnostic D = makeError("this link leads nowhere; it is not scanned");
      D.Level = Severity::Warning;
      D.File = Path;
      Warnings.push_back(std::move(D));
    }
  }
  if (EC) {
    Diagnostic D = makeError("cannot read this folder: " + EC.message(),
                             "what lies below it is not scanned");
    D.Level = Severity::Warning;
    D.File = Folder;
    Warnings.push_back(std::move(D));
  }
  for (const std::string &Sub : Folders)
    walk(Sub, Files, Warnings);
}

} // namespace

std::vector<std::string> listSources(const std::string &Folder,
                                     std::vector<Diagnostic> &Warnings) {
  std::vector<std::string> Files;
  walk(Folder, Files, Warnings);
  sortUnique(Files);
  return Files;
}

} // namespace kplan::scan
