//===- PrimeCost.cu - The bare driver calls behind a plan -----------------===//
//
// Reads what a plan's images hold (scripts: prime_list.py) and does by hand
// what priming does, on one thread: loads each image, then each planned
// function. Without a list it only makes a context, so that a preloaded kplan
// primes. Prints milliseconds and device memory.
//
//   prime_cost [LIST]
//   LIST: lines `image PATH OFFSET SIZE library|module`, each followed by
//   `kernel SYMBOL` lines.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdio>
#include <cuda.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void require(CUresult Result, const std::string &What) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Name = "unknown error";
  cuGetErrorName(Result, &Name);
  std::fprintf(stderr, "prime_cost: %s: %s\n", What.c_str(), Name);
  std::exit(2);
}

size_t freeBytes() {
  size_t Free = 0, Total = 0;
  require(cuMemGetInfo(&Free, &Total), "cuMemGetInfo");
  return Free;
}

struct Image {
  std::string Path;
  size_t Offset = 0, Size = 0;
  bool Library = true;
  std::vector<std::string> Kernels;
};

std::vector<Image> readList(const char *Path) {
  std::vector<Image> Images;
  std::ifstream In(Path);
  for (std::string Line; std::getline(In, Line);) {
    std::istringstream Words(Line);
    std::string Kind, Loader;
    Words >> Kind;
    if (Kind == "image") {
      Image &I = Images.emplace_back();
      Words >> I.Path >> I.Offset >> I.Size >> Loader;
      I.Library = Loader == "library";
    } else if (!Images.empty()) {
      Words >> Images.back().Kernels.emplace_back();
    }
  }
  return Images;
}

size_t load(const Image &I) {
  std::ifstream In(I.Path, std::ios::binary);
  In.seekg(static_cast<std::streamoff>(I.Offset));
  std::vector<char> Bytes(I.Size + 1); // PTX wants a NUL.
  In.read(Bytes.data(), static_cast<std::streamsize>(I.Size));
  if (!In) {
    std::fprintf(stderr, "prime_cost: cannot read %s\n", I.Path.c_str());
    std::exit(2);
  }
  size_t Functions = 0;
  if (I.Library) {
    CUlibrary Library;
    require(cuLibraryLoadData(&Library, Bytes.data(), nullptr, nullptr, 0,
                              nullptr, nullptr, 0),
            "cuLibraryLoadData " + I.Path);
    for (const std::string &Symbol : I.Kernels) {
      CUkernel Kernel;
      CUfunction Function;
      require(cuLibraryGetKernel(&Kernel, Library, Symbol.c_str()), Symbol);
      require(cuKernelGetFunction(&Function, Kernel), Symbol);
      ++Functions;
    }
  } else {
    CUmodule Module;
    require(cuModuleLoadData(&Module, Bytes.data()),
            "cuModuleLoadData " + I.Path);
    for (const std::string &Symbol : I.Kernels) {
      CUfunction Function;
      require(cuModuleGetFunction(&Function, Module, Symbol.c_str()), Symbol);
      require(cuFuncLoad(Function), Symbol);
      ++Functions;
    }
  }
  return Functions;
}

} // namespace

int main(int Count, char **Arguments) {
  require(cuInit(0), "cuInit");
  CUdevice Device;
  CUcontext Context;
  require(cuDeviceGet(&Device, 0), "cuDeviceGet");
  require(cuDevicePrimaryCtxRetain(&Context, Device), "retain");
  require(cuCtxSetCurrent(Context), "current");
  const auto Begin = std::chrono::steady_clock::now();
  const size_t Before = freeBytes();
  size_t Functions = 0, Images = 0;
  if (Count > 1)
    for (const Image &I : readList(Arguments[1])) {
      Functions += load(I);
      ++Images;
    }
  const std::chrono::duration<double, std::milli> Took =
      std::chrono::steady_clock::now() - Begin;
  std::printf("by hand: %zu images, %zu functions in %.1f ms, %.1f MB\n",
              Images, Functions, Took.count(),
              static_cast<double>(Before - freeBytes()) / 1e6);
  return 0;
}
