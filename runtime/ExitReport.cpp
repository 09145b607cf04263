//===- ExitReport.cpp - What is said at exit ------------------------------===//

#include "ExitReport.h"

#include "Environment.h"
#include "Log.h"
#include "Process.h"
#include "plan/FileIO.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;

namespace {

pid_t Owner = 0;

void logLines(std::string_view Text) {
  while (!Text.empty()) {
    std::string_view Line = Text.substr(0, Text.find('\n'));
    logAlways(Line);
    Text.remove_prefix(std::min(Text.size(), Line.size() + 1));
  }
}

void sayEscapes() {
  bool Any = sealing().read([](const EscapeSituation &S, const EscapeLog &Log) {
    if (Log.total())
      logLines(escapesAsText(S, Log));
    return Log.total() != 0;
  });
  if (Any)
    logAlways("add them to the plan: each may have waited for, or held up, "
              "what was running on the device");
  else
    logVerbose("no escapes after the seal");
}

void writeReport(const std::string &Pattern) {
  std::string Path = reportPath(Pattern, ::getpid());
  bool Json = Path.ends_with(".json");
  std::string Text = sealing().read(Json ? escapesAsJson : escapesAsText);
  if (!Text.ends_with('\n'))
    Text += '\n';
  if (auto Error = writeFileAtomically(Path, Text))
    logLines(format(*Error));
}

void report() {
  // A child that was forked with the handler set has no report of its own.
  if (Owner != ::getpid())
    return;
  const Environment &E = environment();
  bool Warn = E.OnEscape != EscapeAction::Count;
  if (sealing().isSealed())
    if (auto Api = driver())
      sealing().lookUnlessBusy(**Api);
  if (!E.Report.empty())
    writeReport(E.Report);
  if (Warn && sealing().wasSealed())
    sayEscapes();
  // What the exit handlers of others unload is no escape.
  sealing().end();
}

void atExit() {
  try {
    report();
  } catch (...) {
    // No memory at exit: there is nobody to tell.
  }
}

} // namespace

std::string kplan::runtime::reportPath(std::string_view Pattern,
                                       int64_t Process) {
  std::string Path;
  for (size_t I = 0; I < Pattern.size(); ++I)
    if (Pattern.substr(I, 2) == "%p") {
      Path += std::to_string(Process);
      ++I;
    } else {
      Path += Pattern[I];
    }
  return Path;
}

void kplan::runtime::reportEscapesAtExit() {
  const Environment &E = environment();
  if (E.OnEscape == EscapeAction::Count && E.Report.empty())
    return;
  static const bool Registered = [] {
    Owner = ::getpid();
    return std::atexit(atExit) == 0;
  }();
  if (!Registered)
    logOnce("escapes cannot be reported at exit: atexit failed");
}
