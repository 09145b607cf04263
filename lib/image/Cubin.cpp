//===- Cubin.cpp - Kernels and variables of a cubin -----------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "image/Cubin.h"

#include "image/ElfReader.h"

#include <algorithm>
#include <map>
#include <set>

namespace kplan::image {
namespace {

constexpr uint8_t EntryFlag = 0x10;       // st_other of a __global__ function.
constexpr uint8_t CudaOsAbi = 0x41;       // Since CUDA 13.
constexpr uint64_t ReservedShared = 1024; // Taken by the system since sm_90.

// Attributes in .nv.info sections.
enum InfoAttribute : uint8_t {
  InfoMaxThreads = 0x05,
  InfoExterns = 0x0f,
  InfoRequiredThreads = 0x10,
  InfoFrameSize = 0x11,
  InfoMinStackSize = 0x12,
  InfoParameter = 0x17,
  InfoMaxStackSize = 0x23,
  InfoRegisterCount = 0x2f,
  InfoClusterDims = 0x3d,
};

struct InfoRecord {
  uint8_t Attribute;
  ByteView Payload;
};

/// Format, attribute, 16 bits that are a value or, in format 4, the size of
/// the payload that follows.
std::vector<InfoRecord> infoRecords(ByteView Data) {
  constexpr uint8_t FormatSized = 4;
  std::vector<InfoRecord> Records;
  uint64_t At = 0;
  while (auto Format = Data.read<uint8_t>(At)) {
    auto Attribute = Data.read<uint8_t>(At + 1);
    auto Value = Data.read<uint16_t>(At + 2);
    if (!Attribute || !Value)
      break;
    At += 4;
    if (*Format != FormatSized)
      continue;
    auto Payload = Data.slice(At, *Value);
    if (!Payload)
      break;
    Records.push_back({*Attribute, *Payload});
    At += *Value;
  }
  return Records;
}

class CubinReader {
public:
  explicit CubinReader(const ElfReader &Elf)
      : Elf(Elf), Symbols(Elf.symbols()) {}

  Code read();

private:
  void readKernels(Code &C);
  void readGlobalInfo();
  void readKernelInfo(const ElfSection &Info);
  void readShared(const ElfSection &Shared);
  void readCallGraph(ByteView Edges);
  void readRelocations(const ElfSection &Section);
  void readGlobals(Code &C);
  void findUses();
  unsigned arch() const;

