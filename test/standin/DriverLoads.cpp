//===- DriverLoads.cpp - Loads and unloads of code ------------------------===//

#include "Call.h"
#include "Handles.h"

#include "image/Image.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace standin;
using kplan::image::ByteView;

namespace {

/// The options of a load. What the driver's compiler says is made up: a line
/// for PTX, with one more where the log is to be verbose; nothing for others.
struct JitOptions {
  unsigned Count = 0;
  CUjit_option *Options = nullptr;
  void **Values = nullptr;

  void **find(CUjit_option Which) const {
    for (unsigned I = 0; I < Count; ++I)
      if (Options[I] == Which)
        return &Values[I];
    return nullptr;
  }
  void answer(bool Compiled) const {
    void **Verbose = find(CU_JIT_LOG_VERBOSE);
    std::string Info;
    if (Compiled)
      Info = Verbose && *Verbose ? "stand-in: compiled for sm_90\nverbose"
                                 : "stand-in: compiled for sm_90";
    write(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, Info);
    write(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, "");
    const float Milliseconds = Compiled ? 2.5f : 0.0f;
    if (void **Time = find(CU_JIT_WALL_TIME))
      std::memcpy(Time, &Milliseconds, sizeof Milliseconds);
  }
  /// Log text and its size, which goes in as room and comes out as length.
  void write(CUjit_option Buffer, CUjit_option Size,
             const std::string &Text) const {
    void **To = find(Buffer), **Room = find(Size);
    if (!Room)
      return;
    const size_t Most = To && *To ? reinterpret_cast<size_t>(*Room) : 0;
    const size_t Length = Most ? std::min(Text.size(), Most - 1) : 0;
    if (Most) {
      std::memcpy(*To, Text.data(), Length);
      static_cast<char *>(*To)[Length] = 0;
    }
    *Room = reinterpret_cast<void *>(Length);
  }
};

/// Empty: it cannot be read.
std::string readFile(const char *Path) {
  std::ifstream In(Path ? Path : "", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(In), {});
}

bool isPtx(const void *Image) {
  const auto Identity = kplan::image::identifyPointer(Image);
  return Identity && Identity->Kind == kplan::ImageKind::Ptx;
}

} // namespace

/// Reads what the image holds; code that cannot be read makes it opaque.
static std::unique_ptr<Library> readImage(const void *Image) {
  const auto Identity = kplan::image::identifyPointer(Image);
  if (!Identity)
    return nullptr;
  auto L = std::make_unique<Library>();
  ByteView Bytes;
  const auto Code = kplan::image::readCode(*Identity, Arch, &Bytes);
  if (!Code) {
    L->Opaque = true;
    return L;
  }
  for (const kplan::image::KernelCode &K : Code->Kernels)
    addKernel(*L, K);
  for (const kplan::image::GlobalCode &G : Code->Globals) {
    std::vector<char> &Memory = L->Globals[G.Symbol];
    Memory.resize(std::max<uint64_t>(G.Size, 1));
    if (G.DataOffset)
      if (auto Data = Bytes.slice(*G.DataOffset, G.Size))
        std::memcpy(Memory.data(), Data->data(), G.Size);
  }
  return L;
}

static Library *load(Call &C, const void *Image, bool IsModule) {
  auto L = readImage(Image);
  if (!L)
    return nullptr;
  L->IsModule = IsModule;
  for (auto &[Name, K] : L->Kernels)
    C.S.Kernels.insert(K.get());
  return C.S.add(C.S.Libraries, std::move(L));
}

static CUresult loadModule(const char *Function, CUmodule *Out,
                           const void *Image, const JitOptions &Options = {}) {
  return callOnDevice(Function, [&](Call &C, Device &D) {
    if (!Out || !Image)
      return CUDA_ERROR_INVALID_VALUE;
    Library *L = load(C, Image, true);
    if (!L)
      return CUDA_ERROR_INVALID_IMAGE;
    L->Home = C.S.home(*C.S.current());
    C.effect(D, L);
    Options.answer(isPtx(Image));
    *Out = reinterpret_cast<CUmodule>(L);
    return CUDA_SUCCESS;
  });
}

static CUresult loadLibrary(const char *Function, CUlibrary *Out,
                            const void *Image, const JitOptions &Options) {
  return call(Function, [&](Call &C) {
    if (!Out || !Image)
      return CUDA_ERROR_INVALID_VALUE;
    Library *L = load(C, Image, false);
    if (!L)
      return CUDA_ERROR_INVALID_IMAGE;
    if (Device *D = C.S.currentDevice())
      C.effect(*D, L);
    Options.answer(isPtx(Image));
    *Out = reinterpret_cast<CUlibrary>(L);
    return CUDA_SUCCESS;
  });
}

extern "C" {

CUresult cuLibraryLoadData(CUlibrary *Out, const void *Image,
                           CUjit_option *JitOptions, void **JitValues,
                           unsigned JitCount, CUlibraryOption *, void **,
                           unsigned) {
  return loadLibrary("cuLibraryLoadData", Out, Image,
                     {JitCount, JitOptions, JitValues});
}

CUresult cuLibraryLoadFromFile(CUlibrary *Out, const char *Path,
                               CUjit_option *JitOptions, void **JitValues,
                               unsigned JitCount, CUlibraryOption *, void **,
                               unsigned) {
  const std::string Image = readFile(Path);
  if (Image.empty())
    return CUDA_ERROR_FILE_NOT_FOUND;
  return loadLibrary("cuLibraryLoadFromFile", Out, Image.c_str(),
                     {JitCount, JitOptions, JitValues});
}

CUresult cuLibraryUnload(CUlibrary Handle) {
  return call("cuLibraryUnload", [&](Call &C) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L || L->IsModule)
      return CUDA_ERROR_INVALID_HANDLE;
    for (Device &D : C.S.Devices)
      C.effect(D, L);
    C.S.drop(L);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleLoad(CUmodule *Out, const char *Path) {
  const std::string Image = readFile(Path);
  if (Image.empty())
    return CUDA_ERROR_FILE_NOT_FOUND;
  return loadModule("cuModuleLoad", Out, Image.c_str());
}

CUresult cuModuleLoadData(CUmodule *Out, const void *Image) {
  return loadModule("cuModuleLoadData", Out, Image);
}

CUresult cuModuleLoadDataEx(CUmodule *Out, const void *Image, unsigned Count,
                            CUjit_option *Options, void **Values) {
  return loadModule("cuModuleLoadDataEx", Out, Image, {Count, Options, Values});
}

CUresult cuModuleLoadFatBinary(CUmodule *Out, const void *Image) {
  return loadModule("cuModuleLoadFatBinary", Out, Image);
}

CUresult cuModuleUnload(CUmodule Handle) {
  return callOnDevice("cuModuleUnload", [&](Call &C, Device &D) {
    Library *L = State::find(C.S.Libraries, Handle);
    if (!L || !L->IsModule)
      return CUDA_ERROR_INVALID_HANDLE;
    C.effect(D, L);
    C.S.drop(L);
    return CUDA_SUCCESS;
  });
}

} // extern "C"
