//===- ScanUnit.cpp - Scan one translation unit ---------------------------===//
//
// Part of kplan. Runs clang on one command and hands the finished AST to the
// walkers.
//
//===----------------------------------------------------------------------===//

#include "scan/ScanUnit.h"
#include "scan/UnitScanner.h"
#include "scan/UnitVisitor.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/thread.h"

using namespace clang;

namespace kplan::scan {
namespace {

/// Room for deep recursion over long expressions; clang watches its own.
constexpr unsigned StackBytes = 256u << 20;

/// A TU with more errors is not worth their text.
constexpr size_t MaxErrors = 50;

/// clang's CUDA headers include one header of cuRAND, which minimal toolkits
/// and NVIDIA's wheels lack. Searched last, this empty one stands in for it: a
/// TU that uses cuRAND still misses cuRAND's other headers.
constexpr const char *StandInFolder = "/kplan-scan-headers";
constexpr const char *StandInHeader =
    "/kplan-scan-headers/curand_mtgp32_kernel.h";

/// What the parts of one run share.
struct Run {
  const ClangCommand &Command;
  PathRoots Roots;
  bool DropDeviceBodies = false;
  bool AllKernels = false;
  size_t Dropped = 0;             ///< Errors beyond MaxErrors.
  bool NeedsDeviceBodies = false; ///< They were dropped, and are needed.
  UnitResult Result;
  std::unique_ptr<SourcePlaces> Places;
};

class ErrorCollector : public DiagnosticConsumer {
public:
  explicit ErrorCollector(Run &R) : R(R) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    // nvcc takes what CCCL writes: `__host__ __device__` on one declaration of
    // a deduction guide only. It says nothing about any kernel.
    if (Info.getID() == diag::err_deduction_guide_target_attr)
      return;
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error)
      return;
    R.Result.Failed = true;
    if (R.Result.Diagnostics.size() >= MaxErrors) {
      ++R.Dropped;
      return;
    }
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    kplan::Diagnostic D;
    D.Message = Text.str().str();
    if (R.Places && Info.getLocation().isValid()) {
      const SourcePosition P = R.Places->position(Info.getLocation());
      D.File = P.File;
      D.Line = P.Line;
      D.Column = P.Column;
    } else {
      D.File = R.Command.File;
    }
    R.Result.Diagnostics.push_back(std::move(D));
  }

private:
  Run &R;
};

/// Remembers how files were spelled in #include directives.
class IncludeSpellings : public PPCallbacks {
public:
  IncludeSpellings(SourcePlaces &Places, FileManager &Files)
      : Places(Places), Files(Files) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef FileName,
                          bool, CharSourceRange, OptionalFileEntryRef File,
                          StringRef, StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (File)
      Places.Spellings.try_emplace(Files.getCanonicalName(*File),
                                   FileName.str());
  }

private:
  SourcePlaces &Places;
  FileManager &Files;
};

/// Every file that was read, the compiler's own headers included.
class AllDependencies : public DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
};

class Consumer : public ASTConsumer {
public:
  Consumer(Run &R, Preprocessor &PP) : R(R), PP(PP) {}

  /// Nothing below a kernel is instantiated then. clang itself keeps what is
  /// constexpr or has a deduced type.
  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *F = D->getAsFunction();
    return F && spaceOf(F) == Space::Device;
  }

  void HandleTranslationUnit(ASTContext &Ctx) override {
    const SymbolStyle Style = R.Command.BuiltByClang ? SymbolStyle::Clang
                              : Ctx.getLangOpts().GPURelocatableDeviceCode
                                  ? SymbolStyle::NvccRelocatable
                                  : SymbolStyle::Nvcc;
    R.NeedsDeviceBodies =
        !scanAst(Ctx, PP, *R.Places, {Style, !R.DropDeviceBodies, R.AllKernels},
                 R.Result.Found);
  }

private:
  Run &R;
  Preprocessor &PP;
};

class Action : public ASTFrontendAction {
public:
  explicit Action(Run &R) : R(R) {}

protected:
  bool BeginInvocation(CompilerInstance &CI) override {
    // What parsed is kept: a missing header must not end the parse.
    CI.getDiagnosticOpts().ErrorLimit = 0;
    CI.getDiagnostics().setErrorLimit(0);
    CI.getDiagnostics().setFatalsAsError(true);
    CI.getFrontendOpts().SkipFunctionBodies = R.DropDeviceBodies;
    Dependencies = std::make_shared<AllDependencies>();
    CI.addDependencyCollector(Dependencies);
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    R.Places = std::make_unique<SourcePlaces>(CI.getSourceManager(),
                                              CI.getLangOpts(), R.Roots);
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<IncludeSpellings>(*R.Places, CI.getFileManager()));
    return std::make_unique<Consumer>(R, CI.getPreprocessor());
  }

  void EndSourceFileAction() override {
    for (const std::string &File : Dependencies->getDependencies())
      if (File != StandInHeader)
        R.Result.Dependencies.push_back(
            absolutePath(File, R.Command.Directory));
    // The source manager is about to go.
    R.Places.reset();
  }