  const ElfReader &Elf;
  std::vector<ElfSymbol> Symbols;
  std::map<uint32_t, KernelCode> Kernels;         // By symbol index.
  std::map<uint32_t, std::set<uint32_t>> Callees; // Symbol indexes.
  std::multimap<uint32_t, uint32_t> FunctionsIn;  // Section -> symbols.
};

unsigned CubinReader::arch() const {
  const ElfHeader &H = Elf.header();
  return H.OsAbi == CudaOsAbi ? (H.Flags >> 8) & 0xff : H.Flags & 0xff;
}

Code CubinReader::read() {
  Code C;
  C.Arch = arch();
  for (uint32_t I = 0; I < Symbols.size(); ++I) {
    const ElfSymbol &S = Symbols[I];
    if (S.Type != ElfSymbolFunction || S.Section == 0)
      continue;
    FunctionsIn.emplace(S.Section, I);
    if (S.Other & EntryFlag)
      Kernels[I].Symbol = S.Name;
  }
  for (const ElfSection &S : Elf.sections()) {
    if (S.Name == ".nv.info")
      readGlobalInfo();
    else if (S.Name.starts_with(".nv.info."))
      readKernelInfo(S);
    else if (S.Name.starts_with(".nv.shared."))
      readShared(S);
    else if (S.Name == ".nv.callgraph")
      readCallGraph(Elf.contents(S));
    else if (S.Type == ElfSectionRela || S.Type == ElfSectionRel)
      readRelocations(S);
  }
  findUses();
  for (auto &[Index, Kernel] : Kernels)
    C.Kernels.push_back(std::move(Kernel));
  std::ranges::sort(C.Kernels, {}, &KernelCode::Symbol);
  readGlobals(C);
  return C;
}

/// .nv.info: (symbol, value) pairs.
void CubinReader::readGlobalInfo() {
  for (const InfoRecord &R :
       infoRecords(Elf.contents(*Elf.section(".nv.info")))) {
    auto Symbol = R.Payload.read<uint32_t>(0);
    auto Value = R.Payload.read<uint32_t>(4);
    if (!Symbol || !Value)
      continue;
    auto It = Kernels.find(*Symbol);
    if (It == Kernels.end())
      continue;
    switch (R.Attribute) {
    case InfoRegisterCount:
      It->second.Registers = *Value;
      break;
    case InfoFrameSize:
    case InfoMinStackSize: // The frame and those of its callees.
    case InfoMaxStackSize:
      It->second.LocalBytes = std::max<uint64_t>(It->second.LocalBytes, *Value);
      break;
    }
  }
}

/// .nv.info.<kernel>: sh_info is the section of its text.
void CubinReader::readKernelInfo(const ElfSection &Info) {
  auto Records = infoRecords(Elf.contents(Info));
  auto [Begin, End] = FunctionsIn.equal_range(Info.Info);
  for (auto It = Begin; It != End; ++It) {
    for (const InfoRecord &R : Records)
      if (R.Attribute == InfoExterns)
        for (uint64_t At = 0; auto Callee = R.Payload.read<uint32_t>(At);
             At += 4)
          Callees[It->second].insert(*Callee);
    auto Found = Kernels.find(It->second);
    if (Found == Kernels.end())
      continue;
    KernelCode &K = Found->second;
    for (const InfoRecord &R : Records) {
      auto Word = [&](uint64_t I) {
        return R.Payload.read<uint32_t>(I * 4).value_or(0);
      };
      switch (R.Attribute) {
      case InfoParameter:
        // Index, ordinal and offset, flags with the size in the upper bits.
        K.Parameters.push_back({Word(1) >> 16, Word(2) >> 18});
        break;
      case InfoMaxThreads:
      case InfoRequiredThreads:
        K.MaxThreadsPerBlock =
            Word(0) * std::max(1u, Word(1)) * std::max(1u, Word(2));
        break;
      case InfoClusterDims:
        K.ClusterDims = {Word(0), Word(1), Word(2)};
        break;
      }
    }
    std::ranges::sort(K.Parameters, {}, &KernelParameter::Offset);
  }
}

void CubinReader::readShared(const ElfSection &Shared) {
  uint64_t Size = Shared.Size;
  if (Elf.header().Type == ElfTypeExecutable && arch() >= 90)
    Size -= std::min(Size, ReservedShared);
  auto [Begin, End] = FunctionsIn.equal_range(Shared.Info);
  for (auto It = Begin; It != End; ++It)
    if (auto K = Kernels.find(It->second); K != Kernels.end())
      K->second.StaticSharedBytes = Size;
}

/// Pairs of symbols; a negative second number is a marker, not a callee.
void CubinReader::readCallGraph(ByteView Edges) {
  for (uint64_t At = 0; Edges.contains(At, 8); At += 8) {
    uint32_t Caller = *Edges.read<uint32_t>(At);
    int32_t Callee = *Edges.read<int32_t>(At + 4);
    if (Caller && Callee > 0)
      Callees[Caller].insert(static_cast<uint32_t>(Callee));
  }
}

void CubinReader::readRelocations(const ElfSection &Section) {
  auto [Begin, End] = FunctionsIn.equal_range(Section.Info);
  if (Begin == End)
    return;
  for (const ElfRelocation &R : Elf.relocations(Section))
    for (auto It = Begin; It != End; ++It)
      Callees[It->second].insert(R.Symbol);
}

void CubinReader::findUses() {
  for (auto &[Index, Kernel] : Kernels) {
    std::set<Use> Uses;
    std::set<uint32_t> Seen{Index};
    std::vector<uint32_t> Todo{Index};
    while (!Todo.empty()) {
      uint32_t Caller = Todo.back();
      Todo.pop_back();
      auto It = Callees.find(Caller);
      if (It == Callees.end())
        continue;
      for (uint32_t Callee : It->second) {
        if (Callee >= Symbols.size() || !Seen.insert(Callee).second)
          continue;
        if (auto U = useOfCallee(Symbols[Callee].Name))
          Uses.insert(*U);
        Todo.push_back(Callee);
      }
    }
    Kernel.Uses.assign(Uses.begin(), Uses.end());
  }
}

void CubinReader::readGlobals(Code &C) {
  for (const ElfSymbol &S : Symbols) {
    if ((S.Type != ElfSymbolObject && S.Type != ElfSymbolCudaObject) ||
        S.Section == 0 || S.Section >= Elf.sections().size())
      continue;
    // The compiler's own: string literals, __func__.
    if (S.Name.empty() || S.Name.starts_with('$') || S.Name.starts_with('.') ||
        S.Name.starts_with("__unnamed_"))
      continue;
    const ElfSection &In = Elf.sections()[S.Section];
    bool Constant = In.Name == ".nv.constant3";
    if (!Constant && In.Name != ".nv.global" && In.Name != ".nv.global.init")
      continue;
    GlobalCode G;
    G.Symbol = S.Name;
    G.Size = S.Size;
    G.Constant = Constant;
    if (Elf.contents(In).contains(S.Value, S.Size) && In.InFile)
      G.DataOffset = In.Offset + S.Value;
    C.Globals.push_back(std::move(G));
  }
  std::ranges::sort(C.Globals, {}, &GlobalCode::Symbol);
}

} // namespace

std::optional<Use> useOfCallee(std::string_view Callee) {
  if (Callee == "vprintf")
    return Use::Printf;
  if (Callee == "__assertfail" || Callee == "__assert_fail")
    return Use::Assert;
  if (Callee == "malloc" || Callee == "free" ||
      Callee == "__nv_aligned_device_malloc")
    return Use::Malloc;
  if (Callee.starts_with("cudaLaunchDevice") ||
      Callee.starts_with("__cudaCDP2LaunchDevice") ||
      Callee.starts_with("cudaGetParameterBuffer") ||
      Callee.starts_with("__cudaCDP2GetParameterBuffer"))
    return Use::Cdp;
  return std::nullopt;
}

Result<Code> readCubin(ByteView Bytes) {
  auto Elf = ElfReader::open(Bytes);
  if (!Elf)
    return Elf.errors();
  if (Elf->header().Machine != ElfMachineCuda)
    return makeError("an ELF, but not of device code");
  return CubinReader(*Elf).read();
}

} // namespace kplan::image
