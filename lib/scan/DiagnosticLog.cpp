//===- DiagnosticLog.cpp - Diagnostics of many units, each said once ------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/DiagnosticLog.h"

#include "scan/Paths.h"

#include <algorithm>

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

std::string DiagnosticLog::format(size_t Most, size_t MostOfFile,
                                  const std::string &Directory) const {
  auto Print = [&](Diagnostic D) {
    if (auto Relative = relativeWithin(D.File, Directory))
      D.File = *Relative;
    return kplan::format(D);
  };
  const bool OfOneFile =
      std::all_of(Entries.begin(), Entries.end(), [this](const Entry &E) {
        return E.Main.File == Entries.front().Main.File;
      });
  std::string Out;
  size_t Printed = 0, Left = 0;
  std::map<std::string, size_t> OfFile;
  for (const Entry &E : Entries) {
    const bool FileIsFull = !OfOneFile && !E.Main.File.empty() &&
                            ++OfFile[E.Main.File] > MostOfFile;
    if (FileIsFull)
      continue; // Counted below.
    if (Printed == Most) {
      ++Left;
      continue;
    }
    ++Printed;
    Out += Print(E.Main);
    for (const Diagnostic &Note : E.Notes)
      Out += Print(Note);
    if (E.Units > 1)
      Out += "note: in " + std::to_string(E.Units) + " TUs, of which " +
             E.FirstUnit + " is the first\n";
  }
  for (const auto &[File, Count] : OfFile)
    if (Count > MostOfFile) {
      Diagnostic More;
      More.Level = Severity::Note;
      More.File = File;
      More.Message = "at least " + std::to_string(Count - MostOfFile) +
                     " more errors and warnings in this file are not shown; "
                     "scan it alone to see them";
      Out += Print(More);
    }
  if (Left)
    Out += "note: " + std::to_string(Left) +
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
