//===- HostSystem.h - The machine, as commands see it ---------------------===//
//
// Part of kplan. What translating a command may ask of the machine: files, the
// environment. Nothing is written and nothing is run. Tests feed their own.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_HOSTSYSTEM_H
#define KPLAN_SCAN_HOSTSYSTEM_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

class HostSystem {
public:
  virtual ~HostSystem() = default;

  /// The file's bytes; nothing where there is no readable file.
  virtual std::optional<std::string> read(const std::string &Path) const = 0;
  virtual bool isFile(const std::string &Path) const = 0;
  virtual bool isDirectory(const std::string &Path) const = 0;
  /// Names in a folder, sorted, without `.` and `..`; empty when there is none.
  virtual std::vector<std::string> list(const std::string &Path) const = 0;
  /// Without links; the path itself where it does not exist.
  virtual std::string realPath(const std::string &Path) const = 0;
  /// Empty when not set.
  virtual std::string environment(const std::string &Name) const = 0;
};

/// This machine.
const HostSystem &realSystem();

/// A system with some environment variables replaced, for `env VAR=... nvcc`.
class OverlaidEnvironment final : public HostSystem {
public:
  OverlaidEnvironment(const HostSystem &Base,
                      std::map<std::string, std::string> Variables)
      : Base(Base), Variables(std::move(Variables)) {}

  std::optional<std::string> read(const std::string &Path) const override {
    return Base.read(Path);
  }
  bool isFile(const std::string &Path) const override {
    return Base.isFile(Path);
  }
  bool isDirectory(const std::string &Path) const override {
    return Base.isDirectory(Path);
  }
  std::vector<std::string> list(const std::string &Path) const override {
    return Base.list(Path);
  }
  std::string realPath(const std::string &Path) const override {
    return Base.realPath(Path);
  }
  std::string environment(const std::string &Name) const override;

private:
  const HostSystem &Base;
  std::map<std::string, std::string> Variables;
};

/// "c" of "/a/b/c".
std::string_view fileName(std::string_view Path);
/// ".cu" of "/a/b.cu"; empty when there is none.
std::string_view extension(std::string_view Path);
/// Where the shell finds `Name`: itself when it has a slash (made absolute),
/// else the first hit in PATH; empty when there is none.
std::string findProgram(std::string_view Name, std::string_view Directory,
                        const HostSystem &System);

} // namespace kplan::scan

#endif // KPLAN_SCAN_HOSTSYSTEM_H
