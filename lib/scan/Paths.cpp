//===- Paths.cpp - Roots, identity and spelling of paths ------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Paths.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace kplan::scan {

namespace {

/// Without the slash that a normal path to a folder may end in.
std::string withoutTrailingSlash(std::string Path) {
  while (Path.size() > 1 && Path.back() == '/')
    Path.pop_back();
  return Path;
}

} // namespace

std::string absolutePath(std::string_view Path, std::string_view Directory) {
  return withoutTrailingSlash(
      (fs::path(Directory) / fs::path(Path)).lexically_normal().string());
}

std::string joinedPath(std::string_view Path, std::string_view Directory) {
  return (fs::path(Directory) / fs::path(Path)).string();
}

std::string currentFolder() {
  std::error_code EC;
  fs::path Path = fs::current_path(EC);
  return EC ? std::string("/") : Path.string();
}

std::optional<std::string> realPath(const std::string &Path) {
  std::error_code EC;
  fs::path Real = fs::canonical(Path, EC);
  if (EC)
    return std::nullopt;
  return Real.string();
}

std::string weakRealPath(const std::string &Path) {
  std::error_code EC;
  fs::path Real = fs::weakly_canonical(Path, EC);
  return EC ? Path : withoutTrailingSlash(Real.string());
}

bool isWithin(std::string_view Path, std::string_view Folder) {
  if (Folder.empty() || !Path.starts_with(Folder))
    return false;
  return Path.size() == Folder.size() || Folder == "/" ||
         Path[Folder.size()] == '/';
}

std::optional<std::string> relativeWithin(std::string_view Path,
                                          std::string_view Folder) {
  if (!isWithin(Path, Folder) || Path.size() == Folder.size())
    return std::nullopt;
  return std::string(Path.substr(Folder == "/" ? 1 : Folder.size() + 1));
}

std::string parentPath(std::string_view Path) {
  size_t Slash = Path.rfind('/');
  if (Slash == std::string_view::npos)
    return ".";
  return std::string(Path.substr(0, Slash == 0 ? 1 : Slash));
}

std::string commonFolder(const std::vector<std::string> &Folders) {
  std::string Common;
  for (const std::string &Folder : Folders) {
    if (Common.empty())
      Common = Folder;
    while (!isWithin(Folder, Common))
      Common = parentPath(Common);
  }
  return Common;
}

std::string spellPath(std::string_view RealPath, const PathRoots &Roots,
                      std::string_view AsIncluded) {
  if (auto Relative = relativeWithin(RealPath, Roots.Source))
    return *Relative;
  if (auto Relative = relativeWithin(RealPath, Roots.Cuda))
    return "<cuda>/" + *Relative;
  if (auto Relative = relativeWithin(RealPath, Roots.Build))
    return "<build>/" + *Relative;
  return std::string(AsIncluded);
}

std::optional<std::string> cmakeSourceFolder(const std::string &BuildFolder) {
  std::ifstream Cache(BuildFolder + "/CMakeCache.txt");
  constexpr std::string_view Key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (std::string Line; std::getline(Cache, Line);)
    if (Line.starts_with(Key))
      return Line.substr(Key.size());
  return std::nullopt;
}

} // namespace kplan::scan
