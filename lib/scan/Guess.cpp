//===- Guess.cpp ----------------------------------------------------------===//

#include "scan/Guess.h"

#include "scan/CommandLine.h"
#include "scan/CudaText.h"
#include "scan/CudaToolkit.h"
#include "scan/Paths.h"
#include "scan/Translate.h"

#include <algorithm>
#include <deque>
#include <set>

namespace kplan::scan {

namespace {

/// How many leading folders two absolute paths have in common.
size_t commonFolders(std::string_view A, std::string_view B) {
  size_t Common = 0;
  for (size_t At = 0; At < A.size() && At < B.size() && A[At] == B[At]; ++At)
    Common += A[At] == '/';
  return Common;
}

/// The C and C++ library's folders, for names that are not the tree's.
std::vector<std::string> systemFolders(const HostSystem &System) {
  std::vector<std::string> Folders = {"/usr/include", "/usr/local/include"};
  for (const std::string &Name : System.list("/usr/include"))
    if (Name.ends_with("-linux-gnu"))
      Folders.push_back("/usr/include/" + Name);
  for (const std::string &Name : System.list("/usr/include/c++"))
    Folders.push_back("/usr/include/c++/" + Name);
  return Folders;
}

/// A word that comes out of nvcc's list and the shell behind it unchanged.
std::string forXcompiler(const std::string &Word) {
  std::string Escaped;
  for (char C : quoteForShell(Word)) {
    if (C == ',' || C == '\\' || C == '"')
      Escaped += '\\';
    Escaped += C;
  }
  return Escaped;
}

bool isRepository(const std::string &Folder, const HostSystem &System) {
  for (const char *Name : {"/.git", "/.hg"})
    if (System.isDirectory(Folder + Name) || System.isFile(Folder + Name))
      return true;
  return false;
}

bool isBuilt(const std::string &Folder, const HostSystem &System) {
  for (const char *Name :
       {"/CMakeLists.txt", "/setup.py", "/pyproject.toml", "/Makefile",
        "/meson.build", "/BUILD", "/BUILD.bazel", "/MODULE.bazel"})
    if (System.isFile(Folder + Name))
      return true;
  return false;
}

} // namespace

std::string projectFolder(const std::string &Root, const HostSystem &System) {
  std::string Home = System.environment("HOME");
  std::string Outermost = Root;
  for (std::string Folder = Root;
       !Folder.empty() && Folder != "/" && Folder != Home;
       Folder = parentPath(Folder)) {
    if (isRepository(Folder, System))
      return Folder;
    // Sources often lie a folder or two below the file that builds them.
    if (isBuilt(Folder, System))
      Outermost = Folder;
  }
  return Outermost;
}

Guesser::Guesser(std::string TheRoot, const std::vector<std::string> &Files,
                 const TranslateOptions &Given, const HostSystem &System)
    : Root(std::move(TheRoot)), ArchGiven(!Given.Arch.empty()),
      CudaGiven(!Given.CudaPath.empty()), System(System),
      SystemFolders(systemFolders(System)) {
  for (const std::string &File : Files)
    ByName[std::string(fileName(File))].push_back(File);
  std::optional<CudaToolkit> Toolkit =
      CudaGiven ? openCudaToolkit(Given.CudaPath, System)
                : findCudaToolkit(System);
  if (!Toolkit)
    return;
  CudaRoot = Toolkit->Root;
  CudaFolders = Toolkit->IncludeFolders;
  if (!Toolkit->CcclFolder.empty())
    CudaFolders.push_back(Toolkit->CcclFolder);
}

CompileCommand Guesser::guess(const std::string &File) {
  CompileCommand Command;
  Command.Directory = parentPath(File);
  Command.File = File;
  Command.Guessed = true;
  auto &Arguments = Command.Arguments;

  SourceKind Kind = sourceKind(File);
  bool IsCuda = Kind != SourceKind::C && Kind != SourceKind::Cxx;
  if (IsCuda) {
    Arguments = {"nvcc", "-x", "cu"};
    if (!ArchGiven) {
      Arguments.push_back("-arch=sm_90");
      Command.Guesses.push_back("sm_90");
    }
  } else {
    Arguments = {Kind == SourceKind::C ? "gcc" : "g++"};
  }
  if (Kind != SourceKind::C) {
    Arguments.push_back("-std=c++17");
    Command.Guesses.push_back("C++17");
  }
  auto Add = [&](const char *Option, const std::string &Folder) {
    for (const std::string &Word : {std::string(Option), Folder})
      if (IsCuda)
        Arguments.push_back("-Xcompiler=" + forXcompiler(Word));
      else
        Arguments.push_back(Word);
  };
  FolderGuess Folders = guessFolders(File);
  // For quotes alone: nothing of the C library's must be found there.
  Add("-iquote", Command.Directory);
  for (const std::string &Folder : Folders.Conventional)
    Arguments.push_back("-I" + Folder);
  for (const std::string &Folder : Folders.Resolving)
    Add("-idirafter", Folder);
  for (const auto *Guessed : {&Folders.Conventional, &Folders.Resolving})
    for (const std::string &Folder : *Guessed)
      Command.Guesses.push_back(
          "-I" + (Folder == Root
                      ? "."
                      : relativeWithin(Folder, Root).value_or(Folder)));
  if (!IsCuda)
    for (const std::string &Folder : CudaFolders)
      Arguments.insert(Arguments.end(), {"-isystem", Folder});
  if (!CudaGiven && !CudaRoot.empty())
    Command.Guesses.push_back("CUDA in " + CudaRoot);
  Arguments.insert(Arguments.end(), {"-c", File});
  return Command;
}

const std::vector<Guesser::Include> &
Guesser::includesOf(const std::string &File) {
  auto [It, New] = Includes.try_emplace(File);
  if (New)
    if (std::optional<std::string> Text = System.read(File))
      for (IncludeText &Include : lookAtSource(*Text).Includes)
        It->second.push_back({std::move(Include.Name), Include.Quoted});
  return It->second;
}

bool Guesser::isSystemHeader(const std::string &Name) {
  auto [It, New] = SystemHeaders.try_emplace(Name);
  if (New)
    for (const auto *Folders : {&CudaFolders, &SystemFolders})
      for (const std::string &Folder : *Folders)
        It->second = It->second || System.isFile(Folder + "/" + Name);
  return It->second;
}

std::string Guesser::findInTree(const std::string &Name,
                                const std::string &Includer) const {
  auto It = ByName.find(fileName(Name));
  if (It == ByName.end())
    return "";
  std::string Tail = "/" + Name;
  const std::string *Best = nullptr;
  // Nearest, then highest in the tree, then first by name.
  auto Rank = [&](const std::string &Path) {
    return std::tuple(-std::ptrdiff_t(commonFolders(Path, Includer)),
                      std::count(Path.begin(), Path.end(), '/'), Path);
  };
  for (const std::string &Path : It->second)
    if (Path != Includer && Path.ends_with(Tail) &&
        (!Best || Rank(Path) < Rank(*Best)))
      Best = &Path;
  return Best ? *Best : "";
}

Guesser::FolderGuess Guesser::guessFolders(const std::string &File) {
  FolderGuess Guess;
  std::string Own = parentPath(File);
  for (std::string Up = Own; isWithin(Up, Root); Up = parentPath(Up)) {
    std::string Folder = absolutePath("include", Up);
    if (System.isDirectory(Folder))
      Guess.Conventional.push_back(Folder);
    if (Up == "/")
      break;
  }

  // In the order of the compiler's search.
  auto Find = [&](const Include &I, const std::string &Includer) {
    std::vector<std::string> Folders;
    if (I.Quoted)
      Folders = {parentPath(Includer), Own};
    Folders.insert(Folders.end(), Guess.Conventional.begin(),
                   Guess.Conventional.end());
    Folders.insert(Folders.end(), Guess.Resolving.begin(),
                   Guess.Resolving.end());
    for (const std::string &Folder : Folders)
      if (std::string Path = absolutePath(I.Name, Folder); System.isFile(Path))
        return Path;
    return std::string();
  };
  std::deque<std::string> Open = {File};
  std::set<std::string> Seen = {File};
  while (!Open.empty()) {
    std::string Includer = std::move(Open.front());
    Open.pop_front();
    for (const Include &I : includesOf(Includer)) {
      std::string Found = Find(I, Includer);
      if (Found.empty() && !isSystemHeader(I.Name)) {
        Found = findInTree(I.Name, Includer);
        if (!Found.empty())
          Guess.Resolving.push_back(
              Found.substr(0, Found.size() - I.Name.size() - 1));
      }
      if (!Found.empty() && isWithin(Found, Root) && Seen.insert(Found).second)
        Open.push_back(Found);
    }
  }
  return Guess;
}

} // namespace kplan::scan
