//===- Journal.cpp - The file that a traced process appends to ------------===//

#include "record/Journal.h"

#include "hooks/LineBuffer.h"
#include "image/File.h"
#include "record/Clock.h"
#include "trace/Recording.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime::record;
using image::File;

static std::string programPath() {
  char Path[PATH_MAX];
  ssize_t Length = ::readlink("/proc/self/exe", Path, sizeof Path);
  return Length > 0 ? std::string(Path, static_cast<size_t>(Length)) : "";
}

Journal::Journal(const std::string &Folder) : Process(::getpid()) {
  std::string Line = trace::encode(trace::ProcessEvent{
      trace::RecordingVersion, static_cast<uint64_t>(Process), programPath(),
      now(), nowOf(CLOCK_REALTIME)});
  // A process may run one program after the other.
  constexpr int MostPrograms = 10000;
  for (int Number = 0; Number < MostPrograms; ++Number) {
    Path = Folder + '/' + std::to_string(Process) + '-' +
           std::to_string(Number) + std::string(trace::RecordingSuffix);
    File Out = File::open(Path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
    if (!Out.valid() && errno == EEXIST)
      continue;
    if (!Out.valid() || !Out.write(image::ByteView(Line)))
      fail(errno);
    return;
  }
  fail(EEXIST);
}

bool Journal::isOfThisProcess() const { return ::getpid() == Process; }

void Journal::append(const std::string &Lines) {
  if (Failed.load(std::memory_order_relaxed))
    return;
  // One write, so that lines of several threads do not mix.
  File Out = File::open(Path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  if (!Out.valid() || !Out.write(image::ByteView(Lines)))
    fail(errno);
}

void Journal::fail(int Error) {
  if (!Failed.exchange(true))
    (hooks::LineBuffer() << "cannot record to " << Path << ": "
                         << std::generic_category().message(Error)
                         << "; the trace of process "
                         << static_cast<int64_t>(Process) << " ends here")
        .write();
}
