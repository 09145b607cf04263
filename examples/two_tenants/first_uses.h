//===- first_uses.h - What tenant B does for the first time --------------===//
//
// Each translation unit below is, to the driver, a library of its own that is
// not on the device before its first use. None of them knows of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef TWO_TENANTS_FIRST_USES_H
#define TWO_TENANTS_FIRST_USES_H

#include <cstddef>
#include <cuda_runtime_api.h>

/// Samples in 0..1023, and room for results, in memory that host and device
/// both see: reading a result is no CUDA call.
struct Work {
  static constexpr int Count = 1 << 16;
  static constexpr int Values = 1024;
  const int *Samples;
  int *Result;  ///< Values words.
  int *Scratch; ///< Values words.
};

// sum_setup.cu, sum.cu: an attribute set in one file, the launch in another.
void allowSumsSharedMemory();
void sum(const Work &, cudaStream_t);
bool sumIsRight(const Work &);

// scale.cu: a plain launch.
void scale(const Work &, cudaStream_t);
bool scaleIsRight(const Work &);

// histogram.cu: a template kernel, launched as a cluster.
void histogram(const Work &, cudaStream_t);
bool histogramIsRight(const Work &);

// median.cu: a kernel with a large stack frame.
void median(const Work &, cudaStream_t);
bool medianIsRight(const Work &);

// validate.cu: a kernel that contains a printf.
void validate(const Work &, cudaStream_t);
bool validateIsRight(const Work &);

// gain.cu: a device variable written by name.
void gain(const Work &, cudaStream_t);
bool gainIsRight(const Work &);

#endif // TWO_TENANTS_FIRST_USES_H
