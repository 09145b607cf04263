//===- Ptx.cpp - Kernels and variables of PTX text ------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "image/Ptx.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace kplan::image {
namespace {

bool isSpace(char C) {
  return C == ' ' || C == '\t' || C == '\n' || C == '\r' || C == '\f' ||
         C == '\v';
}

bool isWord(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_' || C == '$' || C == '%' || C == '.';
}

/// Where the white space and comments that begin at \p At end.
size_t skipSpace(std::string_view Text, size_t At) {
  while (At < Text.size()) {
    if (isSpace(Text[At])) {
      ++At;
    } else if (Text.substr(At, 2) == "//") {
      At = std::min(Text.find('\n', At), Text.size());
    } else if (Text.substr(At, 2) == "/*") {
      size_t End = Text.find("*/", At + 2);
      At = End == std::string_view::npos ? Text.size() : End + 2;
    } else {
      break;
    }
  }
  return At;
}

/// Words (with their dots: `.entry`, `call.uni`, `%r1`) and single characters.
/// Empty at the end.
class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}

  std::string_view next() {
    At = skipSpace(Text, At);
    size_t Begin = At;
    if (At >= Text.size())
      return {};
    if (Text[At] == '"') {
      size_t End = Text.find('"', At + 1);
      At = End == std::string_view::npos ? Text.size() : End + 1;
    } else if (isWord(Text[At])) {
      while (At < Text.size() && isWord(Text[At]))
        ++At;
    } else {
      ++At;
    }
    return Text.substr(Begin, At - Begin);
  }

  std::string_view peek() {
    size_t Here = At;
    std::string_view Token = next();
    At = Here;
    return Token;
  }

private:
  std::string_view Text;
  size_t At = 0;
};

uint64_t number(std::string_view Word) {
  uint64_t N = 0;
  int Base = 10;
  if (Word.starts_with("0x") || Word.starts_with("0X")) {
    Word.remove_prefix(2);
    Base = 16;
  }
  auto R = std::from_chars(Word.data(), Word.data() + Word.size(), N, Base);
  return R.ec == std::errc() ? N : 0;
}

/// Size of `.u32`, `.b8`, `.f16x2`, `.pred`; 0 when it is no type.
unsigned typeSize(std::string_view Word) {
  if (Word.size() < 3 || Word[0] != '.' ||
      std::string_view("bsuf").find(Word[1]) == std::string_view::npos)
    return 0;
  std::string_view Bits = Word.substr(2);
  if (Bits == "16x2")
    return 4;
  uint64_t N = number(Bits);
  return N == 8 || N == 16 || N == 32 || N == 64 || N == 128 ? N / 8 : 0;
}

constexpr uint64_t MaxVariable = uint64_t(1) << 40;

struct Variable {
  std::string_view Name;
  uint64_t Size = 0;
  uint64_t Align = 1;
};

struct Function {
  bool Entry = false;
  bool Defined = false;
  KernelCode Code;
  std::set<std::string_view> Callees;
};

class PtxReader {
public:
  explicit PtxReader(std::string_view Text) : Tokens(Text) {}
  Code read();

private:
  Variable variable(std::string_view EndTokens);
  void skipInitializer();
  void readFunction(bool Entry);
  void readParameters(Function &F);
  void readDirectives(Function &F);
  void readBody(Function &F);
  void readCall(Function &F);
  void finish(Code &C);

  Lexer Tokens;
  std::map<std::string_view, Function> Functions;
  std::map<std::string_view, uint64_t> SharedVariables;
};

/// Reads `.align 8 .b8 name[16][4]` after the state space, up to and with the
/// token that ends it, one of \p EndTokens.
Variable PtxReader::variable(std::string_view EndTokens) {
  Variable V;
  uint64_t Element = 0, Count = 1;
  unsigned Vector = 1;
  for (std::string_view T = Tokens.peek(); !T.empty(); T = Tokens.peek()) {
    if (EndTokens.find(T[0]) != std::string_view::npos)
      break;
    Tokens.next();
    if (T == ".align") {
      V.Align = std::max<uint64_t>(1, number(Tokens.next()));
    } else if (T == ".v2" || T == ".v4" || T == ".v8") {
      Vector = T[2] - '0';
    } else if (unsigned Size = typeSize(T)) {
      Element = Size;
    } else if (T == "[") {
      std::string_view N = Tokens.next();
      Count = N == "]" ? 0 : Count * std::min(number(N), MaxVariable);
      Count = std::min(Count, MaxVariable);
    } else if (T[0] != '.' && T != "]") {
      V.Name = T;
    }
  }
  V.Size = Element * Vector * Count;
  return V;
}

