// A program of the driver API that does what its arguments say, one after the
// other, and tells what came of each:
//
//   primary N            retains device N's primary context, makes it current
//   inactive N           makes it current before it is active, as the CUDA
//                        runtime does
//   create N             cuCtxCreate          green N    a green context
//   current none         destroy   reset N   release N   retain N
//   library NAME FILE [OPTION...]     cuLibraryLoadData
//   module, fatbinary, library-file, module-file, wrapper, wrapper2   the same
//   unload NAME
//   kernel NAME SYMBOL   finds it             launch NAME SYMBOL
//   attribute NAME SYMBOL N    global NAME SYMBOL      limit N VALUE
//   hold NAME SYMBOL     launches a kernel that runs until it is waited for;
//                        what waits for it says so from here on
//   active N             whether device N's primary context is
//   capture              a stream captures in global mode from here on
//   prime  seal  unseal  escapes     kplan's API
//   thread COMMAND       on a thread of its own
//   -- TEXT              a line in the stand-in driver's log
//
// Options of a load: max_registers=N, verbose, log (buffers, shown), nolog
// (sizes without buffers), preserved, table (another library option), 999.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

extern "C" CUresult cuStandinPrimaryCurrent(CUdevice);

namespace {

struct Code {
  bool IsLibrary = false;
  CUlibrary Library = nullptr;
  CUmodule Module = nullptr;
};
std::map<std::string, Code> Loaded;
std::map<std::string, std::string> Files; // They stay where they are.
CUcontext Private = nullptr;
CUstream Held = nullptr;
int Never = 0;

const char *name(CUresult Result) {
  const char *Name = "unknown";
  cuGetErrorName(Result, &Name);
  return Name;
}

const char *contents(const std::string &Path) {
  std::string &Text = Files[Path];
  if (Text.empty()) {
    std::ifstream In(Path, std::ios::binary);
    Text.assign(std::istreambuf_iterator<char>(In), {});
  }
  return Text.c_str();
}

/// Reads what a command names, so that it is not the command that opens files.
void contentsOfAll(const char *Command) {
  std::istringstream In(Command);
  for (std::string Word; In >> Word;)
    if (Word.find('.') != std::string::npos && Word[0] != '-')
      contents(Word);
}

struct Wrapper {
  unsigned Magic = 0x466243b1, Version = 1;
  const void *Fatbin = nullptr;
  const void *const *Prelinked = nullptr;
};

struct Options {
  std::vector<CUjit_option> Jit;
  std::vector<void *> Values;
  std::vector<CUlibraryOption> Library;
  std::vector<void *> LibraryValues;
  char Info[64] = "untouched", Error[64] = "untouched";
  bool Log = false;

  void add(CUjit_option Option, size_t Value) {
    Jit.push_back(Option);
    Values.push_back(reinterpret_cast<void *>(Value));
  }
  void parse(const std::string &Word) {
    if (Word.rfind("max_registers=", 0) == 0) {
      add(CU_JIT_MAX_REGISTERS, std::stoul(Word.substr(14)));
    } else if (Word == "verbose") {
      add(CU_JIT_LOG_VERBOSE, 1);
    } else if (Word == "log" || Word == "nolog") {
      Log = true;
      size_t Room = Word == "log" ? sizeof(Info) : 0;
      if (Room)
        add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<size_t>(Info));
      add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, Room);
      if (Room)
        add(CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<size_t>(Error));
      add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, Room);
      add(CU_JIT_WALL_TIME, 0);
    } else if (Word == "preserved") {
      Library.push_back(CU_LIBRARY_BINARY_IS_PRESERVED);
      LibraryValues.push_back(reinterpret_cast<void *>(1));
    } else if (Word == "table") {
      Library.push_back(CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE);
      LibraryValues.push_back(nullptr);
    } else {
      add(static_cast<CUjit_option>(std::stoi(Word)), 0);
    }
  }
  void show() {
    if (!Log)
      return;
    std::printf("  log: '%s' '%s'", Info, Error);
    for (size_t I = 0; I < Jit.size(); ++I) {
      float Time;
      std::memcpy(&Time, &Values[I], sizeof Time);
      if (Jit[I] == CU_JIT_WALL_TIME)
        std::printf(" time %.1f", Time);
      else if (Jit[I] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
               Jit[I] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        std::printf(" size %zu", reinterpret_cast<size_t>(Values[I]));
    }
    std::printf("\n");
  }
};

