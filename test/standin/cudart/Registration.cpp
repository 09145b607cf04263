//===- Registration.cpp - What nvcc's host code registers -----------------===//

#include "Runtime.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace standin::cudart;

namespace {

struct Binary {
  const void *Image = nullptr;
  CUlibrary Library = nullptr;
};
struct Symbol {
  Binary *In = nullptr;
  std::string Name;
  CUkernel Kernel = nullptr;
};

struct Registry {
  std::recursive_mutex Mutex;
  std::map<void **, std::unique_ptr<Binary>> Binaries;
  std::map<const void *, Symbol> Kernels, Variables;

  static Registry &get() {
    static auto *R = new Registry; // used by destructors of the program
    return *R;
  }
};

CUresult load(Binary &B) {
  if (B.Library)
    return CUDA_SUCCESS;
  return DRIVER(cuLibraryLoadData)(&B.Library, B.Image, nullptr, nullptr, 0,
                                   nullptr, nullptr, 0);
}

} // namespace

namespace standin::cudart {

void loadAll() {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  for (auto &[Handle, B] : R.Binaries)
    load(*B);
}

cudaError_t kernelOf(const void *Stub, CUkernel &Out) {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  auto It = R.Kernels.find(Stub);
  if (It == R.Kernels.end())
    return cudaErrorInvalidDeviceFunction;
  Symbol &S = It->second;
  if (!S.Kernel) {
    if (CUresult E = load(*S.In))
      return static_cast<cudaError_t>(E);
    if (CUresult E = DRIVER(cuLibraryGetKernel)(&S.Kernel, S.In->Library,
                                                S.Name.c_str()))
      return static_cast<cudaError_t>(E);
  }
  Out = S.Kernel;
  return cudaSuccess;
}

cudaError_t libraryOfVariable(const void *Variable, CUlibrary &Out,
                              std::string &Name) {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  auto It = R.Variables.find(Variable);
  if (It == R.Variables.end())
    return cudaErrorInvalidSymbol;
  if (CUresult E = load(*It->second.In))
    return static_cast<cudaError_t>(E);
  Out = It->second.In->Library;
  Name = It->second.Name;
  return cudaSuccess;
}

cudaError_t functionOf(const void *Stub, CUfunction &Out) {
  CUkernel Kernel;
  if (cudaError_t E = kernelOf(Stub, Kernel)) {
    // Not a stub: a cudaKernel_t, which the driver will judge.
    (void)E;
    Kernel = reinterpret_cast<CUkernel>(const_cast<void *>(Stub));
  }
  Out = reinterpret_cast<CUfunction>(Kernel);
  return cudaSuccess;
}

} // namespace standin::cudart

extern "C" {

void **__cudaRegisterFatBinary(void *Image) {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  auto B = std::make_unique<Binary>();
  B->Image = Image;
  void **Handle = reinterpret_cast<void **>(B.get());
  R.Binaries.emplace(Handle, std::move(B));
  return Handle;
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **Handle) {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  auto It = R.Binaries.find(Handle);
  if (It == R.Binaries.end())
    return;
  Binary *B = It->second.get();
  auto IsOfBinary = [B](auto &Entry) { return Entry.second.In == B; };
  std::erase_if(R.Kernels, IsOfBinary);
  std::erase_if(R.Variables, IsOfBinary);
  if (B->Library)
    DRIVER(cuLibraryUnload)(B->Library);
  R.Binaries.erase(It);
}

void __cudaRegisterFunction(void **Handle, const char *Stub, char *,
                            const char *Name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  R.Kernels[Stub] = {reinterpret_cast<Binary *>(Handle), Name, nullptr};
}

void __cudaRegisterVar(void **Handle, char *Variable, char *, const char *Name,
                       int, size_t, int, int) {
  Registry &R = Registry::get();
  std::lock_guard<std::recursive_mutex> Guard(R.Mutex);
  R.Variables[Variable] = {reinterpret_cast<Binary *>(Handle), Name, nullptr};
}

char __cudaInitModule(void **) { return 1; }

cudaError_t cudaGetKernel(cudaKernel_t *Out, const void *Stub) {
  if (!Out)
    return result(cudaErrorInvalidValue);
  if (cudaError_t E = start())
    return E;
  CUkernel Kernel;
  if (cudaError_t E = kernelOf(Stub, Kernel))
    return result(E);
  *Out = reinterpret_cast<cudaKernel_t>(Kernel);
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *Out, const void *Stub) {
  return cudaGetKernel(Out, Stub);
}

} // extern "C"
