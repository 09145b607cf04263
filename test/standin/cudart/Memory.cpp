//===- Memory.cpp - Memory, copies, device variables ----------------------===//

#include "Runtime.h"

#include <cstring>

using namespace standin::cudart;

static CUdeviceptr address(const void *Pointer) {
  return reinterpret_cast<CUdeviceptr>(Pointer);
}

static cudaError_t variable(const void *Symbol, char *&Address, size_t &Bytes) {
  if (cudaError_t E = start())
    return E;
  CUlibrary Library;
  std::string Name;
  if (cudaError_t E = libraryOfVariable(Symbol, Library, Name))
    return result(E);
  CUdeviceptr Found = 0;
  if (CUresult E =
          DRIVER(cuLibraryGetGlobal)(&Found, &Bytes, Library, Name.c_str()))
    return result(E);
  Address = reinterpret_cast<char *>(Found);
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaMalloc(void **Out, size_t Bytes) {
  if (cudaError_t E = start())
    return E;
  return result(
      DRIVER(cuMemAlloc)(reinterpret_cast<CUdeviceptr *>(Out), Bytes));
}

cudaError_t cudaFree(void *Memory) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemFree)(address(Memory)));
}

cudaError_t cudaHostAlloc(void **Out, size_t Bytes, unsigned Flags) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemHostAlloc)(Out, Bytes, Flags));
}

cudaError_t cudaMallocHost(void **Out, size_t Bytes) {
  return cudaHostAlloc(Out, Bytes, 0);
}

cudaError_t cudaFreeHost(void *Memory) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemFreeHost)(Memory));
}

cudaError_t cudaHostGetDevicePointer(void **Out, void *Memory, unsigned Flags) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemHostGetDevicePointer)(
      reinterpret_cast<CUdeviceptr *>(Out), Memory, Flags));
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind, cudaStream_t On) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemcpyAsync)(address(To), address(From), Bytes, On));
}

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemcpy)(address(To), address(From), Bytes));
}

cudaError_t cudaMemset(void *To, int Value, size_t Bytes) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuMemsetD8)(address(To),
                                   static_cast<unsigned char>(Value), Bytes));
}

cudaError_t cudaGetSymbolAddress(void **Out, const void *Symbol) {
  if (!Out)
    return result(cudaErrorInvalidValue);
  char *Address;
  size_t Bytes;
  if (cudaError_t E = variable(Symbol, Address, Bytes))
    return E;
  *Out = Address;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *Out, const void *Symbol) {
  if (!Out)
    return result(cudaErrorInvalidValue);
  char *Address;
  return variable(Symbol, Address, *Out);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t On) {
  char *Address;
  size_t Size;
  if (cudaError_t E = variable(Symbol, Address, Size))
    return E;
  if (Offset > Size || Bytes > Size - Offset)
    return result(cudaErrorInvalidValue);
  return cudaMemcpyAsync(Address + Offset, From, Bytes, Kind, On);
}

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  return cudaMemcpyToSymbolAsync(Symbol, From, Bytes, Offset, Kind, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind, cudaStream_t On) {
  char *Address;
  size_t Size;
  if (cudaError_t E = variable(Symbol, Address, Size))
    return E;
  if (Offset > Size || Bytes > Size - Offset)
    return result(cudaErrorInvalidValue);
  return cudaMemcpyAsync(To, Address + Offset, Bytes, Kind, On);
}

cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  return cudaMemcpyFromSymbolAsync(To, Symbol, Bytes, Offset, Kind, nullptr);
}

} // extern "C"
