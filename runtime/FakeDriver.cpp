//===- FakeDriver.cpp - A driver in memory, for unit tests ----------------===//

#include "FakeDriver.h"

#include <algorithm>
#include <cctype>
#include <utility>

using namespace kplan;
using namespace kplan::runtime;

namespace {

FakeDriver *Now = nullptr; // The driver of the running test.
thread_local std::vector<FakeContext *> Stack;
thread_local int LastError;

CUcontext handle(FakeContext *C) { return reinterpret_cast<CUcontext>(C); }
FakeContext *context(CUcontext C) { return reinterpret_cast<FakeContext *>(C); }
FakeKernel *kernel(CUkernel K) { return reinterpret_cast<FakeKernel *>(K); }
FakeKernel *kernel(CUfunction F) { return reinterpret_cast<FakeKernel *>(F); }
FakeLibrary *library(CUlibrary L) { return reinterpret_cast<FakeLibrary *>(L); }
FakeLibrary *library(CUmodule M) { return reinterpret_cast<FakeLibrary *>(M); }

/// The lock and the failure that may have been asked for. Declared first in
/// each function.
#define ENTER(Call)                                                            \
  std::lock_guard Guard(Now->Mutex);                                           \
  if (CUresult Injected = Now->enter(Call))                                    \
  return Injected

/// A touch needs a context; it brings the library.
CUresult touch(FakeLibrary *L) {
  if (Stack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  L->Resident = true;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI ctxGetCurrent(CUcontext *Out) {
  ENTER("CtxGetCurrent");
  *Out = Stack.empty() ? nullptr : handle(Stack.back());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI ctxSetCurrent(CUcontext C) {
  ENTER("CtxSetCurrent");
  Now->makeCurrent(context(C));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI ctxPushCurrent(CUcontext C) {
  ENTER("CtxPushCurrent");
  Stack.push_back(context(C));
  ++Now->StackDepth;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI ctxPopCurrent(CUcontext *Out) {
  ENTER("CtxPopCurrent");
  *Out = handle(Stack.back());
  Stack.pop_back();
  --Now->StackDepth;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI ctxGetDevice(CUdevice *Out) {
  ENTER("CtxGetDevice");
  *Out = Stack.back()->Device;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI ctxGetId(CUcontext C, unsigned long long *Out) {
  ENTER("CtxGetId");
  if (!context(C)->Active)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *Out = context(C)->Id;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI ctxGetLimit(size_t *Out, CUlimit Limit) {
  ENTER("CtxGetLimit");
  *Out = Now->Limits.at(Limit);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI deviceGet(CUdevice *Out, int Ordinal) {
  ENTER("DeviceGet");
  if (Ordinal >= static_cast<int>(Now->Devices.size()))
    return CUDA_ERROR_INVALID_DEVICE;
  *Out = Ordinal;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI deviceGetAttribute(int *Out, CUdevice_attribute A, CUdevice) {
  ENTER("DeviceGetAttribute");
  if (A != CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
    return CUDA_ERROR_INVALID_VALUE;
  *Out = Now->OptInShared;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI devicePrimaryCtxGetState(CUdevice D, unsigned *Flags,
                                          int *Active) {
  ENTER("DevicePrimaryCtxGetState");
  *Flags = 0;
  *Active = Now->Devices.at(D).References > 0;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI devicePrimaryCtxRetain(CUcontext *Out, CUdevice D) {
  ENTER("DevicePrimaryCtxRetain");
  ++Now->Devices.at(D).References;
  *Out = handle(Now->Devices.at(D).Primary);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI devicePrimaryCtxRelease(CUdevice D) {
  ENTER("DevicePrimaryCtxRelease");
  --Now->Devices.at(D).References;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI threadExchangeStreamCaptureMode(CUstreamCaptureMode *InOut) {
  ENTER("ThreadExchangeStreamCaptureMode");
  thread_local CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  Now->RelaxedThreads += (*InOut == CU_STREAM_CAPTURE_MODE_RELAXED) -
                         (Mode == CU_STREAM_CAPTURE_MODE_RELAXED);
  std::swap(Mode, *InOut);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI getErrorName(CUresult Error, const char **Out) {
  ENTER("GetErrorName");
  *Out = Error == CUDA_ERROR_UNKNOWN ? "CUDA_ERROR_UNKNOWN" : "CUDA_ERROR";
  return CUDA_SUCCESS;
}

CUresult CUDAAPI kernelGetFunction(CUfunction *Out, CUkernel K) {
  ENTER("KernelGetFunction");
  if (CUresult Error = touch(kernel(K)->Library))
    return Error;
  kernel(K)->Loaded = true;
  *Out = reinterpret_cast<CUfunction>(K);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI kernelGetAttribute(int *Out, CUfunction_attribute A,
                                    CUkernel K, CUdevice) {
  ENTER("KernelGetAttribute");
  *Out = kernel(K)->Attributes[A];
  return CUDA_SUCCESS;
}
CUresult CUDAAPI kernelSetAttribute(CUfunction_attribute A, int Value,
                                    CUkernel K, CUdevice) {
  ENTER("KernelSetAttribute");
  if (CUresult Error = touch(kernel(K)->Library))
    return Error;
  if (A == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
      Value > Now->OptInShared)
    return CUDA_ERROR_INVALID_VALUE;
  kernel(K)->Attributes[A] = Value;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI kernelSetCacheConfig(CUkernel K, CUfunc_cache, CUdevice) {
  ENTER("KernelSetCacheConfig");
  ++kernel(K)->CacheConfigs;
  return touch(kernel(K)->Library);
}
CUresult CUDAAPI kernelGetLibrary(CUlibrary *Out, CUkernel K) {
  ENTER("KernelGetLibrary");
  *Out = reinterpret_cast<CUlibrary>(kernel(K)->Library);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI funcGetAttribute(int *Out, CUfunction_attribute A,
                                  CUfunction F) {
  ENTER("FuncGetAttribute");
  *Out = A == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES ? kernel(F)->LocalBytes
                                                 : kernel(F)->Attributes[A];
  return CUDA_SUCCESS;
}
CUresult CUDAAPI libraryGetModule(CUmodule *Out, CUlibrary L) {
  ENTER("LibraryGetModule");
  *Out = reinterpret_cast<CUmodule>(L);
  return touch(library(L));
}
CUresult CUDAAPI moduleGetFunctionCount(unsigned *Out, CUmodule M) {
  ENTER("ModuleGetFunctionCount");
  *Out = static_cast<unsigned>(library(M)->Kernels.size());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI moduleEnumerateFunctions(CUfunction *Out, unsigned Count,
                                          CUmodule M) {
  ENTER("ModuleEnumerateFunctions");
  for (unsigned I = 0; I < Count; ++I)
    Out[I] = reinterpret_cast<CUfunction>(&library(M)->Kernels[I]);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI funcIsLoaded(CUfunctionLoadingState *Out, CUfunction F) {
  ENTER("FuncIsLoaded");
  *Out = kernel(F)->Loaded ? CU_FUNCTION_LOADING_STATE_LOADED
                           : CU_FUNCTION_LOADING_STATE_UNLOADED;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI funcGetName(const char **Out, CUfunction F) {
  ENTER("FuncGetName");
  *Out = kernel(F)->Symbol.c_str();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI memGetInfo(size_t *Free, size_t *Total) {
  ENTER("MemGetInfo");
  *Free = Now->FreeMemory;
  *Total = size_t(16) << 30;
  return CUDA_SUCCESS;
}
/// The word that follows `Before`; empty: there is none.
std::string wordAfter(const std::string &Text, const std::string &Before) {
  size_t Start = Text.find(Before);
  if (Start == std::string::npos)
    return {};
  Start += Before.size();
  size_t End = Start;
  while (std::isalnum(static_cast<unsigned char>(Text[End])) ||
         Text[End] == '_')
    ++End;
  return Text.substr(Start, End - Start);
}

/// Images are PTX: the kernels and variables that it declares, and the frame of
/// the last kernel.
FakeLibrary &loadImage(const void *Image) {
  std::string Ptx = static_cast<const char *>(Image);
  FakeLibrary &L = Now->addLibrary();
  for (size_t At = 0; (At = Ptx.find(".entry ", At)) != std::string::npos; ++At)
    Now->addKernel(L, wordAfter(Ptx.substr(At), ".entry "));
  for (size_t At = 0; (At = Ptx.find(".b32 ", At)) != std::string::npos; ++At)
    L.Globals.push_back(wordAfter(Ptx.substr(At), ".b32 "));
  if (std::string Frame = wordAfter(Ptx, "frame["); !Frame.empty())
    L.Kernels.back().LocalBytes = std::stoi(Frame) - Now->FrameLoss;
  L.FromImage = true;
  return L;
}

CUresult CUDAAPI moduleLoadData(CUmodule *Out, const void *Image) {
  ENTER("ModuleLoadData");
  if (Stack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  *Out = reinterpret_cast<CUmodule>(&loadImage(Image));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI moduleLoadDataEx(CUmodule *Out, const void *Image, unsigned,
                                  CUjit_option *, void **) {
  ENTER("ModuleLoadDataEx");
  if (Stack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  *Out = reinterpret_cast<CUmodule>(&loadImage(Image));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI libraryLoadData(CUlibrary *Out, const void *Image,
                                 CUjit_option *, void **, unsigned,
                                 CUlibraryOption *, void **, unsigned) {
  ENTER("LibraryLoadData");
  *Out = reinterpret_cast<CUlibrary>(&loadImage(Image));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI libraryUnload(CUlibrary L) {
  ENTER("LibraryUnload");
  library(L)->Unloaded = true;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI moduleUnload(CUmodule M) {
  ENTER("ModuleUnload");
  library(M)->Unloaded = true;
  return CUDA_SUCCESS;
}
FakeKernel *findKernel(FakeLibrary *L, const char *Name) {
  for (FakeKernel &K : L->Kernels)
    if (K.Symbol == Name)
      return &K;
  return nullptr;
}
CUresult CUDAAPI libraryGetKernel(CUkernel *Out, CUlibrary L,
                                  const char *Name) {
  ENTER("LibraryGetKernel");
  FakeKernel *K = findKernel(library(L), Name);
  *Out = reinterpret_cast<CUkernel>(K);
  return K ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult CUDAAPI libraryGetKernelCount(unsigned *Out, CUlibrary L) {
  ENTER("LibraryGetKernelCount");
  *Out = static_cast<unsigned>(library(L)->Kernels.size());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI libraryEnumerateKernels(CUkernel *Out, unsigned Count,
                                         CUlibrary L) {
  ENTER("LibraryEnumerateKernels");
  for (unsigned I = 0; I < Count; ++I)
    Out[I] = reinterpret_cast<CUkernel>(&library(L)->Kernels[I]);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI kernelGetName(const char **Out, CUkernel K) {
  ENTER("KernelGetName");
  *Out = kernel(K)->Symbol.c_str();
  return CUDA_SUCCESS;
}
CUresult getGlobal(FakeLibrary *L, const char *Name) {
  if (std::find(L->Globals.begin(), L->Globals.end(), Name) == L->Globals.end())
    return CUDA_ERROR_NOT_FOUND;
  Now->NamesAsked.emplace_back(Name);
  return touch(L);
}
CUresult CUDAAPI libraryGetGlobal(CUdeviceptr *, size_t *, CUlibrary L,
                                  const char *Name) {
  ENTER("LibraryGetGlobal");
  return getGlobal(library(L), Name);
}
/// All variables are device variables here.
CUresult CUDAAPI libraryGetManaged(CUdeviceptr *, size_t *, CUlibrary,
                                   const char *) {
  ENTER("LibraryGetManaged");
  return CUDA_ERROR_NOT_FOUND;
}
CUresult CUDAAPI moduleGetGlobal(CUdeviceptr *, size_t *, CUmodule M,
                                 const char *Name) {
  ENTER("ModuleGetGlobal");
  return getGlobal(library(M), Name);
}
CUresult CUDAAPI funcSetAttribute(CUfunction F, CUfunction_attribute A,
                                  int Value) {
  ENTER("FuncSetAttribute");
  kernel(F)->Attributes[A] = Value;
  return touch(kernel(F)->Library);
}
CUresult CUDAAPI funcSetCacheConfig(CUfunction F, CUfunc_cache) {
  ENTER("FuncSetCacheConfig");
  ++kernel(F)->CacheConfigs;
  return touch(kernel(F)->Library);
}
CUresult CUDAAPI ctxSetLimit(CUlimit Limit, size_t Value) {
  ENTER("CtxSetLimit");
  Now->Limits[Limit] = Value;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI moduleGetFunction(CUfunction *Out, CUmodule M,
                                   const char *Name) {
  ENTER("ModuleGetFunction");
  FakeKernel *K = findKernel(library(M), Name);
  if (!K)
    return CUDA_ERROR_NOT_FOUND;
  K->Loaded = true;
  *Out = reinterpret_cast<CUfunction>(K);
  return touch(library(M));
}
CUresult CUDAAPI streamCreate(CUstream *Out, unsigned Flags) {
  ENTER("StreamCreate");
  if (Flags != CU_STREAM_NON_BLOCKING || Stack.empty())
    return CUDA_ERROR_INVALID_VALUE;
  ++Now->OpenStreams;
  *Out = reinterpret_cast<CUstream>(Stack.back());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI streamSynchronize(CUstream) {
  ENTER("StreamSynchronize");
  return CUDA_SUCCESS;
}
CUresult CUDAAPI streamDestroy(CUstream) {
  ENTER("StreamDestroy");
  --Now->OpenStreams;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI streamGetGreenCtx(CUstream S, CUgreenCtx *Out) {
  ENTER("StreamGetGreenCtx");
  auto *C = reinterpret_cast<FakeContext *>(S);
  *Out = C->Green ? reinterpret_cast<CUgreenCtx>(C) : nullptr;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI launchKernel(CUfunction F, unsigned, unsigned, unsigned,
                              unsigned, unsigned, unsigned, unsigned,
                              CUstream S, void **, void **) {
  ENTER("LaunchKernel");
  if (!S)
    return CUDA_ERROR_INVALID_HANDLE; // Never the default stream.
  Now->Launched.push_back(kernel(F)->Symbol);
  Now->FreeMemory -= static_cast<size_t>(kernel(F)->LocalBytes) * 1000;
  return CUDA_SUCCESS;
}

/// A runtime call: failures become CUDA runtime errors, and the last error.
int runtimeError(const char *Call) {
  CUresult Error = Now->enter(Call);
  if (Error)
    Now->lastError() = Error;
  return Error;
}

int cudaGetKernel(void **Out, const void *Stub) {
  std::lock_guard Guard(Now->Mutex);
  if (int Error = runtimeError("cudaGetKernel"))
    return Error;
  *Out = const_cast<void *>(Stub);
  return 0;
}
int cudaGetSymbolAddress(void **Out, const void *Host) {
  std::lock_guard Guard(Now->Mutex);
  if (int Error = runtimeError("cudaGetSymbolAddress"))
    return Error;
  Now->GlobalsAsked.push_back(*static_cast<const int *>(Host));
  *Out = nullptr;
  return 0;
}
int cudaGetDevice(int *Out) {
  std::lock_guard Guard(Now->Mutex);
  *Out = Now->CurrentDevice;
  return runtimeError("cudaGetDevice");
}
int cudaInitDevice(int Device, unsigned, unsigned) {
  std::lock_guard Guard(Now->Mutex);
  if (int Error = runtimeError("cudaInitDevice"))
    return Error;
  Now->activatePrimary(Device);
  return 0;
}
int cudaPeekAtLastError() {
  std::lock_guard Guard(Now->Mutex);
  return Now->lastError();
}
int cudaGetLastError() {
  std::lock_guard Guard(Now->Mutex);
  return std::exchange(Now->lastError(), 0);
}
const char *cudaGetErrorName(int) { return "cudaErrorFake"; }

const kplan_link_unit Unit = {sizeof(kplan_link_unit), cudaGetKernel,
                              cudaGetSymbolAddress,    cudaGetDevice,
                              cudaInitDevice,          cudaPeekAtLastError,
                              cudaGetLastError,        cudaGetErrorName};

} // namespace

FakeDriver::FakeDriver() {
  Now = this;
  Stack.clear();
  LastError = 0;
  Api.CtxGetCurrent = ctxGetCurrent;
  Api.CtxSetCurrent = ctxSetCurrent;
  Api.CtxPushCurrent = ctxPushCurrent;
  Api.CtxPopCurrent = ctxPopCurrent;
  Api.CtxGetDevice = ctxGetDevice;
  Api.CtxGetId = ctxGetId;
  Api.CtxGetLimit = ctxGetLimit;
  Api.DeviceGet = deviceGet;
  Api.DeviceGetAttribute = deviceGetAttribute;
  Api.DevicePrimaryCtxGetState = devicePrimaryCtxGetState;
  Api.DevicePrimaryCtxRetain = devicePrimaryCtxRetain;
  Api.DevicePrimaryCtxRelease = devicePrimaryCtxRelease;
  Api.ThreadExchangeStreamCaptureMode = threadExchangeStreamCaptureMode;
  Api.GetErrorName = getErrorName;
  Api.KernelGetFunction = kernelGetFunction;
  Api.KernelGetAttribute = kernelGetAttribute;
  Api.KernelSetAttribute = kernelSetAttribute;
  Api.KernelSetCacheConfig = kernelSetCacheConfig;
  Api.KernelGetLibrary = kernelGetLibrary;
  Api.FuncGetAttribute = funcGetAttribute;
  Api.LibraryGetModule = libraryGetModule;
  Api.ModuleGetFunctionCount = moduleGetFunctionCount;
  Api.ModuleEnumerateFunctions = moduleEnumerateFunctions;
  Api.FuncIsLoaded = funcIsLoaded;
  Api.FuncGetName = funcGetName;
  Api.MemGetInfo = memGetInfo;
  Api.ModuleLoadData = moduleLoadData;
  Api.ModuleGetFunction = moduleGetFunction;
  Api.ModuleLoadDataEx = moduleLoadDataEx;
  Api.ModuleUnload = moduleUnload;
  Api.ModuleGetGlobal = moduleGetGlobal;
  Api.LibraryLoadData = libraryLoadData;
  Api.LibraryUnload = libraryUnload;
  Api.LibraryGetKernel = libraryGetKernel;
  Api.LibraryGetKernelCount = libraryGetKernelCount;
  Api.LibraryEnumerateKernels = libraryEnumerateKernels;
  Api.LibraryGetGlobal = libraryGetGlobal;
  Api.LibraryGetManaged = libraryGetManaged;
  Api.KernelGetName = kernelGetName;
  Api.FuncSetAttribute = funcSetAttribute;
  Api.FuncSetCacheConfig = funcSetCacheConfig;
  Api.CtxSetLimit = ctxSetLimit;
  Api.StreamCreate = streamCreate;
  Api.StreamSynchronize = streamSynchronize;
  Api.StreamDestroy = streamDestroy;
  Api.StreamGetGreenCtx = streamGetGreenCtx;
  Api.LaunchKernel = launchKernel;
}

FakeDriver::~FakeDriver() { Stack.clear(); }

const kplan_link_unit *FakeDriver::unit() { return &Unit; }

void FakeDriver::makeCurrent(FakeContext *C) {
  if (!Stack.empty())
    Stack.pop_back();
  if (C)
    Stack.push_back(C);
}

FakeContext *FakeDriver::activatePrimary(int Number) {
  Device &D = Devices.at(Number);
  if (D.References++ == 0)
    D.Primary =
        &Contexts.emplace_back(FakeContext{Contexts.size() + 1, Number, false});
  return D.Primary;
}

FakeContext *FakeDriver::createGreen(int Number) {
  activatePrimary(Number); // A green context holds on to the primary one.
  return &Contexts.emplace_back(FakeContext{Contexts.size() + 1, Number, true});
}

FakeContext *FakeDriver::createPrivate(int Number) {
  return &Contexts.emplace_back(
      FakeContext{Contexts.size() + 1, Number, false});
}

void FakeDriver::resetDevice(int Number) {
  Devices.at(Number) = {};
  for (FakeLibrary &L : Libraries) {
    L.Resident = false;
    for (FakeKernel &K : L.Kernels)
      K.Loaded = false;
  }
}

FakeKernel &FakeDriver::addKernel(FakeLibrary &Library, std::string Symbol) {
  FakeKernel &K = Library.Kernels.emplace_back();
  K.Library = &Library;
  K.Symbol = std::move(Symbol);
  return K;
}

RegisteredImage FakeDriver::image(uint64_t Serial, FakeLibrary &Library) {
  RegisteredImage Image;
  Image.Unit = &Unit;
  Image.Serial = Serial;
  for (FakeKernel &K : Library.Kernels)
    Image.Kernels.push_back({&K, K.Symbol});
  return Image;
}

void FakeDriver::fail(std::string Call, int Nth, CUresult Error) {
  FailCall = std::move(Call);
  FailAt = Nth;
  FailWith = Error;
  Calls.clear();
  Failed = false;
}

int FakeDriver::calls(const std::string &Call) const {
  std::lock_guard Guard(Mutex);
  auto It = Calls.find(Call);
  return It == Calls.end() ? 0 : It->second;
}

CUresult FakeDriver::enter(const char *Call) {
  int N = ++Calls[Call];
  if (FailCall != Call || N != FailAt)
    return CUDA_SUCCESS;
  Failed = true;
  return FailWith;
}

int &FakeDriver::lastError() { return LastError; }

std::string FakeDriver::disturbance() const {
  std::string Text;
  if (OpenStreams)
    Text += "a stream is left; ";
  if (RelaxedThreads)
    Text += "a thread is left in relaxed capture mode; ";
  if (StackDepth)
    Text += "a context is left on a stack; ";
  if (lastError())
    Text += "the CUDA runtime has a last error; ";
  return Text;
}
