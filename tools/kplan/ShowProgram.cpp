//===- ShowProgram.cpp - The device code of a program, for people ---------===//

#include "ShowProgram.h"

#include "Table.h"

#include "image/Program.h"
#include "plan/Demangle.h"
#include "plan/Names.h"
#include "plan/Text.h"

#include <cstdio>
#include <map>
#include <tuple>

namespace kplan::tool {

using image::KernelCode;
using image::ProgramCode;
using image::ProgramUnit;

static std::string usesOf(const KernelCode &K) {
  std::string Text;
  for (Use U : K.Uses)
    Text += (Text.empty() ? "" : ",") + std::string(nameOf(U));
  return Text;
}

static std::string numberOrDash(uint64_t Number) {
  return Number ? std::to_string(Number) : "-";
}

/// A kernel that is alike for several architectures, or in several fatbins, is
/// one row.
static void printKernels(const ProgramCode &P,
                         const ShowProgramOptions &Options) {
  using Row =
      std::tuple<std::string, uint32_t, uint64_t, uint64_t, std::string>;
  std::map<Row, std::string> Rows;
  for (const ProgramUnit &Unit : P.Units)
    for (const KernelCode &K : Unit.Code.Kernels) {
      std::string &Archs = Rows[Row(K.Symbol, K.Registers, K.LocalBytes,
                                    K.StaticSharedBytes, usesOf(K))];
      if (Archs.find(Unit.ArchName) == std::string::npos)
        Archs += (Archs.empty() ? "" : ",") + Unit.ArchName;
    }
  if (Rows.empty())
    return;
  Table T({"KERNEL", "ARCH", "REGISTERS", "LOCAL", "SHARED", "USES"});
  for (const auto &[Of, Archs] : Rows) {
    const auto &[Symbol, Registers, Local, Shared, Uses] = Of;
    T.addRow(
        {shorten(Options.Symbols ? Symbol : demangle(Symbol), Options.MaxWidth),
         Archs, numberOrDash(Registers), std::to_string(Local),
         std::to_string(Shared), Uses});
  }
  std::printf("\nKernels (%zu)\n%s", Rows.size(), T.text().c_str());
}

static void printGlobals(const ProgramCode &P,
                         const ShowProgramOptions &Options) {
  std::map<std::string, const image::GlobalCode *> Globals;
  for (const ProgramUnit &Unit : P.Units)
    for (const image::GlobalCode &G : Unit.Code.Globals)
      Globals.emplace(G.Symbol, &G);
  if (Globals.empty())
    return;
  Table T({"SYMBOL", "BYTES", "KIND"});
  for (const auto &[Symbol, G] : Globals)
    T.addRow({shorten(Symbol, Options.MaxWidth), std::to_string(G->Size),
              G->Constant ? "constant" : "global"});
  std::printf("\nGlobals (%zu)\n%s", Globals.size(), T.text().c_str());
}

static void printTables(const ProgramCode &P,
                        const ShowProgramOptions &Options) {
  uint64_t Bytes = 0;
  std::map<std::string, size_t> Archs;
  for (const ProgramUnit &Unit : P.Units) {
    Bytes += Unit.Bytes;
    ++Archs[Unit.ArchName];
  }
  std::string ArchText;
  for (const auto &[Arch, Count] : Archs)
    ArchText += (ArchText.empty() ? "" : ", ") + Arch + " (" +
                std::to_string(Count) + ")";
  std::printf("%s: %llu bytes of device code%s%s\n", P.Path.c_str(),
              static_cast<unsigned long long>(Bytes),
              ArchText.empty() ? "" : ": ", ArchText.c_str());
  if (!P.BuildId.empty())
    std::printf("  build id %s\n", P.BuildId.c_str());
  if (P.Unread)
    std::printf("  %zu entries cannot be read, the first because %s\n",
                P.Unread, P.WhyUnread.c_str());
  printKernels(P, Options);
  printGlobals(P, Options);
}

static std::string kernelJson(const KernelCode &K) {
  std::string Out =
      "{\"symbol\": " + jsonString(K.Symbol) +
      ", \"registers\": " + std::to_string(K.Registers) +
      ", \"local_bytes\": " + std::to_string(K.LocalBytes) +
      ", \"static_shared_bytes\": " + std::to_string(K.StaticSharedBytes) +
      ", \"uses\": [";
  for (const Use &U : K.Uses)
    Out +=
        (&U == K.Uses.data() ? "" : ", ") + jsonString(std::string(nameOf(U)));
  return Out + "]}";
}

static std::string globalJson(const image::GlobalCode &G) {
  return "{\"symbol\": " + jsonString(G.Symbol) +
         ", \"bytes\": " + std::to_string(G.Size) +
         ", \"constant\": " + (G.Constant ? "true" : "false") + '}';
}

template <typename T, typename F>
static std::string listJson(const std::vector<T> &List, F Each) {
  std::string Out = "[";
  for (const T &Item : List)
    Out += (&Item == List.data() ? "\n    " : ",\n    ") + Each(Item);
  return Out + ']';
}

static void printJson(const ProgramCode &P) {
  std::string Out = "{\n \"file\": " + jsonString(P.Path);
  if (!P.BuildId.empty())
    Out += ",\n \"build_id\": " + jsonString(P.BuildId);
  Out += ",\n \"unread\": " + std::to_string(P.Unread) + ",\n \"code\": [";
  for (const ProgramUnit &Unit : P.Units)
    Out += (&Unit == P.Units.data() ? "\n  " : ",\n  ") +
           ("{\"arch\": " + jsonString(Unit.ArchName)) +
           ", \"offset\": " + std::to_string(Unit.Offset) +
           ", \"bytes\": " + std::to_string(Unit.Bytes) +
           ",\n   \"kernels\": " + listJson(Unit.Code.Kernels, kernelJson) +
           ",\n   \"globals\": " + listJson(Unit.Code.Globals, globalJson) +
           '}';
  std::printf("%s\n ]\n}\n", Out.c_str());
}

Status showProgram(const ShowProgramOptions &Options) {
  auto P = image::readProgramCode(Options.Path);
  if (!P) {
    printDiagnostics(P.errors());
    return Status::Usage;
  }
  if (Options.Json)
    printJson(*P);
  else
    printTables(*P, Options);
  return Status::Ok;
}

} // namespace kplan::tool
