//===- FakeSystem.h - A machine for tests ---------------------------------===//
//
// Part of kplan; tests only. Files, links and an environment in memory.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_FAKESYSTEM_H
#define KPLAN_SCAN_FAKESYSTEM_H

#include "scan/HostSystem.h"

#include <algorithm>
#include <map>
#include <set>

namespace kplan::scan {

class FakeSystem final : public HostSystem {
public:
  std::map<std::string, std::string> Files;
  std::map<std::string, std::string> Links; ///< Of files; absolute targets.
  std::map<std::string, std::string> Variables;

  std::optional<std::string> read(const std::string &Path) const override {
    auto It = Files.find(realPath(Path));
    if (It == Files.end())
      return std::nullopt;
    return It->second;
  }
  bool isFile(const std::string &Path) const override {
    return Files.count(realPath(Path)) != 0;
  }
  bool isDirectory(const std::string &Path) const override {
    return !list(Path).empty();
  }
  std::vector<std::string> list(const std::string &Path) const override {
    std::string Prefix = Path.ends_with("/") ? Path : Path + "/";
    std::set<std::string> Names;
    for (const auto *Entries : {&Files, &Links})
      for (const auto &[Name, Text] : *Entries)
        if (Name.starts_with(Prefix))
          Names.insert(Name.substr(
              Prefix.size(), Name.find('/', Prefix.size()) - Prefix.size()));
    return {Names.begin(), Names.end()};
  }
  std::string realPath(const std::string &Path) const override {
    auto It = Links.find(Path);
    return It == Links.end() ? Path : It->second;
  }
  std::string environment(const std::string &Name) const override {
    auto It = Variables.find(Name);
    return It == Variables.end() ? "" : It->second;
  }

  /// A toolkit as NVIDIA's installer leaves it.
  void addToolkit(const std::string &Root, unsigned Major, unsigned Minor,
                  unsigned Build) {
    Files[Root + "/include/cuda.h"] =
        "#define CUDA_VERSION " + std::to_string(Major * 1000 + Minor * 10) +
        "\n";
    if (Major >= 13)
      Files[Root + "/include/cccl/cub/cub.cuh"] = "";
    Files[Root + "/bin/nvcc"] =
        "\x7f"
        "ELF...Cuda compilation tools, release " +
        std::to_string(Major) + "." + std::to_string(Minor) + ", V" +
        std::to_string(Major) + "." + std::to_string(Minor) + "." +
        std::to_string(Build) + "\n";
  }
  /// GCC as Debian installs it.
  void addGcc(const std::string &Version) {
    Files["/usr/lib/gcc/x86_64-linux-gnu/" + Version + "/crtbegin.o"] = "";
    for (const char *Name : {"gcc", "g++"}) {
      std::string Program =
          std::string("/usr/bin/x86_64-linux-gnu-") + Name + "-" + Version;
      Files[Program] = "";
      Links[std::string("/usr/bin/") + Name + "-" + Version] = Program;
      Links[std::string("/usr/bin/") + Name] = Program;
    }
  }
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_FAKESYSTEM_H
