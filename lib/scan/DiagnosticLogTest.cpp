//===- DiagnosticLogTest.cpp ----------------------------------------------===//

#include "scan/DiagnosticLog.h"

#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::scan;

namespace {

Diagnostic at(Severity Level, std::string File, unsigned Line,
              std::string Message) {
  Diagnostic D;
  D.Level = Level;
  D.File = std::move(File);
  D.Line = Line;
  D.Column = 1;
  D.Message = std::move(Message);
  return D;
}

const Diagnostic Broken = at(Severity::Error, "/p/x.h", 3, "broken");
const Diagnostic Cause = at(Severity::Note, "/p/y.h", 4, "from here");

TEST(DiagnosticLog, KeepsOrderAndNotes) {
  DiagnosticLog Log;
  Log.add("a.cu", {Broken, Cause, at(Severity::Warning, "/q/z.h", 1, "odd")});
  EXPECT_EQ(Log.format(9, 9, "/p"), "x.h:3:1: error: broken\n"
                                    "y.h:4:1: note: from here\n"
                                    "/q/z.h:1:1: warning: odd\n");
}

TEST(DiagnosticLog, SaysTheSameOnceAndInHowManyUnits) {
  DiagnosticLog Log;
  Log.add("a.cu", {Broken, Broken, Cause});
  EXPECT_EQ(Log.format(9, 9, "/"), "p/x.h:3:1: error: broken\n");
  Log.add("b.cu", {Broken, Cause});
  EXPECT_EQ(Log.format(9, 9, "/p"),
            "x.h:3:1: error: broken\n"
            "note: in 2 TUs, of which a.cu is the first\n");
}

TEST(DiagnosticLog, TellsLevelsAndPlacesApart) {
  DiagnosticLog Log;
  Log.add("a.cu", {Broken, at(Severity::Warning, "/p/x.h", 3, "broken"),
                   at(Severity::Error, "/p/x.h", 4, "broken")});
  EXPECT_EQ(Log.format(9, 9, "/p"), "x.h:3:1: error: broken\n"
                                    "x.h:3:1: warning: broken\n"
                                    "x.h:4:1: error: broken\n");
}

TEST(DiagnosticLog, CountsWhatIsLeftOut) {
  DiagnosticLog Log;
  for (unsigned Line = 1; Line <= 5; ++Line)
    Log.add("a.cu", {at(Severity::Error, "f", Line, "m")});
  EXPECT_EQ(Log.format(2, 9, "/"),
            "f:1:1: error: m\nf:2:1: error: m\n"
            "note: 3 more errors and warnings are not shown; scan a file alone "
            "to see all of its own\n");
}

TEST(DiagnosticLog, OneFileDoesNotHideTheOthers) {
  DiagnosticLog Log;
  for (unsigned Line = 1; Line <= 5; ++Line)
    Log.add("a.cu", {at(Severity::Error, "/p/f", Line, "m")});
  EXPECT_EQ(Log.format(9, 2, "/p").find("not shown"), std::string::npos);
  Log.add("b.cu", {at(Severity::Error, "/p/g", 1, "m")});
  EXPECT_EQ(Log.format(3, 2, "/p"),
            "f:1:1: error: m\nf:2:1: error: m\ng:1:1: error: m\n"
            "f: note: at least 3 more errors and warnings in this file are not "
            "shown; "
            "scan it alone to see them\n");
}

} // namespace
