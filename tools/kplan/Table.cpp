//===- Table.cpp - Text in columns ----------------------------------------===//

#include "Table.h"

#include <algorithm>
#include <utility>

namespace kplan::tool {

static bool startsCodePoint(char C) {
  return (static_cast<unsigned char>(C) & 0xC0) != 0x80;
}

static size_t width(std::string_view Text) {
  return static_cast<size_t>(
      std::count_if(Text.begin(), Text.end(), startsCodePoint));
}

Table::Table(std::vector<std::string> Header) { addRow(std::move(Header)); }

/// A plan may come from anywhere: nothing in it reaches a terminal as control.
static void removeControls(std::string &Text) {
  for (char &C : Text)
    if (static_cast<unsigned char>(C) < 0x20 || C == 0x7F)
      C = ' ';
}

void Table::addRow(std::vector<std::string> Cells) {
  for (std::string &Cell : Cells)
    removeControls(Cell);
  Rows.push_back(std::move(Cells));
}

std::string Table::text() const {
  std::vector<size_t> Widths;
  for (const auto &Row : Rows) {
    Widths.resize(std::max(Widths.size(), Row.size()));
    for (size_t I = 0; I < Row.size(); ++I)
      Widths[I] = std::max(Widths[I], width(Row[I]));
  }
  std::string Out;
  for (const auto &Row : Rows) {
    std::string Line;
    size_t Column = 0; // where the cell begins
    size_t Reached = 0;
    for (size_t I = 0; I < Row.size(); ++I) {
      if (!Row[I].empty()) {
        Line.append(Column - Reached, ' ');
        Line += Row[I];
        Reached = Column + width(Row[I]);
      }
      Column += Widths[I] + 2;
    }
    Out += Line + '\n';
  }
  return Out;
}

std::string shorten(std::string_view Text, size_t MaxWidth) {
  std::string Line(Text);
  removeControls(Line);
  if (!MaxWidth || width(Line) <= MaxWidth)
    return Line;
  size_t Keep = MaxWidth > 3 ? MaxWidth - 3 : 0;
  size_t Bytes = 0;
  for (; Bytes < Line.size(); ++Bytes)
    if (startsCodePoint(Line[Bytes]) && Keep-- == 0)
      break;
  return Line.substr(0, Bytes) + "...";
}

} // namespace kplan::tool
