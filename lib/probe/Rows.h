//===- Rows.h - What the probe measures -----------------------------------===//
//
// Part of kplan. The one table of rows; Rows.cpp joins what the other files
// hold. A row's name is what users, references and docs call it by.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_ROWS_H
#define KPLAN_PROBE_ROWS_H

#include "probe/Bench.h"

#include <string>
#include <vector>

namespace kplan::probe {

struct Row {
  const char *Name; ///< "touch.cuKernelSetAttribute": group, point, rest.
  /// What else the row stands for, or what is special about it; may be empty.
  const char *Remark;
  void (*Body)(Bench &);
  bool Quick = false; ///< One of the most important rows.
  bool Eager = false; ///< Measured with CUDA_MODULE_LOADING=EAGER.
};

const std::vector<Row> &allRows();
/// Null: there is none.
const Row *findRow(const std::string &Name);

// The files of rows.
std::vector<Row> touchRows();
std::vector<Row> residentRows();
std::vector<Row> memoryRows();
std::vector<Row> loadRows();
std::vector<Row> besideRows();
std::vector<Row> graphAndDeviceRows();

} // namespace kplan::probe

#endif // KPLAN_PROBE_ROWS_H
