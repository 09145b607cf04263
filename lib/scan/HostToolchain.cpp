//===- HostToolchain.cpp --------------------------------------------------===//

#include "scan/HostToolchain.h"

#include "scan/Paths.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kplan::scan {

namespace {

/// "-12" or "-12.3" at the end of a program's name: "12"; else empty.
std::string_view versionSuffix(std::string_view Name) {
  size_t Dash = Name.rfind('-');
  if (Dash == std::string_view::npos || Dash + 1 == Name.size())
    return {};
  std::string_view Tail = Name.substr(Dash + 1);
  if (Tail.find_first_not_of("0123456789.") != std::string_view::npos)
    return {};
  return Tail;
}

std::string_view withoutVersion(std::string_view Name) {
  std::string_view Version = versionSuffix(Name);
  if (!Version.empty())
    Name.remove_suffix(Version.size() + 1);
  return Name;
}

/// Whether `Name` is `Base`, or a target and a dash before it.
bool isTool(std::string_view Name, std::string_view Base) {
  if (!Name.ends_with(Base))
    return false;
  return Name.size() == Base.size() ||
         Name[Name.size() - Base.size() - 1] == '-';
}

/// "x86_64-linux-gnu" of "x86_64-linux-gnu-g++"; empty of "g++".
std::string_view targetPrefix(std::string_view Name) {
  for (std::string_view Base : {"g++", "gcc", "c++", "cc"})
    if (isTool(Name, Base) && Name.size() > Base.size())
      return Name.substr(0, Name.size() - Base.size() - 1);
  return {};
}

using Version = std::array<unsigned, 3>;

/// "12" or "12.3.0"; all zero for other names.
Version folderVersion(std::string_view Name) {
  Version V{};
  const char *At = Name.data(), *End = At + Name.size();
  for (unsigned &Part : V) {
    auto [Next, Error] = std::from_chars(At, End, Part);
    if (Error != std::errc() || (Next != End && *Next != '.'))
      return {};
    if (Next == End)
      return V;
    At = Next + 1;
  }
  return {};
}

bool matchesVersion(std::string_view Folder, std::string_view Wanted) {
  if (Wanted.empty() || Folder == Wanted)
    return true;
  return Folder.starts_with(Wanted) && Folder[Wanted.size()] == '.';
}

/// `<Prefix>/lib/gcc/<target>/<version>`, the newest that fits.
std::string gccFolder(const std::string &Prefix, std::string_view Target,
                      std::string_view Wanted, const HostSystem &System) {
  std::string Best;
  Version BestVersion{};
  for (const char *Library : {"/lib/gcc/", "/lib64/gcc/", "/lib/gcc-cross/"}) {
    std::string Base = (Prefix == "/" ? "" : Prefix) + Library;
    for (const std::string &Triple : System.list(Base)) {
      if (!Target.empty() && Triple != Target)
        continue;
      for (const std::string &Name : System.list(Base + Triple)) {
        Version V = folderVersion(Name);
        std::string Folder = Base + Triple + "/" + Name;
        if (V > BestVersion && matchesVersion(Name, Wanted) &&
            System.isFile(Folder + "/crtbegin.o")) {
          Best = Folder;
          BestVersion = V;
        }
      }
    }
  }
  return Best;
}

std::vector<std::string> optionsOf(const std::string &GccFolder,
                                   const std::string &Prefix,
                                   const HostSystem &System) {
  std::vector<std::string> Options = {"--gcc-install-dir=" + GccFolder};
  // conda's compilers bring a C library of their own.
  std::string Target(fileName(parentPath(GccFolder)));
  std::string Sysroot = Prefix + "/" + Target + "/sysroot";
  if (System.isDirectory(Sysroot))
    Options.push_back("--sysroot=" + Sysroot);
  // omp.h and its like come with GCC; behind all other folders, so that
  // nothing else of GCC's own headers is seen.
  if (System.isFile(GccFolder + "/include/omp.h")) {
    Options.push_back("-idirafter");
    Options.push_back(GccFolder + "/include");
  }
  return Options;
}

} // namespace

CompilerKind classifyCompiler(std::string_view Program) {
  std::string_view Name = fileName(Program);
  if (Name == "nvcc_wrapper")
    return CompilerKind::NvccWrapper;
  Name = withoutVersion(Name);
  if (isTool(Name, "nvcc"))
    return CompilerKind::Nvcc;
  for (std::string_view Base : {"clang++", "clang", "icpx", "icx"})
    if (isTool(Name, Base))
      return CompilerKind::Clang;
  for (std::string_view Base :
       {"g++", "gcc", "c++", "cc", "mpicxx", "mpic++", "mpicc", "mpiCC", "CC",
        // TensorFlow's toolchain for Bazel.
        "crosstool_wrapper_driver_is_not_gcc"})
    if (isTool(Name, Base))
      return CompilerKind::Gcc;
  return CompilerKind::Unknown;
}

std::vector<std::string> toolchainOptions(const std::string &Compiler,
                                          const std::string &Directory,
                                          const HostSystem &System) {
  std::string Program = Compiler;
  std::string Folder = absolutePath(Compiler, Directory);
  if (Compiler.find('/') != std::string::npos && System.isDirectory(Folder))
    Program = Folder + "/gcc";
  if (classifyCompiler(Program) == CompilerKind::Clang)
    return {};
  std::string Found = findProgram(Program, Directory, System);
  // The link `g++` leads to `x86_64-linux-gnu-g++-12`, which says more.
  for (const std::string &Path :
       {Found.empty() ? Found : System.realPath(Found), Found, Program}) {
    std::string_view Name = fileName(Path);
    if (classifyCompiler(Name) != CompilerKind::Gcc)
      continue;
    std::string Prefix = Path.find('/') == std::string::npos
                             ? "/usr"
                             : parentPath(parentPath(Path));
    std::string GccFolder =
        gccFolder(Prefix, targetPrefix(withoutVersion(Name)),
                  versionSuffix(Name), System);
    if (!GccFolder.empty())
      return optionsOf(GccFolder, Prefix, System);
  }
  return {};
}

} // namespace kplan::scan
