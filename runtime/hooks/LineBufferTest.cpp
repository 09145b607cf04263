//===- LineBufferTest.cpp -------------------------------------------------===//

#include "hooks/LineBuffer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

using namespace kplan::runtime::hooks;

namespace {

TEST(LineBufferTest, FormatsNumbersAndAddresses) {
  LineBuffer Line;
  Line << 0 << " " << -7 << " " << std::numeric_limits<int64_t>::min() << " "
       << std::numeric_limits<uint64_t>::max() << " "
       << reinterpret_cast<void *>(0xbeef) << " "
       << static_cast<void *>(nullptr);
  EXPECT_EQ(Line.text(), "kplan: 0 -7 -9223372036854775808 "
                         "18446744073709551615 0xbeef 0x0");
}

TEST(LineBufferTest, FormatsDurations) {
  LineBuffer Line;
  Line.microseconds(7) << ", ";
  Line.microseconds(45) << ", ";
  Line.microseconds(999) << ", ";
  Line.microseconds(272300001);
  EXPECT_EQ(Line.text(), "kplan: 0.007 us, 0.045 us, 0.999 us, 272300.001 us");
}

TEST(LineBufferTest, QuotesText) {
  LineBuffer Line;
  Line.quoted("a\"b\\c\n\xff") << " ";
  Line.quoted(nullptr) << " ";
  Line.quoted(std::string(300, 'x').c_str());
  EXPECT_EQ(Line.text(), R"(kplan: "a\"b\\c\x0a\xff" null ")" +
                             std::string(200, 'x') + "\"...");
}

TEST(LineBufferTest, CutsWhatDoesNotFit) {
  LineBuffer Line;
  for (int I = 0; I < 100; ++I)
    Line << "0123456789abcdef";
  EXPECT_LT(Line.text().size(), 1024u);
  EXPECT_TRUE(Line.text().ends_with("..."));
  EXPECT_FALSE(Line.text().ends_with("......"));
}

TEST(LineBufferTest, WritesOneLineAndKeepsErrno) {
  testing::internal::CaptureStderr();
  errno = 5;
  (LineBuffer() << "hello").write();
  EXPECT_EQ(errno, 5);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "kplan: hello\n");
}

} // namespace
