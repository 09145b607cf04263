//===- Rows.cpp - What the probe measures ---------------------------------===//

#include "probe/Rows.h"

namespace kplan::probe {

const std::vector<Row> &allRows() {
  static const std::vector<Row> All = [] {
    std::vector<Row> Rows;
    for (auto *Part : {touchRows, residentRows, memoryRows, loadRows,
                       besideRows, graphAndDeviceRows})
      for (const Row &R : Part())
        Rows.push_back(R);
    return Rows;
  }();
  return All;
}

const Row *findRow(const std::string &Name) {
  for (const Row &R : allRows())
    if (R.Name == Name)
      return &R;
  return nullptr;
}

} // namespace kplan::probe
