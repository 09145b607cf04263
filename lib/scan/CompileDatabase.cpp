//===- CompileDatabase.cpp ------------------------------------------------===//

#include "scan/CompileDatabase.h"

#include "scan/CommandLine.h"
#include "scan/Launcher.h"
#include "scan/Paths.h"
#include "scan/Translate.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>

namespace kplan::scan {

namespace {

constexpr const char *FileName = "compile_commands.json";

/// A database is an array of objects; LLVM's parser recurses without limit.
constexpr unsigned MaxDepth = 64;

bool isTooDeep(std::string_view Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t At = 0; At < Text.size(); ++At) {
    char C = Text[At];
    if (InString) {
      if (C == '\\')
        ++At;
      else if (C == '"')
        InString = false;
    } else if (C == '"') {
      InString = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > MaxDepth)
        return true;
    } else if (C == ']' || C == '}') {
      if (Depth)
        --Depth;
    }
  }
  return false;
}

Diagnostic errorIn(const std::string &Path, std::string Message) {
  Diagnostic D = makeError(std::move(Message));
  D.File = Path;
  return D;
}

/// LLVM says "[line:column, byte=n]: what is wrong".
Diagnostic syntaxError(const std::string &Path, const std::string &Text) {
  Diagnostic D = errorIn(Path, Text);
  size_t End = Text.find("]: ");
  if (std::sscanf(Text.c_str(), "[%u:%u", &D.Line, &D.Column) == 2 &&
      End != std::string::npos) {
    D.Message = "not valid JSON: " + Text.substr(End + 3);
    if (D.Message.back() == '\n')
      D.Message.pop_back();
  }
  D.Hint = "the file may be half written: configure the build again";
  return D;
}

/// Whether this is a compiler that compiles, not a generator or an archiver.
bool isCompile(const CompileCommand &Command) {
  CompilerCall Call = findCompilerCall(Command.Arguments);
  const auto &Arguments = Call.Arguments;
  auto Has = [&](std::string_view Option) {
    return std::find(Arguments.begin(), Arguments.end(), Option) !=
           Arguments.end();
  };
  if (Call.Kind == CompilerKind::Unknown && !Has("-c") && !Has("-dc"))
    return false;
  switch (sourceKind(Command.File)) {
  case SourceKind::C:
  case SourceKind::Cxx:
  case SourceKind::Cuda:
    return true;
  case SourceKind::Header:
  case SourceKind::None:
    break;
  }
  // Any file can be a CUDA source by decree.
  for (size_t At = 0; At < Arguments.size(); ++At) {
    if (Arguments[At] == "-x=cu" || Arguments[At] == "-xcuda")
      return true;
    if (Arguments[At] == "-x" && At + 1 < Arguments.size() &&
        (Arguments[At + 1] == "cu" || Arguments[At + 1] == "cuda"))
      return true;
  }
  return false;
}

class Reader {
public:
  explicit Reader(const std::string &Path) : Path(Path) {}

  Result<std::vector<CompileCommand>> read(const llvm::json::Value &Root) {
    const llvm::json::Array *Entries = Root.getAsArray();
    if (!Entries)
      return errorIn(Path, "a compilation database is a JSON array");
    for (size_t Index = 0; Index < Entries->size(); ++Index)
      if (std::optional<std::string> Problem = entry((*Entries)[Index]))
        return errorIn(Path,
                       "entry " + std::to_string(Index + 1) + ": " + *Problem);
    return std::move(Commands);
  }

private:
  std::optional<std::string> entry(const llvm::json::Value &Value) {
    const llvm::json::Object *Object = Value.getAsObject();
    if (!Object)
      return "expected an object";
    std::optional<llvm::StringRef> File = Object->getString("file");
    if (!File)
      return "no \"file\"";
    CompileCommand Command;
    Command.File = File->str();
    llvm::StringRef Directory = Object->getString("directory").value_or("");
    Command.Directory = absolutePath(Directory.str(), parentPath(Path));
    Command.Output = Object->getString("output").value_or("").str();
    if (const llvm::json::Array *Words = Object->getArray("arguments")) {
      for (const llvm::json::Value &Word : *Words) {
        std::optional<llvm::StringRef> Text = Word.getAsString();
        if (!Text)
          return "\"arguments\" holds more than strings";
        Command.Arguments.push_back(Text->str());
      }
    } else if (std::optional<llvm::StringRef> Line =
                   Object->getString("command")) {
      Command.Arguments = pickCompilerCommand(
          splitShell(std::string_view(*Line)), Command.File);
    } else {
      return "neither \"arguments\" nor \"command\"";
    }
    if (isCompile(Command) &&
        Seen.insert(
                std::tuple(Command.Directory, Command.File, Command.Arguments))
            .second)
      Commands.push_back(std::move(Command));
    return std::nullopt;
  }

