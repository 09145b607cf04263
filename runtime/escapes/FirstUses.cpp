//===- FirstUses.cpp - What a call would use for the first time -----------===//

#include "escapes/FirstUses.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace kplan::runtime;

namespace {

CUkernel asKernel(const void *Handle) {
  return static_cast<CUkernel>(const_cast<void *>(Handle));
}
CUlibrary asLibrary(const void *Handle) {
  return static_cast<CUlibrary>(const_cast<void *>(Handle));
}
CUmodule asModule(const void *Handle) {
  return static_cast<CUmodule>(const_cast<void *>(Handle));
}

bool anyLoaded(const std::vector<ListedFunction> &Functions) {
  return std::any_of(Functions.begin(), Functions.end(),
                     [](const ListedFunction &F) { return F.Loaded; });
}

} // namespace

ListedFunction *FirstUses::Residence::find(const std::string &Name) {
  auto It = std::lower_bound(
      Functions.begin(), Functions.end(), Name,
      [](const ListedFunction &F, const std::string &N) { return F.Name < N; });
  return It == Functions.end() || It->Name != Name ? nullptr : &*It;
}

bool FirstUses::isEager() const {
  CUmoduleLoadingMode Mode = CU_MODULE_LAZY_LOADING;
  return Api.ModuleGetLoadingMode &&
         Api.ModuleGetLoadingMode(&Mode) == CUDA_SUCCESS &&
         Mode == CU_MODULE_EAGER_LOADING;
}

std::vector<ListedFunction> FirstUses::list(HandleKind Kind,
                                            const void *Code) const {
  return listFunctions(Api, Kind == HandleKind::Module
                                ? CodeHandle(asModule(Code))
                                : CodeHandle(asLibrary(Code)));
}

void FirstUses::loaded(HandleKind Kind, const void *Handle, int Home,
                       std::string Image) {
  std::lock_guard Guard(Mutex);
  Code &C = Codes[Handle];
  C = {};
  C.Kind = Kind;
  C.Image = std::move(Image);
  C.AfterSeal = Sealed;
  // A module is on the device at once, and so is a library in eager mode, which
  // matters from the seal on.
  if (Home == Homes::None || (Kind != HandleKind::Module && !(Sealed && Eager)))
    return;
  Residence &R = C.In[Home];
  if (Sealed) {
    R.Functions = list(Kind, Handle);
    R.Listed = true;
  }
}

void FirstUses::given(const void *Handle, const void *Library,
                      const char *Name) {
  std::lock_guard Guard(Mutex);
  Kernel &K = Kernels[Handle];
  K.Library = Library;
  if (Name)
    K.Name = Name;
}

void FirstUses::madeResident(HandleKind Kind, const void *Handle, int Home,
                             const std::string &Image) {
  std::lock_guard Guard(Mutex);
  Code &C = Codes[Handle];
  C.Kind = Kind;
  if (C.Image.empty())
    C.Image = Image;
  C.In[Home];
}

std::optional<std::string> FirstUses::unloading(const void *Handle) {
  std::lock_guard Guard(Mutex);
  Known.clear();
  std::erase_if(Kernels,
                [&](const auto &K) { return K.second.Library == Handle; });
  auto It = Codes.find(Handle);
  if (It == Codes.end())
    return std::nullopt;
  Code Gone = std::move(It->second);
  Codes.erase(It);
  if (Gone.In.empty())
    return std::nullopt;
  return std::move(Gone.Image);
}

void FirstUses::ending(int Home) {
  std::lock_guard Guard(Mutex);
  Known.clear();
  // Libraries outlive contexts, modules do not.
  for (auto It = Codes.begin(); It != Codes.end();) {
    bool WasThere = It->second.In.erase(Home) != 0;
    if (WasThere && It->second.Kind == HandleKind::Module)
      It = Codes.erase(It);
    else
      ++It;
  }
}