CUresult load(const std::string &How, Code &C, const std::string &Path,
              Options &O) {
  const void *Image = contents(Path);
  unsigned Jit = O.Jit.size(), Library = O.Library.size();
  Wrapper W;
  W.Fatbin = Image;
  const void *const Prelinked[] = {Image, nullptr};
  if (How == "wrapper2") {
    W.Version = 2;
    W.Prelinked = Prelinked;
  }
  C.IsLibrary = How.find("module") != 0 && How != "fatbinary";
  if (How == "library-file")
    return cuLibraryLoadFromFile(&C.Library, Path.c_str(), O.Jit.data(),
                                 O.Values.data(), Jit, O.Library.data(),
                                 O.LibraryValues.data(), Library);
  if (C.IsLibrary)
    return cuLibraryLoadData(&C.Library, How == "library" ? Image : &W,
                             O.Jit.data(), O.Values.data(), Jit,
                             O.Library.data(), O.LibraryValues.data(), Library);
  if (How == "module-file")
    return cuModuleLoad(&C.Module, Path.c_str());
  if (How == "fatbinary")
    return cuModuleLoadFatBinary(&C.Module, Image);
  return Jit ? cuModuleLoadDataEx(&C.Module, Image, Jit, O.Jit.data(),
                                  O.Values.data())
             : cuModuleLoadData(&C.Module, Image);
}

CUresult find(const Code &C, const char *Symbol, CUkernel &Kernel,
              CUfunction &Function) {
  if (!C.IsLibrary)
    return cuModuleGetFunction(&Function, C.Module, Symbol);
  if (CUresult Result = cuLibraryGetKernel(&Kernel, C.Library, Symbol))
    return Result;
  Function = reinterpret_cast<CUfunction>(Kernel);
  return CUDA_SUCCESS;
}

CUresult launch(CUfunction F, bool Hold) {
  unsigned long long TimeOut = 1000000;
  int *Release = &Never;
  void *Arguments[] = {&Release, &TimeOut};
  CUstream Stream = nullptr;
  if (CUresult Result = cuStreamCreate(&Stream, CU_STREAM_NON_BLOCKING))
    return Result;
  CUresult Result =
      cuLaunchKernel(F, 1, 1, 1, 1, 1, 1, 0, Stream, Arguments, nullptr);
  if (Hold)
    Held = Stream;
  else if (Result == CUDA_SUCCESS)
    Result = cuStreamSynchronize(Stream);
  return Result;
}

template <class T> int api(const char *Function, T Call) {
  auto *F = reinterpret_cast<int (*)(void *, void *, void *)>(
      dlsym(RTLD_DEFAULT, Function));
  return F ? Call(F) : -1;
}

CUresult makeCurrent(int Device) {
  CUcontext Context = nullptr;
  if (CUresult Result = cuDevicePrimaryCtxRetain(&Context, Device))
    return Result;
  return cuCtxSetCurrent(Context);
}

CUresult green(int Device) {
  CUdevResource Sms, Group;
  CUdevResourceDesc Descriptor;
  CUgreenCtx Green;
  CUcontext Context;
  unsigned Groups = 1;
  CUresult Result =
      cuDeviceGetDevResource(Device, &Sms, CU_DEV_RESOURCE_TYPE_SM);
  if (!Result)
    Result = cuDevSmResourceSplitByCount(&Group, &Groups, &Sms, nullptr, 0, 16);
  if (!Result)
    Result = cuDevResourceGenerateDesc(&Descriptor, &Group, 1);
  if (!Result)
    Result = cuGreenCtxCreate(&Green, Descriptor, Device,
                              CU_GREEN_CTX_DEFAULT_STREAM);
  if (!Result)
    Result = cuCtxFromGreenCtx(&Context, Green);
  return Result ? Result : cuCtxSetCurrent(Context);
}

