//===- Coverage.cpp - What hooks cannot see -------------------------------===//

#include "hooks/Coverage.h"

#include "hooks/HookSettings.h"
#include "hooks/LineBuffer.h"
#include "hooks/LoadedObject.h"
#include "hooks/RealDriver.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <map>
#include <set>
#include <unistd.h>

using namespace kplan::runtime::hooks;

namespace {

constexpr size_t NameSize = 64;

/// The first so many different names; append-only, lock-free. Two threads that
/// note a name at the same time may both be told that it is new.
class NameList {
public:
  /// Whether it was not in the list. When the list is full, no name is.
  bool add(std::string_view Name) {
    Name = Name.substr(0, NameSize - 1);
    size_t Known =
        std::min(Count.load(std::memory_order_acquire), Names.size());
    for (size_t I = 0; I < Known; ++I)
      if (Ready[I].load(std::memory_order_acquire) && Names[I].data() == Name)
        return false;
    size_t Mine = Count.fetch_add(1, std::memory_order_acq_rel);
    if (Mine >= Names.size())
      return false;
    Names[Mine][Name.copy(Names[Mine].data(), NameSize - 1)] = 0;
    Ready[Mine].store(true, std::memory_order_release);
    return true;
  }

  std::vector<std::string> list() const {
    std::vector<std::string> All;
    for (size_t I = 0; I < Names.size(); ++I)
      if (Ready[I].load(std::memory_order_acquire))
        All.emplace_back(Names[I].data());
    std::ranges::sort(All);
    All.erase(std::ranges::unique(All).begin(), All.end());
    return All;
  }

private:
  std::array<std::array<char, NameSize>, 64> Names{};
  std::array<std::atomic<bool>, 64> Ready{};
  std::atomic<size_t> Count = 0;
};

constinit NameList UnknownPointers;
constinit NameList UnknownFunctions;
constinit std::atomic<const void *> ExportTableCallers[64] = {};
constinit std::atomic<size_t> ExportTableCalls = 0;

std::string nameOf(const LoadedObject &Object) {
  if (!Object.soname().empty())
    return std::string(Object.soname());
  return *Object.path() ? Object.path() : "the program";
}

std::string joined(const std::vector<std::string> &Parts) {
  std::string Text;
  for (const std::string &Part : Parts)
    Text += (Text.empty() ? "" : ", ") + Part;
  return Text;
}

void describeExportTables(std::vector<std::string> &Lines) {
  std::map<std::string, unsigned> Callers;
  size_t Calls =
      std::min(ExportTableCalls.load(), std::size(ExportTableCallers));
  for (size_t I = 0; I < Calls; ++I)
    if (const void *Caller = ExportTableCallers[I].load())
      ++Callers[nameOf(objectContaining(Caller))];
  std::vector<std::string> Parts;
  Parts.reserve(Callers.size());
  for (const auto &[Name, Count] : Callers)
    Parts.push_back(Name + " (" + std::to_string(Count) + ")");
  if (!Parts.empty())
    Lines.push_back("functions without names, which cannot be hooked, were "
                    "asked for (cuGetExportTable) by " +
                    joined(Parts));
}

/// Objects with a reference to one of our exported symbols that the loader has
/// bound to the function behind it.
void describeBypasses(std::vector<std::string> &Lines) {
  std::vector<std::string> Objects;
  LoadedObject Driver = loadedDriver();
  auto *Dlsym = reinterpret_cast<void *>(realDlsym());
  const void *Us = &UnknownPointers;
  forEachLoadedObject([&](const LoadedObject &Object) {
    // What stands before us in the order of lookup has a right to be.
    if ((Driver && Object.base() == Driver.base()) || Object.contains(Dlsym) ||
        Object.contains(Us))
      return false;
    std::set<std::string_view> Past;
    Object.forEachReference([&](std::string_view Name, void *const *Slot) {
      if (Name == "dlsym" && *Slot == Dlsym)
        Past.insert(Name);
      else if (std::optional<DriverFunction> F = findHooked(Name))
        if (Driver && Driver.contains(*Slot))
          Past.insert(Name);
    });
    if (!Past.empty())
      Objects.push_back(
          nameOf(Object) + " (" + std::string(*Past.begin()) +
          (Past.size() > 1
               ? " and " + std::to_string(Past.size() - 1) + " more)"
               : ")"));
    return false;
  });
  if (!Objects.empty())
    Lines.push_back(
        "bound past kplan (RTLD_DEEPBIND, or linked with the driver before "
        "kplan), so not seen: " +
        joined(Objects));
}

bool isMapped(const char *FileName) {
  // Not a stream: those bring all of locales into a library that is loaded into
  // every process.
  FILE *Maps = fopen("/proc/self/maps", "re");
  if (!Maps)
    return false;
  bool Found = false;
  char *Line = nullptr;
  size_t Room = 0;
  while (!Found && getline(&Line, &Room, Maps) >= 0)
    Found = strstr(Line, FileName) != nullptr;
  free(Line);
  fclose(Maps);
  return Found;
}

/// A file descriptor of an NVIDIA device.
bool hasDeviceOpen() {
  DIR *Descriptors = opendir("/proc/self/fd");
  if (!Descriptors)
    return false;
  bool Found = false;
  while (const dirent *Entry = readdir(Descriptors)) {
    char Target[256];
    ssize_t Size =
        readlinkat(dirfd(Descriptors), Entry->d_name, Target, sizeof(Target));
    if (Size > 0 && std::string_view(Target, static_cast<size_t>(Size))
                        .starts_with("/dev/nvidia"))
      Found = true;
  }
  closedir(Descriptors);
  return Found;
}

void describeHiddenDriver(std::vector<std::string> &Lines) {
  if (loadedDriver())
    return;
  if (isMapped("/libcuda.so"))
    Lines.push_back("the driver is loaded in another link namespace (dlmopen), "
                    "where nothing is hooked");
  else if (hasDeviceOpen())
    Lines.push_back(
        "an NVIDIA device is open without libcuda.so.1: by a library "
        "for management, or by a driver that is linked statically, "
        "which is not hooked");
}

} // namespace

