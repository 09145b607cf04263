//===- PlanWriter.h - Plans to text ---------------------------------------===//
//
// Part of kplan. The same plan gives the same bytes, whatever the order of its
// lists, and readPlan() gives back an equal plan, `x-` keys included. Bytes of
// source text that are not UTF-8 become U+FFFD.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PLANWRITER_H
#define KPLAN_PLAN_PLANWRITER_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <optional>
#include <string>

namespace kplan {

class YamlWriter;

/// The plan's text, in canonical order.
std::string writePlan(Plan P);

/// Writes the file whole or not at all (FileIO.h). Returns the error, if any.
std::optional<Diagnostic> writePlanFile(const Plan &P, const std::string &Path);

/// "file:line:col".
std::string formatPosition(const SourcePosition &P);

/// A site, or a value, as the next value of a document.
void writeSite(YamlWriter &W, const Site &S);
void writeValue(YamlWriter &W, const Value &V);

} // namespace kplan

#endif // KPLAN_PLAN_PLANWRITER_H
