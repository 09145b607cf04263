//===- Worker.h - The process that scans one translation unit -------------===//
//
// Part of kplan. clang may crash, overflow its stack, run out of memory or
// never end; each TU is therefore parsed in a process of its own. Starting one
// costs a few hundredths of a second, parsing a TU that includes CUDA's
// headers one second or more.
//
// A worker is this same program, started with WorkerArgument. It reads a
// request on standard input, writes an answer to AnswerDescriptor and exits.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_WORKER_H
#define KPLAN_SCAN_WORKER_H

namespace kplan::scan {

/// The only argument of a worker; not for users.
inline constexpr const char *WorkerArgument = "--kplan-internal-worker";
inline constexpr int AnswerDescriptor = 3;

/// main() of a worker.
int runWorker();

} // namespace kplan::scan

#endif // KPLAN_SCAN_WORKER_H
