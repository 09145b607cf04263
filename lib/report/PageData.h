//===- PageData.h - A timeline for the page's script ----------------------===//
//
// Part of kplan. The calls of a timeline as one JSON object, column by column,
// so that 100,000 of them stay small and are quickly read:
//
//   {label, duration, names: [...], subjects: [...], threads: [{name,
//   process}],
//    streams: [{name, process}],
//    calls: {thread, stream, begin, ns, api, subject, purpose, flags},
//    extra: {"12": {error, inFlight: [...]}}, primings: [...], seals: [...]}
//
// Begins count from the one before. A stream is its place in `streams`, from 1.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_PAGEDATA_H
#define KPLAN_REPORT_PAGEDATA_H

#include "report/Timeline.h"

#include <string>

namespace kplan::report {

/// Bits of `flags`.
enum CallFlag : unsigned {
  FirstFlag = 1,
  StallFlag = 2,
  BehindFlag = 4,
  EscapeFlag = 8
};

/// Fit to stand in a <script> element: `<` is escaped.
std::string pageData(const Timeline &T, const std::string &Label);

/// "stream 2", "default stream 1 of device 1".
std::string nameOfStream(const Process &P, uint64_t Number);
/// "serve (815)"
std::string nameOfThread(const Thread &T);

} // namespace kplan::report

#endif // KPLAN_REPORT_PAGEDATA_H