const FirstUses::Kernel *FirstUses::kernel(const void *Handle, bool MustBeOne) {
  auto It = Kernels.find(Handle);
  if (It == Kernels.end()) {
    // The driver is asked only about what is a kernel for certain.
    CUlibrary Library = nullptr;
    if (!MustBeOne || !Api.KernelGetLibrary ||
        Api.KernelGetLibrary(&Library, asKernel(Handle)) != CUDA_SUCCESS)
      return nullptr;
    It = Kernels.emplace(Handle, Kernel{Library, {}}).first;
  }
  const char *Name = nullptr;
  if (It->second.Name.empty() && Api.KernelGetName &&
      Api.KernelGetName(&Name, asKernel(Handle)) == CUDA_SUCCESS && Name)
    It->second.Name = Name;
  return &It->second;
}

FirstUses::Subject FirstUses::subjectOf(const PossibleUse &Use) {
  Subject S;
  switch (Use.Kind) {
  case HandleKind::None:
    break;
  case HandleKind::Kernel:
  case HandleKind::Function:
    if (const Kernel *K = kernel(Use.Handle, Use.Kind == HandleKind::Kernel)) {
      S.Code = K->Library;
      S.Kind = HandleKind::Library;
      S.Kernel = K->Name;
    } else if (Use.Kind == HandleKind::Function) {
      S.Function = static_cast<CUfunction>(Use.Handle);
    }
    break;
  case HandleKind::Library:
  case HandleKind::Module:
    S.Code = Use.Handle;
    S.Kind = Use.Kind;
    if (Use.Uses == UsedCode::Kernel && Use.Name)
      S.Kernel = Use.Name;
    break;
  }
  return S;
}

std::optional<FirstUse> FirstUses::lookAtFunction(CUfunction F) {
  if (isLoaded(Api, F).value_or(true))
    return std::nullopt;
  FirstUse New{functionName(Api, F), {}};
  std::lock_guard Guard(Mutex);
  findFunction(F, &New.Image);
  return New;
}

ListedFunction *FirstUses::findFunction(CUfunction F, std::string *Image) {
  for (auto &[Handle, C] : Codes)
    for (auto &[Home, R] : C.In)
      for (ListedFunction &L : R.Functions)
        if (L.Function == F) {
          if (Image)
            *Image = C.Image;
          return &L;
        }
  return nullptr;
}

std::optional<FirstUse> FirstUses::lookAt(const Subject &S,
                                          const PossibleUse &Use, Residence &R,
                                          const std::string &Image) {
  if (Use.Uses != UsedCode::Kernel || S.Kernel.empty())
    return std::nullopt;
  ListedFunction *F = R.find(S.Kernel);
  // One that has been loaded meanwhile is for look() to find.
  if (!F || F->Loaded || isLoaded(Api, F->Function).value_or(true))
    return std::nullopt;
  return FirstUse{S.Kernel, Image};
}

std::optional<FirstUse> FirstUses::lookBefore(const PossibleUse &Use,
                                              int Home) {
  if (!Api.canListFunctions())
    return std::nullopt;
  Subject S;
  {
    std::lock_guard Guard(Mutex);
    S = subjectOf(Use);
    if (S.Code) {
      Code &C = Codes[S.Code];
      C.Kind = S.Kind;
      auto It = C.In.find(Home);
      if (It != C.In.end() && It->second.Listed)
        return lookAt(S, Use, It->second, C.Image);
    }
  }
  if (S.Function)
    return lookAtFunction(S.Function);
  if (!S.Code)
    return std::nullopt;

  // Whoever asks for the first time waits, here instead of in its own call.
  std::optional<HomeContext> There;
  if (Use.Device >= 0 && Where.current(Api) != Home)
    There.emplace(Api, Use.Device);
  std::vector<ListedFunction> Functions = list(S.Kind, S.Code);
  There.reset();

  std::lock_guard Guard(Mutex);
  Code &C = Codes[S.Code];
  auto [It, IsNew] = C.In.try_emplace(Home);
  Residence &R = It->second;
  bool InUse = !IsNew || S.Kind == HandleKind::Module || anyLoaded(Functions);
  if (!R.Listed) {
    // What a launch has used since it was loaded is left for look() to find.
    if (C.AfterSeal && IsNew)
      for (ListedFunction &F : Functions)
        F.Loaded = false;
    R.Functions = std::move(Functions);
    R.Listed = true;
  }
  if (InUse)
    return lookAt(S, Use, R, C.Image);
  std::string Symbol = S.Kernel;
  if (Symbol.empty() && Use.Name)
    Symbol = Use.Name;
  return FirstUse{std::move(Symbol), C.Image};
}

