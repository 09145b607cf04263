//===- StreamWatch.h - Which streams have work in flight ------------------===//
//
// Part of kplan. A first use waits for whatever runs on the device, so what ran
// must be asked before it: afterwards it is over. Streams are known from the
// launches on them, and are asked by cuStreamQuery. That must never disturb the
// program: nothing is asked while anybody captures a graph, and a stream that
// goes is forgotten before.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_STREAMWATCH_H
#define KPLAN_RUNTIME_RECORD_STREAMWATCH_H

#include <cuda.h>
#include <mutex>
#include <string>
#include <vector>

namespace kplan::runtime::record {

class StreamWatch {
public:
  /// A stream that something was launched on; its number, from 1, in order of
  /// appearance. 0: one that is not watched, such as a thread's default stream.
  /// \param IsNew whether the number is given out for the first time.
  unsigned note(CUstream Stream, bool &IsNew);

  /// Whether it is the default stream of a context.
  static bool isDefault(CUstream Stream);

  /// The numbers of those that have work in flight now, but for \p Except.
  std::vector<std::string> busy(unsigned Except);

  void forget(CUstream Stream);
  /// A context goes, and takes its streams along.
  void forgetAll();

  void beginCapture();
  void endCapture();

private:
  struct Known {
    CUstream Stream;
    CUcontext In; ///< Of a default stream, which has one handle everywhere.
    unsigned Number;
  };
  std::mutex Lock;
  std::vector<Known> Streams;
  unsigned Count = 0;
  unsigned Captures = 0;
};

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_STREAMWATCH_H
