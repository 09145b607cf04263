//===- ReportTest.cpp - What priming did ---------------------------------===//

#include "Report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;
using testing::StrEq;

namespace {

TEST(Report, TextNamesEveryNumber) {
  kplan_report R;
  R.Device = 1;
  R.Milliseconds = 12.34;
  R.Libraries = 1;
  R.Functions = 14;
  R.Attributes = 3;
  R.Unchanged = 2;
  R.Globals = 1;
  R.LocalBytes = 33000;
  R.LocalDeviceBytes = 4500000000;
  R.DeviceBytes = 4510000000;
  R.NotCovered = 2;
  R.finish();
  EXPECT_THAT(
      R.text(),
      StrEq("primed device 1 in 12.3 ms: 1 library, 14 functions, 3 attributes "
            "set (2 unchanged), 1 global, local memory 33000 bytes a thread "
            "(4500.0 MB), 4510.0 MB of device memory\n"
            "  2 registered kernels are in libraries that the plan does not "
            "use: a launch that is the first use after the seal is not "
            "noticed"));
}

TEST(Report, MissingEntriesComeFirst) {
  kplan_report R;
  R.Warnings = {"w"};
  R.Missing = {"m1", "m2"};
  R.finish();
  EXPECT_STREQ(R.message(0), "m1");
  EXPECT_STREQ(R.message(1), "m2");
  EXPECT_STREQ(R.message(2), "w");
  EXPECT_EQ(R.message(3), nullptr);
  EXPECT_EQ(R.count(KPLAN_COUNT_MISSING), 2U);
  EXPECT_EQ(R.count(KPLAN_COUNT_WARNINGS), 3U);
  EXPECT_EQ(R.count(static_cast<kplan_counter>(99)), 0U);
}

TEST(Report, TextOfManyMessagesStaysShort) {
  kplan_report R;
  for (int I = 0; I < 25; ++I)
    R.Missing.push_back("m" + std::to_string(I));
  R.finish();
  EXPECT_THAT(R.text(), HasSubstr("  m9\n  and 15 more"));
}

TEST(Report, AFailureIsAllThatItSays) {
  kplan_report R;
  R.Failure = "no driver";
  R.finish();
  EXPECT_STREQ(R.text(), "not primed\n  no driver");
  EXPECT_STREQ(R.message(0), "no driver");
}

} // namespace
