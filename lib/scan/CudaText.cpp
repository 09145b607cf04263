//===- CudaText.cpp - A quick look at a source file -----------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/CudaText.h"

#include "plan/FileIO.h"
#include "scan/Paths.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace kplan::scan {

//===----------------------------------------------------------------------===//
// One file's text
//===----------------------------------------------------------------------===//

namespace {

bool isWordCharacter(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
}

/// Names whose calls, or whose definition in the case of __global__, make a
/// file worth parsing. Prefixes: the families grow with each toolkit.
constexpr std::array<std::string_view, 13> CudaWords = {
    "__global__",      "cudaFunc",    "cudaLaunch",     "cudaKernel",
    "cudaGetKernel",   "cudaLibrary", "cudaOccupancy",  "cudaGraph",
    "cudaGetFuncBySy", "cuFunc",      "cuLaunchKernel", "cuKernel",
    "cuOccupancy"};

bool isCudaWord(std::string_view Word) {
  return std::any_of(CudaWords.begin(), CudaWords.end(),
                     [&](std::string_view W) { return Word.starts_with(W); });
}

/// Walks over a text, leaving out comments and the insides of literals.
class Looker {
public:
  explicit Looker(std::string_view Text) : Text(Text) {}

  SourceLook look() {
    bool LineStart = true;
    while (At < Text.size()) {
      char C = Text[At];
      if (C == '\n') {
        LineStart = true;
        ++At;
      } else if (std::isspace(static_cast<unsigned char>(C))) {
        ++At;
      } else if (skipComment()) {
        // A comment leaves a line's start where it is.
      } else if (C == '#' && LineStart) {
        directive();
      } else {
        LineStart = false;
        code();
      }
    }
    return std::move(Look);
  }

private:
  bool startsWith(std::string_view What) const {
    return Text.substr(At, What.size()) == What;
  }

  bool skipComment() {
    if (startsWith("//")) {
      skipLine();
      return true;
    }
    if (startsWith("/*")) {
      size_t End = Text.find("*/", At + 2);
      At = End == std::string_view::npos ? Text.size() : End + 2;
      return true;
    }
    return false;
  }

  /// To the line's end, or that of the last line that it continues on.
  void skipLine() {
    for (; At < Text.size() && Text[At] != '\n'; ++At) {
      if (Text[At] != '\\')
        continue;
      if (startsWith("\\\n"))
        At += 1;
      else if (startsWith("\\\r\n"))
        At += 2;
    }
  }

  void skipSpaces() {
    for (;;) {
      if (At < Text.size() && (Text[At] == ' ' || Text[At] == '\t'))
        ++At;
      else if (startsWith("\\\n"))
        At += 2;
      else if (!startsWith("/*") || !skipComment())
        return;
    }
  }

  std::string_view word() {
    size_t Start = At;
    while (At < Text.size() && isWordCharacter(Text[At]))
      ++At;
    return Text.substr(Start, At - Start);
  }

  void directive() {
    ++At;
    skipSpaces();
    std::string_view Name = word();
    if (Name == "include" || Name == "include_next" || Name == "import") {
      skipSpaces();
      char Open = At < Text.size() ? Text[At] : '\0';
      if (Open == '"' || Open == '<') {
        char Close = Open == '<' ? '>' : '"';
        size_t End = Text.find_first_of(std::string{Close, '\n'}, At + 1);
        if (End != std::string_view::npos && Text[End] == Close)
          Look.Includes.push_back(
              {std::string(Text.substr(At + 1, End - At - 1)), Open == '"'});
      }
    }
    // A block comment may reach into the next lines.
    while (At < Text.size() && Text[At] != '\n') {
      if (startsWith("\\\n"))
        At += 2;
      else if (startsWith("\\\r\n"))
        At += 3;
      else if (!skipComment())
        ++At;
    }
  }

  void code() {
    char C = Text[At];
    if (isWordCharacter(C)) {
      std::string_view Word = word();
      if (isCudaWord(Word))
        Look.HasCudaCode = true;
      bool Quote = At < Text.size() && Text[At] == '"';
      if (Quote && (Word == "R" || Word == "LR" || Word == "u8R" ||
                    Word == "uR" || Word == "UR"))
        skipRawString();
      else if (std::isdigit(static_cast<unsigned char>(Word[0])))
        skipDigitSeparators();
    } else if (C == '"' || C == '\'') {
      skipLiteral(C);
    } else {
      if (startsWith("<<<"))
        Look.HasCudaCode = true;
      ++At;
    }
  }

  /// 1'000: the quote begins no character literal.
  void skipDigitSeparators() {
    while (At + 1 < Text.size() && Text[At] == '\'' &&
           isWordCharacter(Text[At + 1])) {
      ++At;
      word();
    }
  }

  void skipLiteral(char Quote) {
    for (++At; At < Text.size() && Text[At] != '\n'; ++At) {
      if (Text[At] == '\\')
        ++At;
      else if (Text[At] == Quote) {
        ++At;
        return;
      }
    }
  }

  void skipRawString() {
    size_t Open = Text.find('(', At);
    if (Open == std::string_view::npos || Open - At > 17) {
      ++At;
      return;
    }
    std::string Close =
        ")" + std::string(Text.substr(At + 1, Open - At - 1)) + "\"";
    size_t End = Text.find(Close, Open);
    At = End == std::string_view::npos ? Text.size() : End + Close.size();
  }

  std::string_view Text;
  size_t At = 0;
  SourceLook Look;
};

} // namespace

SourceLook lookAtSource(std::string_view Text) { return Looker(Text).look(); }