private:
  Run &R;
  std::shared_ptr<AllDependencies> Dependencies;
};

/// What every scan needs, unless the command already says so.
std::vector<std::string> completed(const ClangCommand &Command) {
  std::vector<std::string> Arguments = Command.Arguments;
  auto Has = [&](llvm::StringRef Prefix) {
    return llvm::any_of(Arguments, [&](const std::string &A) {
      return llvm::StringRef(A).starts_with(Prefix);
    });
  };
  std::vector<std::string> More;
  auto Need = [&](const char *Prefix, const std::string &Argument) {
    if (!Has(Prefix))
      More.push_back(Argument);
  };
  Need("-fsyntax-only", "-fsyntax-only");
  Need("-resource-dir", "-resource-dir=" KPLAN_CLANG_RESOURCES);
  if (!Command.BuiltByClang) // nvcc mangles as clang 17 did.
    Need("-fclang-abi-compat", "-fclang-abi-compat=17");
  if (Command.IsCuda) {
    Need("--cuda-host-only", "--cuda-host-only");
    More.insert(More.end(), {"-idirafter", StandInFolder});
  }
  More.push_back("-w");
  Arguments.insert(Arguments.begin() + !Arguments.empty(), More.begin(),
                   More.end());
  return Arguments;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
makeFileSystem(const std::string &Directory) {
  auto StandIns = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  StandIns->addFile(StandInHeader, 0, llvm::MemoryBuffer::getMemBuffer(""));
  auto All = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(
          llvm::vfs::createPhysicalFileSystem().release()));
  All->pushOverlay(StandIns);
  All->setCurrentWorkingDirectory(Directory);
  return All;
}

void scan(Run &R) {
  Fragment &F = R.Result.Found;
  F.Producer.Tool = "kplan-scan";
  F.Producer.Version = KPLAN_VERSION;
  F.Producer.Clang = CLANG_VERSION_STRING;
  F.Producer.Cuda = R.Command.CudaVersion;
  F.Producer.Arch = R.Command.Archs;
  F.File = spellPath(weakRealPath(R.Command.File), R.Roots, R.Command.File);

  // clang counts references to it; a plain object would be deleted.
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(
      FileSystemOptions{R.Command.Directory},
      makeFileSystem(R.Command.Directory));
  ErrorCollector Errors(R);
  tooling::ToolInvocation Invocation(completed(R.Command),
                                     std::make_unique<Action>(R), Files.get());
  Invocation.setDiagnosticConsumer(&Errors);
  if (!Invocation.run() && R.Result.Diagnostics.empty()) {
    R.Result.Failed = true;
    kplan::Diagnostic D = makeError("clang could not be run on this file");
    D.File = R.Command.File;
    R.Result.Diagnostics.push_back(std::move(D));
  }
  if (R.Dropped) {
    kplan::Diagnostic D;
    D.Level = Severity::Note;
    D.File = R.Command.File;
    D.Message =
        std::to_string(R.Dropped) + " more errors of this TU are not shown";
    R.Result.Diagnostics.push_back(std::move(D));
  }
}

} // namespace

static UnitResult scanOnce(const ClangCommand &Command,
                           const UnitOptions &Options, bool DropDeviceBodies,
                           bool &NeedsDeviceBodies) {
  Run R{Command,
        {Options.Root, Options.BuildRoot,
         Command.CudaPath.empty() ? std::string()
                                  : weakRealPath(Command.CudaPath)},
        DropDeviceBodies,
        Options.AllKernels,
        0,
        false,
        {},
        nullptr};
  llvm::thread Thread(std::optional<unsigned>(StackBytes), [&R] { scan(R); });
  Thread.join();
  NeedsDeviceBodies = R.NeedsDeviceBodies;
  return std::move(R.Result);
}

UnitResult scanUnit(const ClangCommand &Command, const UnitOptions &Options) {
  bool Again = false;
  UnitResult Result = scanOnce(Command, Options, Options.Shortcuts, Again);
  if (Again)
    Result = scanOnce(Command, Options, /*DropDeviceBodies=*/false, Again);
  return Result;
}

} // namespace kplan::scan
