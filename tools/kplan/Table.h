//===- Table.h - Text in columns ------------------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_TABLE_H
#define KPLAN_TOOLS_KPLAN_TABLE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::tool {

/// Columns as wide as their widest cell, aligned left, two spaces apart. Widths
/// count code points, control characters become spaces. Rows may have fewer
/// cells than there are columns.
class Table {
public:
  explicit Table(std::vector<std::string> Header);
  void addRow(std::vector<std::string> Cells);
  /// Lines end without trailing spaces.
  std::string text() const;

private:
  std::vector<std::vector<std::string>> Rows;
};

/// Text on one line, and no longer than `MaxWidth` code points, three of them
/// dots where it was longer. 0: as long as it is.
std::string shorten(std::string_view Text, size_t MaxWidth);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_TABLE_H