CUresult run(std::istringstream &In) {
  std::string What, First, Second, Third;
  In >> What >> First >> Second;
  auto Number = [](const std::string &Text) { return std::atoi(Text.c_str()); };
  if (What == "--") {
    if (const char *Path = std::getenv("KPLAN_STANDIN_LOG"))
      std::ofstream(Path, std::ios::app) << "-- " << First << "\n";
    return CUDA_SUCCESS;
  }
  if (What == "thread") {
    CUresult Result = CUDA_SUCCESS;
    std::string Rest = First + " " + Second;
    std::getline(In, Third);
    std::thread([&] {
      std::istringstream Inner(Rest + Third);
      Result = run(Inner);
    }).join();
    return Result;
  }
  if (What == "primary")
    return makeCurrent(Number(First));
  if (What == "inactive")
    return cuStandinPrimaryCurrent(Number(First));
  if (What == "retain") {
    CUcontext Context = nullptr;
    return cuDevicePrimaryCtxRetain(&Context, Number(First));
  }
  if (What == "create")
    return cuCtxCreate(&Private, nullptr, 0, Number(First));
  if (What == "green")
    return green(Number(First));
  if (What == "current")
    return cuCtxSetCurrent(nullptr);
  if (What == "destroy")
    return cuCtxDestroy(Private);
  if (What == "reset")
    return cuDevicePrimaryCtxReset(Number(First));
  if (What == "release")
    return cuDevicePrimaryCtxRelease(Number(First));
  if (What == "active") {
    unsigned Flags = 0;
    int Active = -1;
    CUresult Result =
        cuDevicePrimaryCtxGetState(Number(First), &Flags, &Active);
    std::printf("  %d\n", Active);
    return Result;
  }
  if (What == "capture") {
    CUstream Stream = nullptr;
    CUresult Result = cuStreamCreate(&Stream, CU_STREAM_NON_BLOCKING);
    return Result ? Result
                  : cuStreamBeginCapture(Stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  }
  if (What == "limit")
    return cuCtxSetLimit(static_cast<CUlimit>(Number(First)), Number(Second));
  if (What == "prime") {
    std::printf("  status %d\n", api("kplan_prime", [](auto *F) {
                  void *Report = nullptr;
                  int Status = F(nullptr, &Report, nullptr);
                  auto *Text = reinterpret_cast<const char *(*)(void *)>(
                      dlsym(RTLD_DEFAULT, "kplan_report_text"));
                  std::printf("  %s\n", Text(Report));
                  return Status;
                }));
    return CUDA_SUCCESS;
  }
  if (What == "seal" || What == "unseal") {
    api(("kplan_" + What).c_str(),
        [](auto *F) { return F(nullptr, nullptr, nullptr); });
    return CUDA_SUCCESS;
  }
  if (What == "escapes") {
    size_t Count = 0;
    api("kplan_escapes", [&](auto *F) { return F(nullptr, nullptr, &Count); });
    std::printf("  %zu\n", Count);
    return CUDA_SUCCESS;
  }

  if (What == "unload") {
    Code C = Loaded[First];
    return C.IsLibrary ? cuLibraryUnload(C.Library) : cuModuleUnload(C.Module);
  }
  CUkernel Kernel = nullptr;
  CUfunction Function = nullptr;
  if (What == "kernel")
    return find(Loaded[First], Second.c_str(), Kernel, Function);
  if (What == "launch" || What == "hold") {
    CUresult Result = find(Loaded[First], Second.c_str(), Kernel, Function);
    return Result ? Result : launch(Function, What == "hold");
  }
  if (What == "attribute") {
    int Which = 0, Value = -1;
    In >> Which;
    auto Attribute = static_cast<CUfunction_attribute>(Which);
    CUresult Result = find(Loaded[First], Second.c_str(), Kernel, Function);
    if (!Result)
      Result = Kernel ? cuKernelGetAttribute(&Value, Attribute, Kernel, 0)
                      : cuFuncGetAttribute(&Value, Attribute, Function);
    std::printf("  %d\n", Value);
    return Result;
  }
  if (What == "global") {
    CUdeviceptr Address = 0;
    size_t Size = 0;
    const Code &C = Loaded[First];
    CUresult Result =
        C.IsLibrary
            ? cuLibraryGetGlobal(&Address, &Size, C.Library, Second.c_str())
            : cuModuleGetGlobal(&Address, &Size, C.Module, Second.c_str());
    if (!Result) // The stand-in's device memory is the host's.
      std::printf("  %d\n", (*reinterpret_cast<int *>(Address))++);
    return Result;
  }
  Options O;
  for (std::string Word; In >> Word;)
    O.parse(Word);
  CUresult Result = load(What, Loaded[First], Second, O);
  O.show();
  return Result;
}

} // namespace

int main(int Count, char **Arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // In order with standard error.
  cuInit(0);
  for (int I = 1; I < Count; ++I) {
    std::istringstream Command(Arguments[I]);
    CUcontext Before = nullptr, After = nullptr;
    cuCtxGetCurrent(&Before);
    const bool IsHeld = Held && cuStreamQuery(Held) == CUDA_ERROR_NOT_READY;
    contentsOfAll(Arguments[I]);
    errno = 77;
    CUresult Result = run(Command);
    const bool Waited = IsHeld && cuStreamQuery(Held) == CUDA_SUCCESS;
    std::printf("%s: %s%s\n", Arguments[I], name(Result),
                Waited ? ", waited" : "");
    if (errno != 77 && !std::getenv("KPLAN_STANDIN_LOG"))
      std::printf("  errno is %d\n", errno);
    cuCtxGetCurrent(&After);
    const std::string Word = Arguments[I];
    if (Before != After && Word.find("primary") && Word.find("green") &&
        Word.find("create") && Word.find("current") && Word.find("destroy") &&
        Word.find("release") && Word.find("inactive"))
      std::printf("  another context is current\n");
  }
  return 0;
}
