//===- HtmlPlan.h - A plan's entries as a section of a page ---------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_HTMLPLAN_H
#define KPLAN_REPORT_HTMLPLAN_H

#include "plan/Plan.h"
#include "report/HtmlWriter.h"

#include <string>

namespace kplan::report {

/// \param File its name.
void writePlan(HtmlWriter &Out, const Plan &P, const std::string &File);

} // namespace kplan::report

#endif // KPLAN_REPORT_HTMLPLAN_H