void PtxReader::skipInitializer() {
  for (std::string_view T = Tokens.next(); !T.empty() && T != ";";)
    T = Tokens.next();
}

void PtxReader::readParameters(Function &F) {
  uint64_t Offset = 0;
  for (std::string_view T = Tokens.next(); !T.empty() && T != ")";
       T = Tokens.next()) {
    if (T != ".param")
      continue;
    // `.ptr .global .align 8` describes what a pointer points at.
    Variable V = variable(",)");
    uint64_t Align = std::max<uint64_t>(V.Align, std::min<uint64_t>(V.Size, 8));
    Offset = (Offset + Align - 1) / Align * Align;
    F.Code.Parameters.push_back(
        {static_cast<uint32_t>(Offset), static_cast<uint32_t>(V.Size)});
    Offset += V.Size;
  }
}

/// `.maxntid 128, 1, 1` and its like, between the parameters and the body.
void PtxReader::readDirectives(Function &F) {
  std::array<uint32_t, 3> *Target = nullptr;
  std::array<uint32_t, 3> Threads{}, Ignored{};
  unsigned Index = 0;
  for (std::string_view T = Tokens.peek(); !T.empty() && T != "{" && T != ";";
       T = Tokens.peek()) {
    Tokens.next();
    if (T[0] == '.') {
      Target = T == ".maxntid" || T == ".reqntid" ? &Threads
               : T == ".reqnctapercluster"        ? &F.Code.ClusterDims
                                                  : &Ignored;
      Index = 0;
    } else if (Target && T[0] >= '0' && T[0] <= '9' && Index < 3) {
      (*Target)[Index++] = static_cast<uint32_t>(number(T));
    }
  }
  if (Threads[0])
    F.Code.MaxThreadsPerBlock =
        Threads[0] * std::max(1u, Threads[1]) * std::max(1u, Threads[2]);
  auto &Cluster = F.Code.ClusterDims;
  if (Cluster[0])
    for (uint32_t &Dim : Cluster)
      Dim = std::max(1u, Dim);
}

void PtxReader::readCall(Function &F) {
  // `call.uni (ret), name, (args);` or `call name;`. An indirect call names a
  // register, and a prototype or a table of targets behind the arguments.
  unsigned Depth = 0;
  bool Target = true;
  for (std::string_view T = Tokens.next(); !T.empty() && T != ";";
       T = Tokens.next()) {
    if (T == "(")
      ++Depth;
    else if (T == ")")
      Depth -= Depth ? 1 : 0;
    else if (Depth == 0 && Target && isWord(T[0])) {
      F.Callees.insert(T);
      Target = false;
    }
  }
}

void PtxReader::readBody(Function &F) {
  unsigned Depth = 0;
  bool StatementStart = true;
  for (std::string_view T = Tokens.next(); !T.empty(); T = Tokens.next()) {
    if (T == "{") {
      ++Depth;
    } else if (T == "}") {
      if (--Depth == 0)
        return;
    } else if (T == ".local") {
      Variable V = variable(";");
      F.Code.LocalBytes =
          (F.Code.LocalBytes + V.Align - 1) / V.Align * V.Align + V.Size;
    } else if (T == ".shared") {
      F.Code.StaticSharedBytes += variable(";").Size;
    } else if (StatementStart && (T == "call" || T == "call.uni")) {
      readCall(F);
      continue;
    } else if (SharedVariables.contains(T)) {
      F.Callees.insert(T); // Counted once, where the uses are joined.
    }
    // A predicate `@%p1` or label `L:` may stand before an instruction.
    StatementStart = T == ";" || T == "{" || T == "}" || T == ":" || T == "@" ||
                     T == "!" || (StatementStart && T[0] == '%');
  }
}

