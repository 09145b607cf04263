//===- Log.cpp - What the runtime says on standard error ------------------===//

#include "Log.h"

#include "Environment.h"

#include <cerrno>
#include <mutex>
#include <set>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kplan::runtime;

void kplan::runtime::logAlways(std::string_view Line) {
  int SavedErrno = errno;
  std::string Text = "kplan: ";
  Text += Line;
  Text += '\n';
  std::string_view Rest = Text;
  while (!Rest.empty()) {
    // Not write(2) of the C library: under a hook there must be no place where
    // the thread can be cancelled.
    long Written = syscall(SYS_write, STDERR_FILENO, Rest.data(), Rest.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      break; // Nobody listens.
    Rest.remove_prefix(static_cast<size_t>(Written));
  }
  errno = SavedErrno;
}

void kplan::runtime::logVerbose(std::string_view Line) {
  if (environment().Verbose)
    logAlways(Line);
}

void kplan::runtime::logOnce(std::string_view Line) {
  static std::mutex Lock;
  static auto *Said = new std::set<std::string, std::less<>>;
  {
    std::lock_guard Guard(Lock);
    if (!Said->emplace(Line).second)
      return;
  }
  logAlways(Line);
}
