//===- Parallel.h - A few threads over a list of jobs ---------------------===//
//
// Part of kplan. The calling thread works too, so a process that may not
// create threads is only slower.
//
// The caller may hold any lock of the program's, and the dynamic loader's (a
// constructor that runs under dlopen). A thread whose work needs the loader,
// as compiling PTX does inside the driver, would then wait for a caller that
// waits for it. So each thread takes the loader's lock once, and gives it back,
// before it takes a job: one that cannot get it takes no job, and nobody waits
// for it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PARALLEL_H
#define KPLAN_RUNTIME_PARALLEL_H

#include <cstddef>
#include <functional>

namespace kplan::runtime {

/// Takes the next job; false: there is none left.
using NextJob = std::function<bool(size_t &Index)>;

/// Runs `Worker` on the calling thread and on up to Threads - 1 others until
/// `Jobs` jobs are taken. A worker may return early; the jobs that it did not
/// take go to others, if `Worker` on the calling thread takes what is left.
/// An exception of any worker is thrown again here, once all have ended.
/// Signals of the program are never delivered to the other threads.
void runWorkers(
    size_t Jobs, unsigned Threads,
    const std::function<void(const NextJob &, bool OnCaller)> &Worker);

/// Runs `Job` on a thread of its own and waits for it. False: it was not run,
/// since no thread can be created, or the new one cannot get the loader's lock,
/// which the caller may hold. Exceptions and signals as above.
bool runElsewhere(const std::function<void()> &Job);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PARALLEL_H
