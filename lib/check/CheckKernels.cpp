//===- CheckKernels.cpp - Kernels and their values against device code ----===//

#include "check/Check.h"
#include "check/Finding.h"
#include "plan/AttributeRules.h"
#include "plan/Names.h"

#include <algorithm>
#include <array>

namespace kplan::check {

using image::KernelCode;
using image::ProgramCode;
using image::ProgramUnit;

/// What the programs together have of a kernel.
struct Found {
  uint64_t StaticSharedBytes = 0;
};
using KernelIndex = std::map<std::string, Found>;

static void addTo(KernelIndex &Index, const ProgramCode &Program) {
  for (const ProgramUnit &Unit : Program.Units)
    for (const KernelCode &K : Unit.Code.Kernels) {
      uint64_t &Bytes = Index[K.Symbol].StaticSharedBytes;
      Bytes = std::max(Bytes, K.StaticSharedBytes);
    }
}

static KernelIndex indexOf(const std::vector<ProgramCode> &Programs) {
  KernelIndex Index;
  for (const ProgramCode &Program : Programs)
    addTo(Index, Program);
  return Index;
}

static std::string namesOf(const std::vector<ProgramCode> &Programs) {
  std::string Names;
  for (const ProgramCode &Program : Programs)
    Names += (Names.empty() ? "" : ", ") + Program.Path;
  return Names;
}

/// Why nothing can be said for certain; empty: it can.
static std::string unreadIn(const std::vector<ProgramCode> &Programs) {
  std::string Text;
  for (const ProgramCode &Program : Programs)
    if (Program.Unread)
      Text += (Text.empty() ? "" : "; ") + std::to_string(Program.Unread) +
              " entries of " + Program.Path +
              " cannot be read, the first because " + Program.WhyUnread;
  return Text;
}

void checkKernels(const Subject &Of, const std::vector<ProgramCode> &Programs,
                  Findings &Out) {
  const KernelIndex All = indexOf(Programs);
  // An image's kernels are those of the file that it lies in.
  std::map<std::string, KernelIndex> ByFile;
  for (const ProgramCode &Program : Programs)
    addTo(ByFile[std::string(baseName(Program.Path))], Program);
  std::map<std::string, const KernelIndex *> ByImage;
  for (const Image &I : Of.Plan.Images)
    if (const auto *File = std::get_if<FileOrigin>(&I.Origin))
      if (auto At = ByFile.find(std::string(baseName(File->File)));
          At != ByFile.end())
        ByImage[I.Id] = &At->second;

  const std::string Unread = unreadIn(Programs);
  for (const Kernel &K : Of.Plan.Kernels) {
    const KernelIndex *In = &All;
    if (!K.Key.Image.empty()) {
      auto Known = ByImage.find(K.Key.Image);
      if (Known == ByImage.end()) {
        ++Out.KernelsElsewhere;
        continue;
      }
      In = Known->second;
    }
    if (forEachMatch(*In, K.Key.Symbol, [](const Found &) {}))
      ++Out.KernelsFound;
    else if (Unread.empty())
      add(Out, Of, describe(K) + " is not in " + namesOf(Programs),
          "scan or trace again, or name the library that has it with --binary");
    else
      add(Out, Of, describe(K) + " was not found in " + namesOf(Programs),
          Unread, Severity::Warning);
  }
}

// Limits.

static std::optional<uint64_t> sharedBytesOf(unsigned Arch) {
  switch (Arch) {
#define KPLAN_ARCH_LIMITS(Number, SharedBytes)                                 \
  case Number:                                                                 \
    return SharedBytes;
#include "check/ArchLimits.def"
  default:
    return std::nullopt;
  }
}

static std::string knownArchs() {
  std::string Text;
  for (unsigned Arch : {
#define KPLAN_ARCH_LIMITS(Number, SharedBytes) Number##U,
#include "check/ArchLimits.def"
       })
    Text += (Text.empty() ? "sm_" : ", sm_") + std::to_string(Arch);
  return Text;
}

namespace {

class LimitChecker {
public:
  LimitChecker(const Limits &Device, const KernelIndex &Code)
      : Device(Device), Code(Code) {}

  void check(const Subject &Of, const Kernel &K, Findings &Out) const {
    auto Refuse = [&](const std::string &What, const std::string &Why) {
      add(Out, Of,
          describe(K) + ": " + What + " cannot be on " + Device.Device + ": " +
              Why);
    };
    for (const auto &[A, V] : K.Attributes) {
      // `max` and bounds are computed for the device when it is primed.
      const auto *Number = std::get_if<int64_t>(&V);
      if (!Number)
        continue;
      std::string Why = whyNot(K, A, *Number);
      if (!Why.empty())
        Refuse(std::string(nameOf(A)) + ": " + describeValue(V), Why);
    }
    if (K.LocalBytes && *K.LocalBytes > MostLocalBytes)
      Refuse("local_bytes: " + std::to_string(*K.LocalBytes),
             "a thread has " + std::to_string(MostLocalBytes) +
                 " bytes at the most");
    std::string Why = whyNotCluster(K);
    if (!Why.empty())
      Refuse("its required cluster", Why);
  }

private:
  static constexpr uint64_t MostLocalBytes = uint64_t(512) << 10;