void kplan::runtime::hooks::noteExportTable(const void *Caller) {
  size_t Mine = ExportTableCalls.fetch_add(1);
  if (Mine < std::size(ExportTableCallers))
    ExportTableCallers[Mine].store(Caller);
}

void kplan::runtime::hooks::noteUnknownPointer(std::string_view Name,
                                               const void *Address) {
  static constinit std::atomic<bool> Said = false;
  if (!UnknownPointers.add(Name))
    return;
  // A library in between has many; the first one tells.
  bool First = !Said.exchange(true);
  if (!First && !hookSettings().Verbose)
    return;
  LineBuffer Line;
  Line << Name << ": " << Address
       << " is none of the driver's functions that kplan knows; calls through "
          "it are not seen";
  if (First && !hookSettings().Verbose)
    Line << " (KPLAN_VERBOSE=1 names all)";
  Line.write();
}

void kplan::runtime::hooks::noteUnknownFunction(std::string_view Name) {
  if (UnknownFunctions.add(Name) && hookSettings().Verbose)
    (LineBuffer() << Name << " is newer than kplan and passed by").write();
}

std::vector<std::string> kplan::runtime::hooks::describeCoverage() {
  std::vector<std::string> Lines;
  describeExportTables(Lines);
  if (std::vector<std::string> Names = UnknownPointers.list(); !Names.empty())
    Lines.push_back("not the driver's, or of an ABI newer than kplan, so not "
                    "seen: " +
                    joined(Names));
  if (std::vector<std::string> Names = UnknownFunctions.list(); !Names.empty())
    Lines.push_back("newer than kplan, so not seen: " + joined(Names));
  describeBypasses(Lines);
  describeHiddenDriver(Lines);
  return Lines;
}
