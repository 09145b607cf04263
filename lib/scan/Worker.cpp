//===- Worker.cpp - The process that scans one translation unit -----------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Worker.h"

#include "scan/UnitMessages.h"

#include "llvm/Support/PrettyStackTrace.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kplan::scan {

namespace {

/// A crash is reported by the parent, with the TU's name; a core file in the
/// user's folder helps nobody.
void disableCoreFiles() {
  rlimit None{0, 0};
  setrlimit(RLIMIT_CORE, &None);
}

/// Where memory runs out, the kernel should pick a worker, whose TU is tried
/// again, and not the parent.
void offerToOutOfMemoryKiller() {
  int File = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (File < 0)
    return;
  [[maybe_unused]] ssize_t Written = ::write(File, "500", 3);
  close(File);
}

std::string readAll(int Descriptor) {
  std::string Bytes;
  char Buffer[1 << 16];
  for (;;) {
    ssize_t N = read(Descriptor, Buffer, sizeof Buffer);
    if (N > 0)
      Bytes.append(Buffer, N);
    else if (N == 0 || errno != EINTR)
      return Bytes;
  }
}

bool writeAll(int Descriptor, std::string_view Bytes) {
  while (!Bytes.empty()) {
    ssize_t N = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (N > 0)
      Bytes.remove_prefix(N);
    else if (errno != EINTR)
      return false;
  }
  return true;
}

} // namespace

int runWorker() {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // No worker outlives its scan.
  disableCoreFiles();
  offerToOutOfMemoryKiller();
  // What clang was doing when it crashed; no symbolizer, no core.
  llvm::EnablePrettyStackTrace();

  std::optional<UnitRequest> Request = decodeRequest(readAll(STDIN_FILENO));
  if (!Request) {
    std::fprintf(stderr, "kplan-scan: %s is for kplan-scan's own use\n",
                 WorkerArgument);
    return 2;
  }
  UnitResult Result = scanUnit(Request->Command, Request->Options);
  return writeAll(AnswerDescriptor, encodeResult(Result)) ? 0 : 1;
}

} // namespace kplan::scan
