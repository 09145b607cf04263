//===- HostSystem.cpp -----------------------------------------------------===//

#include "scan/HostSystem.h"

#include "scan/Paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace kplan::scan {

namespace {

class RealSystem final : public HostSystem {
public:
  std::optional<std::string> read(const std::string &Path) const override {
    if (!isFile(Path))
      return std::nullopt;
    std::ifstream Stream(Path, std::ios::binary);
    if (!Stream)
      return std::nullopt;
    std::string Text{std::istreambuf_iterator<char>(Stream), {}};
    if (Stream.bad())
      return std::nullopt;
    return Text;
  }
  bool isFile(const std::string &Path) const override {
    std::error_code Error;
    return fs::is_regular_file(Path, Error);
  }
  bool isDirectory(const std::string &Path) const override {
    std::error_code Error;
    return fs::is_directory(Path, Error);
  }
  std::vector<std::string> list(const std::string &Path) const override {
    std::vector<std::string> Names;
    std::error_code Error;
    for (fs::directory_iterator It(Path, Error), End; !Error && It != End;
         It.increment(Error))
      Names.push_back(It->path().filename().string());
    std::sort(Names.begin(), Names.end());
    return Names;
  }
  std::string realPath(const std::string &Path) const override {
    std::error_code Error;
    fs::path Real = fs::canonical(Path, Error);
    return Error ? Path : Real.string();
  }
  std::string environment(const std::string &Name) const override {
    const char *Value = std::getenv(Name.c_str());
    return Value ? Value : "";
  }
};

} // namespace

const HostSystem &realSystem() {
  static const RealSystem System;
  return System;
}

std::string OverlaidEnvironment::environment(const std::string &Name) const {
  auto It = Variables.find(Name);
  return It == Variables.end() ? Base.environment(Name) : It->second;
}

std::string_view fileName(std::string_view Path) {
  size_t Slash = Path.rfind('/');
  return Slash == std::string_view::npos ? Path : Path.substr(Slash + 1);
}

std::string_view extension(std::string_view Path) {
  std::string_view Name = fileName(Path);
  size_t Dot = Name.rfind('.');
  if (Dot == std::string_view::npos || Dot == 0)
    return {};
  return Name.substr(Dot);
}

std::string findProgram(std::string_view Name, std::string_view Directory,
                        const HostSystem &System) {
  if (Name.find('/') != std::string_view::npos) {
    std::string Path = absolutePath(Name, Directory);
    return System.isFile(Path) ? Path : "";
  }
  std::string Folders = System.environment("PATH");
  for (size_t Begin = 0; Begin <= Folders.size();) {
    size_t End = std::min(Folders.find(':', Begin), Folders.size());
    if (End > Begin) {
      std::string Path = absolutePath(
          Name, absolutePath(Folders.substr(Begin, End - Begin), Directory));
      if (System.isFile(Path))
        return Path;
    }
    Begin = End + 1;
  }
  return "";
}

} // namespace kplan::scan