  static std::string outside(int64_t V, int64_t Least, int64_t Most) {
    return V < Least || V > Most ? "it is between " + std::to_string(Least) +
                                       " and " + std::to_string(Most)
                                 : "";
  }

  std::string whyNot(const Kernel &K, Attribute A, int64_t V) const {
    switch (A) {
    case Attribute::MaxDynamicSharedSizeBytes:
      return whyNotShared(K, V);
    case Attribute::PreferredSharedMemoryCarveout:
      return outside(V, -1, 100);
    case Attribute::ClusterSizeMustBeSet:
    case Attribute::NonPortableClusterSizeAllowed:
      return noClusters().empty() ? outside(V, 0, 1) : V ? noClusters() : "";
    case Attribute::ClusterSchedulingPolicyPreference:
      return noClusters().empty() ? outside(V, 0, 2) : noClusters();
    case Attribute::RequiredClusterWidth:
    case Attribute::RequiredClusterHeight:
    case Attribute::RequiredClusterDepth:
      return V < 0 ? "it is not negative" : V > 1 ? noClusters() : "";
    default:
      return {};
    }
  }

  std::string noClusters() const {
    return Device.Clusters ? "" : "clusters begin with sm_90";
  }

  std::string whyNotShared(const Kernel &K, int64_t V) const {
    if (V < 0)
      return "it is not negative";
    uint64_t Static = 0;
    forEachMatch(Code, K.Key.Symbol, [&](const Found &F) {
      Static = std::max(Static, F.StaticSharedBytes);
    });
    if (Static + static_cast<uint64_t>(V) <= Device.SharedBytes)
      return {};
    std::string Text = "a block has " + std::to_string(Device.SharedBytes) +
                       " bytes at the most";
    return Static ? Text + ", of which the kernel has " +
                        std::to_string(Static) + " statically"
                  : Text;
  }

  static std::string whyNotCluster(const Kernel &K) {
    auto Of = [&](Attribute A, int64_t Default) {
      auto It = K.Attributes.find(A);
      const auto *Number = It == K.Attributes.end()
                               ? nullptr
                               : std::get_if<int64_t>(&It->second);
      return Number && *Number > 0 ? *Number : Default;
    };
    constexpr int64_t Portable = 8, Most = 16, Large = 1 << 20;
    int64_t Blocks = 1;
    for (Attribute A :
         {Attribute::RequiredClusterWidth, Attribute::RequiredClusterHeight,
          Attribute::RequiredClusterDepth})
      Blocks = std::min(Large, Blocks * std::min(Large, Of(A, 1)));
    if (Blocks > Most)
      return "a cluster has " + std::to_string(Most) + " blocks at the most";
    if (Blocks > Portable &&
        Of(Attribute::NonPortableClusterSizeAllowed, 0) == 0)
      return "a cluster of more than " + std::to_string(Portable) +
             " blocks needs non_portable_cluster_size_allowed: 1";
    return {};
  }

  const Limits &Device;
  const KernelIndex &Code;
};

} // namespace

Result<Limits> limitsOfArch(unsigned Arch) {
  constexpr unsigned FirstWithClusters = 90;
  const std::string Name = "sm_" + std::to_string(Arch);
  auto SharedBytes = sharedBytesOf(Arch);
  if (!SharedBytes)
    return makeError("the limits of " + Name + " are not known",
                     "known are those of " + knownArchs());
  return Limits{Name, *SharedBytes, Arch >= FirstWithClusters};
}

void checkLimits(const Subject &Of, const Limits &Device,
                 const std::vector<ProgramCode> &Programs, Findings &Out) {
  const KernelIndex Code = indexOf(Programs);
  LimitChecker Checker(Device, Code);
  for (const Kernel &K : Of.Plan.Kernels)
    Checker.check(Of, K, Out);
}

void checkValues(const Subject &Of, Findings &Out) {
  for (const Kernel &K : Of.Plan.Kernels)
    for (const auto &[A, V] : K.Attributes) {
      const auto *Number = std::get_if<int64_t>(&V);
      // -1 leaves the choice to the driver.
      const int64_t Least =
          A == Attribute::PreferredSharedMemoryCarveout ? -1 : 0;
      if (Number && *Number < Least)
        add(Out, Of,
            describe(K) + ": " + std::string(nameOf(A)) + ": " +
                describeValue(V) + " is less than any device takes");
    }
}

} // namespace kplan::check
