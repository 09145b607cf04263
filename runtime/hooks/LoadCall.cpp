//===- LoadCall.cpp - The six ways to load code, as one -------------------===//

#include "hooks/LoadCall.h"

using namespace kplan;
using namespace kplan::runtime;
using namespace kplan::runtime::hooks;

namespace {

LoadCall loadOfModule(CUmodule *Out) {
  LoadCall L;
  L.By = Loader::Module;
  L.Out = static_cast<void *>(Out);
  return L;
}

template <class Arguments> LoadCall loadOfLibrary(const Arguments &A) {
  LoadCall L;
  L.Out = static_cast<void *>(A.library);
  L.Options = {A.numJitOptions,     A.jitOptions,     A.jitOptionsValues,
               A.numLibraryOptions, A.libraryOptions, A.libraryOptionValues};
  return L;
}

} // namespace

CodeHandle LoadCall::handle() const {
  if (By == Loader::Library)
    return *static_cast<CUlibrary *>(Out);
  return *static_cast<CUmodule *>(Out);
}

void LoadCall::give(CodeHandle Code) const {
  if (By == Loader::Library)
    *static_cast<CUlibrary *>(Out) = std::get<CUlibrary>(Code);
  else
    *static_cast<CUmodule *>(Out) = std::get<CUmodule>(Code);
}

std::optional<LoadCall> kplan::runtime::hooks::asLoad(const DriverCall &Call) {
  if (auto *A = Call.as<LibraryLoadDataArguments>()) {
    LoadCall L = loadOfLibrary(*A);
    L.Image = A->code;
    return L;
  }
  if (auto *A = Call.as<LibraryLoadFromFileArguments>()) {
    LoadCall L = loadOfLibrary(*A);
    L.File = A->fileName;
    return L;
  }
  if (auto *A = Call.as<ModuleLoadArguments>()) {
    LoadCall L = loadOfModule(A->module);
    L.File = A->fname;
    return L;
  }
  if (auto *A = Call.as<ModuleLoadDataArguments>()) {
    LoadCall L = loadOfModule(A->module);
    L.Image = A->image;
    return L;
  }
  if (auto *A = Call.as<ModuleLoadDataExArguments>()) {
    LoadCall L = loadOfModule(A->module);
    L.Image = A->image;
    L.Options.JitCount = A->numOptions;
    L.Options.Jit = A->options;
    L.Options.JitValues = A->optionValues;
    return L;
  }
  if (auto *A = Call.as<ModuleLoadFatBinaryArguments>()) {
    LoadCall L = loadOfModule(A->module);
    L.Image = A->fatCubin;
    return L;
  }
  return std::nullopt;
}

std::optional<CodeHandle>
kplan::runtime::hooks::asUnload(const DriverCall &Call) {
  if (auto *A = Call.as<LibraryUnloadArguments>())
    return A->library;
  if (auto *A = Call.as<ModuleUnloadArguments>())
    return A->hmod;
  return std::nullopt;
}
