//===- DiagnosticLog.cpp - Diagnostics of many units, each said once ------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/DiagnosticLog.h"

#include "scan/Paths.h"

namespace kplan::scan {

void DiagnosticLog::add(const std::string &Unit,
                        const std::vector<Diagnostic> &Diagnostics) {
  Entry *Current = nullptr; // Null: of a diagnostic that is there already.
  for (const Diagnostic &D : Diagnostics) {
    if (D.Level == Severity::Note) {
      if (Current)
        Current->Notes.push_back(D);
      continue;
    }
    auto [It, New] = Index.try_emplace(
        Key{D.Level, D.File, D.Line, D.Column, D.Message}, Entries.size());
    if (New)
      Entries.push_back({D, {}, Unit, {}, 0});
    Entry &E = Entries[It->second];
    Current = New ? &E : nullptr;
    if (E.Units == 0 || E.LastUnit != Unit)
      ++E.Units;
    E.LastUnit = Unit;
  }
}

std::string DiagnosticLog::format(size_t Most,
                                  const std::string &Directory) const {
  auto Print = [&](Diagnostic D) {
    if (auto Relative = relativeWithin(D.File, Directory))
      D.File = *Relative;
    return kplan::format(D);
  };
  std::string Out;
  size_t Printed = 0;
  for (const Entry &E : Entries) {
    if (Printed == Most)
      break;
    ++Printed;
    Out += Print(E.Main);
    for (const Diagnostic &Note : E.Notes)
      Out += Print(Note);
    if (E.Units > 1)
      Out += "note: in " + std::to_string(E.Units) + " TUs, of which " +
             E.FirstUnit + " is the first\n";
  }
  if (size_t More = Entries.size() - Printed)
    Out += "note: " + std::to_string(More) +
           " more errors and warnings are not shown; scan a file alone to see "
           "all of its own\n";
  return Out;
}

std::vector<Diagnostic> DiagnosticLog::all() const {
  std::vector<Diagnostic> All;
  for (const Entry &E : Entries)
    All.push_back(E.Main);
  return All;
}

} // namespace kplan::scan
