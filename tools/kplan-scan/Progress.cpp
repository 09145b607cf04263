//===- Progress.cpp - How far a scan is, on a terminal --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kplan::scan {

Progress::Progress() {
  if (!isatty(STDERR_FILENO))
    return;
  winsize Size{};
  bool IsKnown = ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_col;
  Width = IsKnown ? Size.ws_col : 80;
}

void Progress::progress(size_t Done, size_t Total, const std::string &Unit) {
  if (!Width)
    return;
  std::string Line =
      "[" + std::to_string(Done) + "/" + std::to_string(Total) + "] " + Unit;
  if (Line.size() >= Width) // A line that wraps could not be taken back.
    Line = Line.substr(0, Width - 1);
  std::fprintf(stderr, "\r\033[K%s", Line.c_str());
  Shown = true;
}

void Progress::clear() {
  if (Shown)
    std::fputs("\r\033[K", stderr);
  Shown = false;
}

} // namespace kplan::scan