void PtxReader::readFunction(bool Entry) {
  Function F;
  F.Entry = Entry;
  std::string_view Name = Tokens.next();
  if (Name == "(") { // The return value of a .func.
    while (!Name.empty() && Name != ")")
      Name = Tokens.next();
    Name = Tokens.next();
  }
  if (Name.empty() || !isWord(Name[0]))
    return;
  if (Tokens.peek() == "(") {
    Tokens.next();
    readParameters(F);
  }
  readDirectives(F);
  if (Tokens.peek() == "{") {
    F.Defined = true;
    readBody(F);
  } else {
    Tokens.next();
  }
  F.Code.Symbol = Name;
  Function &Slot = Functions[Name];
  if (!Slot.Defined)
    Slot = std::move(F);
}

void PtxReader::finish(Code &C) {
  for (auto &[Name, F] : Functions) {
    if (!F.Entry || !F.Defined)
      continue;
    KernelCode K = F.Code;
    std::set<Use> Uses;
    std::set<std::string_view> Seen{Name};
    std::vector<std::string_view> Todo(F.Callees.begin(), F.Callees.end());
    while (!Todo.empty()) {
      std::string_view Callee = Todo.back();
      Todo.pop_back();
      if (!Seen.insert(Callee).second)
        continue;
      if (auto U = useOfCallee(Callee))
        Uses.insert(*U);
      if (auto S = SharedVariables.find(Callee); S != SharedVariables.end())
        K.StaticSharedBytes += S->second;
      auto It = Functions.find(Callee);
      if (It == Functions.end())
        continue;
      K.LocalBytes += It->second.Code.LocalBytes;
      K.StaticSharedBytes += It->second.Code.StaticSharedBytes;
      Todo.insert(Todo.end(), It->second.Callees.begin(),
                  It->second.Callees.end());
    }
    K.Uses.assign(Uses.begin(), Uses.end());
    C.Kernels.push_back(std::move(K));
  }
  std::ranges::sort(C.Kernels, {}, &KernelCode::Symbol);
  std::ranges::sort(C.Globals, {}, &GlobalCode::Symbol);
}

Code PtxReader::read() {
  Code C;
  bool Extern = false;
  for (std::string_view T = Tokens.next(); !T.empty(); T = Tokens.next()) {
    if (T == ".extern") {
      Extern = true;
      continue;
    }
    if (T == ".target") {
      std::string_view Name = Tokens.next();
      if (Name.starts_with("sm_"))
        C.Arch = static_cast<unsigned>(number(Name.substr(3)));
    } else if (T == ".entry" || T == ".func") {
      readFunction(T == ".entry");
    } else if (T == ".global" || T == ".const" || T == ".shared") {
      Variable V = variable(";=,");
      skipInitializer();
      bool Own = V.Name.empty() || V.Name[0] == '$' ||
                 V.Name.starts_with("__unnamed_");
      if (T == ".shared")
        SharedVariables[V.Name] = V.Size;
      else if (!Own && !Extern)
        C.Globals.push_back(
            {std::string(V.Name), V.Size, T == ".const", std::nullopt});
    } else if (T[0] == '.') {
      if (T != ".visible" && T != ".weak" && T != ".common")
        continue;
      continue;
    }
    Extern = false;
  }
  finish(C);
  return C;
}

} // namespace

std::optional<size_t> ptxSize(ByteView Bytes) {
  if (Bytes.empty())
    return std::nullopt;
  // Byte by byte: whoever hands a pointer to the driver ends the text, and
  // nothing behind that end may be looked at.
  constexpr std::string_view Begin = ".version";
  const char *Text = Bytes.text().data();
  size_t Length = strnlen(Text, Bytes.size());
  std::string_view All(Text, Length);
  size_t At = skipSpace(All, 0);
  if (All.substr(At, Begin.size()) != Begin)
    return std::nullopt;
  return Length;
}

Result<Code> readPtx(std::string_view Text) {
  if (!ptxSize(ByteView(Text)))
    return makeError("not PTX: it does not begin with .version");
  return PtxReader(Text).read();
}

std::string_view ptxTarget(std::string_view Text) {
  Lexer Tokens(Text);
  for (std::string_view T = Tokens.next(); !T.empty(); T = Tokens.next())
    if (T == ".target")
      return Tokens.next();
  return {};
}

} // namespace kplan::image
