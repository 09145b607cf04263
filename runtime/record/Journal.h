//===- Journal.h - The file that a traced process appends to --------------===//
//
// Part of kplan. One file a process: a fork that goes on gets one of its own.
// What has been appended is the system's, so that the process may die at any
// moment. No descriptor is kept: a program that closes all it does not know
// must not make us write into its next file.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_JOURNAL_H
#define KPLAN_RUNTIME_RECORD_JOURNAL_H

#include "trace/Event.h"

#include <atomic>
#include <string>
#include <sys/types.h>

namespace kplan::runtime::record {

class Journal {
public:
  /// In \p Folder, which others cannot enter.
  explicit Journal(const std::string &Folder);

  /// Whether this is the process that it was made in.
  bool isOfThisProcess() const;

  /// Several events may be appended at once; nothing comes between them. What
  /// cannot be written is said once, and nothing is written from then on.
  void append(const std::string &Lines);
  void append(const trace::Event &E) { append(trace::encode(E)); }

private:
  void fail(int Error);

  pid_t Process;
  std::string Path; ///< Empty: nothing is written.
  std::atomic<bool> Failed = false;
};

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_JOURNAL_H
