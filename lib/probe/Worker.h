//===- Worker.h - A process that measures one row -------------------------===//
//
// Part of kplan. A first use happens once a process, and a call may never
// return: each row is measured in a process of its own, which writes one line
// to standard output and ends. What it left on the device dies with it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_WORKER_H
#define KPLAN_PROBE_WORKER_H

#include "probe/Report.h"
#include "probe/Setting.h"

#include <optional>
#include <string>
#include <string_view>

namespace kplan::probe {

enum class Ending { Failed, NotMeasurable };

/// Writes why there is no result, and ends this process.
[[noreturn]] void endWorker(Ending How, const std::string &Why);

/// Fills the code store and writes what the machine is. \p File: of it.
[[noreturn]] void prepareInWorker(const Setting &Use, int File);
/// \p Row: its name.
[[noreturn]] void measureInWorker(const std::string &Row, const Setting &Use,
                                  int File);

// What the parent reads from a worker's output; none: it wrote no such line.
struct Prepared {
  Machine On;
  Neighbour Beside;
};
std::optional<Prepared> readPrepared(std::string_view Output);
std::optional<Measurement> readMeasurement(std::string_view Output);

} // namespace kplan::probe

#endif // KPLAN_PROBE_WORKER_H