  const std::string &Path;
  std::vector<CompileCommand> Commands;
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> Seen;
};

/// compile_commands.json in a folder or in its build*/, `build` itself first.
std::vector<std::string> candidatesIn(const std::string &Folder,
                                      const HostSystem &System) {
  std::vector<std::string> Found;
  for (const std::string &Name : System.list(Folder)) {
    std::string Path = absolutePath(Name + "/" + FileName, Folder);
    if (!Name.starts_with("build") || !System.isFile(Path))
      continue;
    Found.insert(Name == "build" ? Found.begin() : Found.end(), Path);
  }
  return Found;
}

/// Whether the database compiles a file below one of the folders.
bool compilesBelow(const std::string &Database, const std::string &Folder,
                   const HostSystem &System) {
  Result<std::vector<CompileCommand>> Commands =
      readCompileDatabase(Database, System);
  if (!Commands)
    return false;
  std::string Real = System.realPath(Folder);
  return std::any_of(
      Commands->begin(), Commands->end(), [&](const CompileCommand &Command) {
        std::string File =
            System.realPath(absolutePath(Command.File, Command.Directory));
        return isWithin(File, Real);
      });
}

} // namespace

Result<std::vector<CompileCommand>>
parseCompileDatabase(std::string_view Text, const std::string &Path) {
  if (isTooDeep(Text))
    return errorIn(Path, "not a compilation database: nested too deeply");
  // A path in another encoding must not cost all other entries.
  std::string Fixed;
  if (!llvm::json::isUTF8(Text)) {
    Fixed = llvm::json::fixUTF8(Text);
    Text = Fixed;
  }
  llvm::Expected<llvm::json::Value> Root = llvm::json::parse(Text);
  if (!Root)
    return syntaxError(Path, llvm::toString(Root.takeError()));
  return Reader(Path).read(*Root);
}

Result<std::vector<CompileCommand>>
readCompileDatabase(const std::string &Path, const HostSystem &System) {
  std::string File = Path;
  if (System.isDirectory(Path))
    File = absolutePath(FileName, Path);
  std::optional<std::string> Text = System.read(File);
  if (!Text) {
    Diagnostic Error = errorIn(File, "cannot read the compilation database");
    Error.Hint = "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, "
                 "other builds with `bear -- make`";
    return Error;
  }
  return parseCompileDatabase(*Text, File);
}

std::optional<std::string> findCompileDatabase(const std::string &Start,
                                               const HostSystem &System) {
  if (fileName(Start) == FileName && System.isFile(Start))
    return Start;
  std::string Below; ///< The folder we came from.
  std::string Folder = System.isDirectory(Start) ? Start : parentPath(Start);
  while (!Folder.empty()) {
    std::string Own = absolutePath(FileName, Folder);
    if (System.isFile(Own))
      return Own;
    // /tmp/build-x is not the build of /tmp/y.
    bool IsProject = System.isFile(Folder + "/CMakeLists.txt") ||
                     System.isDirectory(Folder + "/.git") ||
                     System.isFile(Folder + "/.git");
    for (const std::string &Candidate : candidatesIn(Folder, System))
      if (Below.empty() || IsProject || compilesBelow(Candidate, Below, System))
        return Candidate;
    if (Folder == "/")
      break;
    Below = Folder;
    Folder = parentPath(Folder);
  }
  return std::nullopt;
}

} // namespace kplan::scan