bool FirstUses::used(const PossibleUse &Use, int Home, const void *Made) {
  std::lock_guard Guard(Mutex);
  Subject S = subjectOf(Use);
  ListedFunction *F = nullptr;
  if (S.Code) {
    Code &C = Codes[S.Code];
    C.Kind = S.Kind;
    Residence &R = C.In[Home];
    // The seal came between the look before the call and now: the next call
    // looks again.
    if (Sealed && !R.Listed)
      return true;
    F = R.find(S.Kernel);
  } else if (Sealed) {
    F = findFunction(S.Function, nullptr);
  }
  bool IsKernel =
      Use.Kind == HandleKind::Kernel || Use.Kind == HandleKind::Function;
  if (Use.Uses == UsedCode::Library) {
    if (!Use.Name && !IsKernel)
      Known.insert(keyOf(Use.Handle, Home));
    return true;
  }
  if (IsKernel)
    Known.insert(keyOf(Use.Handle, Home));
  if (Made)
    Known.insert(keyOf(Made, Home));
  return !F || !std::exchange(F->Loaded, true);
}

template <class F> void FirstUses::forEachResidence(F Visit) {
  std::set<int> All;
  for (const auto &[Handle, C] : Codes)
    for (const auto &[Home, R] : C.In)
      All.insert(Home);
  for (int Home : All) {
    CUcontext Private = Where.privateContext(Home);
    std::optional<HomeContext> There;
    if (Private)
      There.emplace(Api, Private);
    else
      There.emplace(Api, Where.deviceOf(Home));
    if (!*There)
      continue;
    for (auto &[Handle, C] : Codes)
      if (auto It = C.In.find(Home); It != C.In.end())
        Visit(Handle, C, Home, It->second);
  }
}

void FirstUses::listAll() {
  if (!Api.canListFunctions())
    return;
  forEachResidence([&](const void *Handle, Code &C, int, Residence &R) {
    R.Functions = list(C.Kind, Handle);
    R.Listed = true;
  });
}

size_t FirstUses::seal() {
  std::lock_guard Guard(Mutex);
  Sealed = true;
  Eager = isEager();
  listAll();
  size_t NotInUse = 0;
  for (auto &[Handle, C] : Codes) {
    C.AfterSeal = false;
    NotInUse += C.In.empty() && !Eager;
  }
  return NotInUse;
}

void FirstUses::unseal() {
  std::lock_guard Guard(Mutex);
  Sealed = false;
  for (auto &[Handle, C] : Codes)
    for (auto &[Home, R] : C.In)
      R = {};
}

void FirstUses::relist() {
  std::lock_guard Guard(Mutex);
  if (Sealed)
    listAll();
}

std::vector<Escape> FirstUses::look() {
  std::vector<Escape> Found;
  std::lock_guard Guard(Mutex);
  if (!Sealed || !Api.canListFunctions())
    return Found;
  forEachResidence([&](const void *, Code &C, int Home, Residence &R) {
    for (ListedFunction &F : R.Functions) {
      if (F.Loaded || !isLoaded(Api, F.Function).value_or(false))
        continue;
      F.Loaded = true;
      Escape E;
      E.Symbol = F.Name;
      E.Image = C.Image;
      E.Device = Where.deviceOf(Home);
      Found.push_back(std::move(E));
    }
  });
  return Found;
}
