//===- LinkJob.cpp - From inputs to a checked cubin -----------------------===//

#include "link/LinkJob.h"

#include "image/Cubin.h"
#include "image/ElfReader.h"
#include "image/Embedded.h"
#include "image/Fatbin.h"
#include "image/Ptx.h"
#include "image/Unpack.h"

#include <algorithm>
#include <iterator>
#include <set>

using kplan::image::ByteView;

namespace kplan::link {

Result<InputKind> identifyInput(ByteView Bytes) {
  constexpr uint32_t LtoIrMagic = 0x7F4E43ED; // an NVVM container
  auto Magic = Bytes.read<uint32_t>(0);
  if (Magic == LtoIrMagic)
    return InputKind::LtoIr;
  if (Magic == image::FatbinMagic)
    return InputKind::Fatbin;
  if (Bytes.text().starts_with("!<arch>\n"))
    return InputKind::Library;
  if (image::ElfReader::isElf(Bytes)) {
    auto Elf = image::ElfReader::open(Bytes);
    if (!Elf)
      return Elf.errors();
    return Elf->header().Machine == image::ElfMachineCuda ? InputKind::Cubin
                                                          : InputKind::Object;
  }
  if (image::ptxSize(Bytes))
    return InputKind::Ptx;
  return makeError("is no input of a device link",
                   "inputs are LTO-IR (nvcc -dlto -ltoir), PTX, cubins, "
                   "fatbins, objects and archives of objects");
}

/// The fatbins of an input: itself, or those in a host object.
static std::vector<ByteView> fatbinsOf(const LinkInput &Input) {
  if (Input.Kind == InputKind::Fatbin)
    return {Input.Bytes};
  std::vector<ByteView> Out;
  if (Input.Kind == InputKind::Object)
    if (auto Embedded = image::embeddedFatbins(Input.Bytes))
      for (const image::EmbeddedFatbin &F : *Embedded)
        Out.push_back(F.Bytes);
  return Out;
}

template <typename F> static void forEachEntry(const LinkInput &Input, F Do) {
  for (ByteView Fatbin : fatbinsOf(Input))
    if (auto Entries = image::fatbinEntries(Fatbin))
      for (const image::FatbinEntry &E : *Entries)
        Do(E);
}

bool holdsLtoIr(const LinkInput &Input) {
  bool Holds = Input.Kind == InputKind::LtoIr;
  forEachEntry(Input, [&](const image::FatbinEntry &E) {
    Holds |= E.Kind == image::EntryKind::LtoIr;
  });
  return Holds;
}

/// Without the padding of a fatbin.
static std::string_view ptxText(ByteView Bytes) {
  return Bytes.text().substr(0, image::ptxSize(Bytes).value_or(0));
}

std::vector<std::string> definedKernels(const std::vector<LinkInput> &Inputs) {
  std::set<std::string> Symbols;
  auto Add = [&](const Result<image::Code> &Code) {
    if (Code)
      for (const image::KernelCode &K : Code->Kernels)
        Symbols.insert(K.Symbol);
  };
  for (const LinkInput &Input : Inputs) {
    if (Input.Kind == InputKind::Ptx)
      Add(image::readPtx(Input.Bytes.text()));
    if (Input.Kind == InputKind::Cubin)
      Add(image::readCubin(Input.Bytes));
    forEachEntry(Input, [&](const image::FatbinEntry &E) {
      auto Bytes = image::unpack(E);
      if (Bytes && E.Kind == image::EntryKind::Cubin)
        Add(image::readCubin(Bytes->view()));
      else if (Bytes && E.Kind == image::EntryKind::Ptx)
        Add(image::readPtx(ptxText(Bytes->view())));
    });
  }
  return {Symbols.begin(), Symbols.end()};
}

Result<LinkJob> makeLinkJob(std::vector<LinkInput> Inputs, image::Arch Wanted,
                            std::vector<std::string> Options) {
  LinkJob Job;
  Job.Arch = Wanted;
  for (const LinkInput &Input : Inputs) {
    if (Input.Kind != InputKind::Ptx)
      continue;
    auto At = [&](Diagnostic D) {
      D.File = Input.Name;
      return D;
    };
    std::string_view Name = image::ptxTarget(Input.Bytes.text());
    auto Target = image::parseArch(Name);
    if (!Target)
      return At(makeError("its .target is '" + std::string(Name) +
                          "', which is no architecture"));
    auto Arch = image::archForPtx(*Target, Job.Arch);
    if (!Arch)
      return At(Arch.errors().front());
    Job.Arch = *Arch;
  }
  Job.Options = {"-arch=" + Job.Arch.name()};
  const std::string Lto = "-lto";
  if (std::any_of(Inputs.begin(), Inputs.end(), holdsLtoIr) &&
      std::find(Options.begin(), Options.end(), Lto) == Options.end())
    Job.Options.push_back(Lto);
  std::move(Options.begin(), Options.end(), std::back_inserter(Job.Options));
  Job.Inputs = std::move(Inputs);
  return Job;
}

/// Those that have no influence on the result.
static void addFreeOptions(const NvJitLink &Linker, const LinkJob &Job,
                           std::vector<std::string> &Options) {
  Options.emplace_back("-no-cache");
  size_t Bytes = 0;
  for (const LinkInput &Input : Job.Inputs)
    Bytes += Input.Bytes.size();
  // Threads for small code cost more than they save. 13 is the first version
  // of which it is known that the number of threads does not change the code.
  constexpr size_t WorthSplitting = size_t(16) << 10;
  if (Bytes >= WorthSplitting && Linker.majorVersion() >= 13)
    Options.emplace_back("-split-compile=0");
}

std::string inputNames(const LinkJob &Job) {
  std::string Names;
  for (const LinkInput &Input : Job.Inputs)
    Names += (Names.empty() ? "" : ", ") + Input.Name;
  return Names;
}

Result<std::string> runLinkJob(const NvJitLink &Linker, const LinkJob &Job) {
  std::vector<std::string> Options = Job.Options;
  addFreeOptions(Linker, Job, Options);
  return Linker.link(Options, Job.Inputs);
}

std::optional<Diagnostic> checkLinked(ByteView Cubin, const LinkJob &Job,
                                      const std::vector<std::string> &Planned) {
  auto Refuse = [&](std::string Why, std::string Hint = {}) {
    Diagnostic D = makeError(std::move(Why), std::move(Hint));
    D.File = inputNames(Job);
    return D;
  };
  auto Code = image::readCubin(Cubin);
  if (!Code)
    return Refuse("the device linker made no cubin that can be read: " +
                  Code.errors().front().Message);
  std::vector<std::string> Linked;
  Linked.reserve(Code->Kernels.size());
  for (const image::KernelCode &K : Code->Kernels)
    Linked.push_back(K.Symbol);
  std::sort(Linked.begin(), Linked.end());
  std::vector<std::string> Lacking;
  std::set_difference(Planned.begin(), Planned.end(), Linked.begin(),
                      Linked.end(), std::back_inserter(Lacking));
  const std::string What = "the linked code for " + Job.Arch.name();
  if (!Lacking.empty()) {
    std::string Others =
        Lacking.size() > 1
            ? " and " + std::to_string(Lacking.size() - 1) + " more"
            : "";
    return Refuse(What + " lacks a kernel of the plan: " + Lacking.front() +
                      Others,
                  "are these the inputs that the plan was made for?");
  }
  if (Linked.empty())
    return Refuse(What + " holds no kernel at all");
  return std::nullopt;
}

} // namespace kplan::link
