//===- check.h - CUDA errors as exceptions -------------------------------===//

#ifndef TWO_TENANTS_CHECK_H
#define TWO_TENANTS_CHECK_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdexcept>
#include <string>

/// Set-up failed, or a CUDA call did; what() is one line for the user.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(CUresult Code, const char *What) {
  if (Code == CUDA_SUCCESS)
    return;
  const char *Name = nullptr;
  cuGetErrorName(Code, &Name);
  throw Failure(std::string(What) + ": " + (Name ? Name : "unknown error"));
}

inline void check(cudaError_t Code, const char *What) {
  if (Code != cudaSuccess)
    throw Failure(std::string(What) + ": " + cudaGetErrorName(Code));
}

#endif // TWO_TENANTS_CHECK_H
