//===- HtmlReport.h - A page about what a plan bought ---------------------===//
//
// Part of kplan. One HTML file that needs nothing from anywhere: figures, what
// waited, lanes of calls, the plan. Tables are there without JavaScript, which
// draws the lanes (page/report.js).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_HTMLREPORT_H
#define KPLAN_REPORT_HTMLREPORT_H

#include "plan/Plan.h"
#include "report/Timeline.h"

#include <string>
#include <vector>

namespace kplan::report {

struct Side {
  std::string Label; ///< "Without the plan"
  std::string File;  ///< The recording's name.
  const Timeline *T = nullptr;
};

struct ReportInput {
  std::string Title; ///< Empty: the program's name.
  /// Up to two: the first without the plan, the second with it.
  std::vector<Side> Sides;
  const Plan *ThePlan = nullptr; ///< Null: none was given.
  std::string PlanFile;
};

std::string htmlReport(const ReportInput &In);

/// The same figures for programs.
std::string jsonReport(const ReportInput &In);

} // namespace kplan::report

#endif // KPLAN_REPORT_HTMLREPORT_H
