//===- SourceTree.cpp - The source files below a folder -------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/SourceTree.h"

#include "plan/Canonical.h"
#include "scan/Paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace kplan::scan {

SourceKind sourceKind(std::string_view Path) {
  constexpr std::array<std::string_view, 6> Host = {".c",   ".cc",  ".cpp",
                                                    ".cxx", ".c++", ".C"};
  constexpr std::array<std::string_view, 9> Header = {
      ".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inl", ".ipp", ".inc"};
  size_t Slash = Path.rfind('/');
  std::string_view Name =
      Slash == std::string_view::npos ? Path : Path.substr(Slash + 1);
  size_t Dot = Name.rfind('.');
  std::string_view Ending =
      Dot == std::string_view::npos ? std::string_view() : Name.substr(Dot);
  if (Ending == ".cu")
    return SourceKind::Cuda;
  if (std::find(Host.begin(), Host.end(), Ending) != Host.end())
    return SourceKind::Host;
  if (std::find(Header.begin(), Header.end(), Ending) != Header.end())
    return SourceKind::Header;
  return SourceKind::Other;
}

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
    } else if (sourceKind(Path) != SourceKind::Other &&
               Entry.is_regular_file(Ignored)) {
      if (std::optional<std::string> Real = realPath(Path))
        Files.push_back(std::move(*Real));
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