bool isCudaHeaderName(std::string_view Name) {
  if (Name == "cuda.h")
    return true;
  constexpr std::array<std::string_view, 12> Prefixes = {
      "cuda_",    "cudart",   "cublas",
      "cudnn",    "cufft",    "curand",
      "cusparse", "cusolver", "cooperative_groups",
      "cub/",     "thrust/",  "cuda/"};
  return std::any_of(Prefixes.begin(), Prefixes.end(),
                     [&](std::string_view P) { return Name.starts_with(P); });
}

//===----------------------------------------------------------------------===//
// From file to file
//===----------------------------------------------------------------------===//

SearchFolders searchFolders(const std::vector<std::string> &Arguments,
                            const std::string &Directory) {
  SearchFolders Folders;
  std::vector<std::string> After;
  auto Option = [&](size_t &I, std::string_view Name, std::string &Value) {
    const std::string &Argument = Arguments[I];
    if (!std::string_view(Argument).starts_with(Name))
      return false;
    if (Argument.size() > Name.size())
      Value = Argument.substr(Name.size());
    else if (I + 1 < Arguments.size())
      Value = Arguments[++I];
    else
      return false;
    return true;
  };
  for (size_t I = 0; I < Arguments.size(); ++I) {
    std::string Value;
    if (Option(I, "-iquote", Value))
      Folders.Quoted.push_back(absolutePath(Value, Directory));
    else if (Option(I, "-isystem", Value) || Option(I, "-I", Value))
      Folders.All.push_back(absolutePath(Value, Directory));
    else if (Option(I, "-idirafter", Value))
      After.push_back(absolutePath(Value, Directory));
    else if (Arguments[I] == "-include" && I + 1 < Arguments.size())
      Folders.Forced.push_back(Arguments[++I]);
  }
  Folders.All.insert(Folders.All.end(), After.begin(), After.end());
  return Folders;
}

const SourceLook &IncludeGraph::look(const std::string &RealPath) {
  auto [It, New] = Looks.try_emplace(RealPath);
  if (New) {
    constexpr size_t MostBytes = 64 << 20;
    // A file that cannot be read is reported when it is parsed.
    if (Result<std::string> Text = readFile(RealPath, MostBytes))
      It->second = lookAtSource(*Text);
  }
  return It->second;
}

bool IncludeGraph::hasCudaCode(const std::string &RealPath) {
  return look(RealPath).HasCudaCode;
}

std::string IncludeGraph::find(const IncludeText &Include,
                               const std::string &Includer,
                               const SearchFolders &Folders) const {
  auto In = [&](const std::string &Folder) {
    std::string Path = Folder + "/" + Include.Name;
    std::error_code EC;
    return fs::is_regular_file(Path, EC) ? Path : std::string();
  };
  if (Include.Name.starts_with('/')) {
    std::error_code EC;
    return fs::is_regular_file(Include.Name, EC) ? Include.Name : std::string();
  }
  if (Include.Quoted) {
    if (std::string Path = In(parentPath(Includer)); !Path.empty())
      return Path;
    for (const std::string &Folder : Folders.Quoted)
      if (std::string Path = In(Folder); !Path.empty())
        return Path;
  }
  for (const std::string &Folder : Folders.All)
    if (std::string Path = In(Folder); !Path.empty())
      return Path;
  return {};
}

bool IncludeGraph::isToolkitFolder(const std::string &Folder) {
  auto [It, New] = ToolkitFolders.try_emplace(Folder, false);
  if (New) {
    std::error_code EC;
    It->second = fs::exists(Folder + "/cuda_runtime_api.h", EC);
  }
  return It->second;
}

/// `Path` ends in `Name`, below the folder that was searched. CCCL lies in a
/// folder of the toolkit's.
bool IncludeGraph::isToolkitHeader(const std::string &Path,
                                   std::string_view Name) {
  if (Path.size() <= Name.size() + 1)
    return isToolkitFolder(parentPath(Path));
  std::string Folder = Path.substr(0, Path.size() - Name.size() - 1);
  return isToolkitFolder(Folder) || isToolkitFolder(parentPath(Folder));
}

std::vector<std::string>
IncludeGraph::includedFiles(const std::string &RealPath,
                            const SearchFolders &Folders) {
  std::vector<std::string> Files;
  for (const IncludeText &Include : look(RealPath).Includes)
    if (std::string Found = find(Include, RealPath, Folders); !Found.empty())
      if (std::optional<std::string> Real = realPath(Found))
        Files.push_back(std::move(*Real));
  return Files;
}

bool IncludeGraph::reachesCuda(const std::string &RealPath,
                               const SearchFolders &Folders) {
  std::map<std::string, bool> &Memory = Known[Folders];
  std::vector<std::string> Stack{RealPath};
  std::set<std::string> Visited{RealPath};
  bool First = true;
  while (!Stack.empty()) {
    std::string File = std::move(Stack.back());
    Stack.pop_back();
    if (auto It = Memory.find(File); It != Memory.end()) {
      if (!It->second)
        continue;
      return Memory[RealPath] = true;
    }
    std::vector<IncludeText> Includes = look(File).Includes;
    if (std::exchange(First, false))
      for (const std::string &Forced : Folders.Forced)
        Includes.push_back({Forced, true});
    for (const IncludeText &Include : Includes) {
      std::string Found = find(Include, File, Folders);
      bool IsCuda = Found.empty() ? isCudaHeaderName(Include.Name)
                                  : isToolkitHeader(Found, Include.Name);
      if (IsCuda)
        return Memory[RealPath] = true;
      if (Found.empty())
        continue;
      std::optional<std::string> Real = realPath(Found);
      if (Real && Visited.insert(*Real).second)
        Stack.push_back(*Real);
    }
  }
  for (const std::string &File : Visited)
    Memory[File] = false;
  return false;
}

} // namespace kplan::scan
