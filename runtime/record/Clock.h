//===- Clock.h - Time in nanoseconds --------------------------------------===//
//
// Part of kplan. One clock for all processes of a machine.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_CLOCK_H
#define KPLAN_RUNTIME_RECORD_CLOCK_H

#include <cstdint>
#include <ctime>

namespace kplan::runtime::record {

inline uint64_t nowOf(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 +
         static_cast<uint64_t>(T.tv_nsec);
}

inline uint64_t now() { return nowOf(CLOCK_MONOTONIC); }

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_CLOCK_H
