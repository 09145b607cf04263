/*===- Link.c - The glue that a program links ------------------------------===*
 *
 * The linker sends the program's own calls of __cudaRegisterFunction,
 * __cudaRegisterVar and __cudaUnregisterFatBinary here (--wrap; see
 * CMakeLists.txt for the options). Each is passed on unchanged and then told to
 * the registry in libkplan_runtime.so.
 *
 * Everything is hidden: each program and shared library must reach its own copy
 * and its own CUDA runtime. No CUDA header is included, so that the glue fits
 * any toolkit; the signatures are the toolkit's ABI since CUDA 7. Nothing here
 * may need a constructor: registration runs before any.
 *
 *===----------------------------------------------------------------------===*/

#include "link/LinkAbi.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* The CUDA runtime of this link unit. cudaError_t is an int in C. */
extern int cudaGetKernel(void **, const void *);
extern int cudaGetSymbolAddress(void **, const void *);
extern int cudaGetDevice(int *);
extern int cudaInitDevice(int, unsigned, unsigned);
extern int cudaPeekAtLastError(void);
extern int cudaGetLastError(void);
extern const char *cudaGetErrorName(int);

/* What --wrap makes of the real functions' names. */
extern void __real___cudaRegisterFunction(void **, const char *, char *,
                                          const char *, int, void *, void *,
                                          void *, void *, int *);
extern void __real___cudaRegisterVar(void **, char *, char *, const char *, int,
                                     size_t, int, int);
extern void __real___cudaUnregisterFatBinary(void **);

static const kplan_link_unit Unit = {
    sizeof(kplan_link_unit), cudaGetKernel,    cudaGetSymbolAddress,
    cudaGetDevice,           cudaInitDevice,   cudaPeekAtLastError,
    cudaGetLastError,        cudaGetErrorName,
};

HIDDEN void __wrap___cudaRegisterFunction(void **Handle, const char *HostStub,
                                          char *DeviceFunction,
                                          const char *DeviceName,
                                          int ThreadLimit, void *Tid, void *Bid,
                                          void *BlockDim, void *GridDim,
                                          int *WarpSize) {
  __real___cudaRegisterFunction(Handle, HostStub, DeviceFunction, DeviceName,
                                ThreadLimit, Tid, Bid, BlockDim, GridDim,
                                WarpSize);
  kplan_link_register_kernel(&Unit, Handle, HostStub, DeviceName);
}

HIDDEN void __wrap___cudaRegisterVar(void **Handle, char *HostVariable,
                                     char *DeviceAddress,
                                     const char *DeviceName, int External,
                                     size_t Size, int Constant, int Global) {
  __real___cudaRegisterVar(Handle, HostVariable, DeviceAddress, DeviceName,
                           External, Size, Constant, Global);
  kplan_link_register_variable(&Unit, Handle, HostVariable, DeviceName);
}

/* At exit and on dlclose, after which stubs and names are gone. */
HIDDEN void __wrap___cudaUnregisterFatBinary(void **Handle) {
  kplan_link_unregister(Handle);
  __real___cudaUnregisterFatBinary(Handle);
}
