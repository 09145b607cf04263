//===- HtmlReportTest.cpp -------------------------------------------------===//

#include "report/HtmlReport.h"
#include "report/HtmlWriter.h"
#include "trace/Recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

using namespace kplan;
using namespace kplan::report;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(HtmlText, EscapesAllThatCouldBeMarkup) {
  EXPECT_EQ(htmlText("<a b=\"c\">&'d"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;d");
  EXPECT_EQ(htmlText("ü\x01\xff!"), "ü\xEF\xBF\xBD\xEF\xBF\xBD!");
}

TEST(HtmlWriter, CutsLongNamesBetweenCharacters) {
  HtmlWriter Out;
  Out.name("name", "kern\xC3\xBCl<", 5);
  EXPECT_EQ(Out.take(),
            "<span class=\"name\" title=\"kernül&lt;\">kern…</span>");
}

TEST(CspHash, IsTheOneOfBrowsers) {
  // As in the specification of Content Security Policy, 6.7.3.
  EXPECT_EQ(cspHash("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
}

Timeline hostile() {
  auto Recordings = trace::parseRecordings(
      "process version=2 id=12 program=/bin/<b>app at=1000\n"
      "thread number=3 name=<i>\n"
      "stream number=1\n"
      "call at=1000 ns=2000000 thread=3 api=<u> symbol=<script>bad() stream=1 "
      "in_flight=1 first=1 stall=1\n"
      "escape kind=<s> api=<u> symbol=<q>\n",
      "test");
  auto T = timelineOf(*Recordings);
  EXPECT_TRUE(T);
  return T ? std::move(*T) : Timeline();
}

TEST(HtmlReport, TrustsNoName) {
  Timeline T = hostile();
  Plan P;
  Kernel K;
  K.Key.Symbol = "<em>";
  K.Key.File = "<q>";
  P.Kernels.push_back(K);
  P.Limits["<q>"] = 1;
  ReportInput In;
  In.Sides.push_back({"<b>label", "<b>file", &T});
  In.ThePlan = &P;
  In.PlanFile = "<q>";
  std::string Page = htmlReport(In);
  for (const char *Tag :
       {"<b>", "<i>app", "<i>(", "<u>", "<s>", "<q>", "<em>", "<script>bad"})
    EXPECT_THAT(Page, Not(HasSubstr(Tag))) << Tag;
  EXPECT_THAT(Page, HasSubstr("&lt;script&gt;bad()"));
}

TEST(HtmlReport, AllowsItsOwnScriptAlone) {
  Timeline T = hostile();
  ReportInput In;
  In.Sides.push_back({"one", "file", &T});
  std::string Page = htmlReport(In);
  const std::string Begin = "<script>";
  size_t At = Page.find(Begin) + Begin.size();
  std::string Script = Page.substr(At, Page.find("</script>", At) - At);
  EXPECT_THAT(Page, HasSubstr("script-src '" + cspHash(Script) + "'"));
  EXPECT_THAT(Page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(Page.find(Begin, At), Page.npos);
}

TEST(HtmlReport, AnyRecordingMakesAPage) {
  // Not to crash is the whole test; ASan looks on.
  const std::string Valid =
      "process version=2 id=12 program=/bin/app at=1000 date=5\n"
      "stream number=1\nload handle=1 by=library image=xxh3:aa kind=ptx\n"
      "kernel handle=5 library=1 symbol=_Z3onev\n"
      "call at=1000 ns=9000000 thread=3 api=cuLaunchKernel handle=5 stream=1 "
      "in_flight=1,2 first=1 stall=1\n"
      "unload by=library handle=1\nprime at=2000 ns=5 thread=3\n"
      "seal at=99\nescape kind=load api=x thread=3 at=5 ns=7\n";
  unsigned Seed = 7, Pages = 0;
  for (int Round = 0; Round < 3000; ++Round) {
    std::string Text = Valid;
    for (int I = 0; I < 3; ++I) {
      Seed = Seed * 1103515245 + 12345;
      char &There = Text[(Seed >> 8) % Text.size()];
      // Other numbers mostly, so that most are recordings.
      if (std::isdigit(static_cast<unsigned char>(There)))
        There = static_cast<char>('0' + (Seed >> 24) % 10);
      else if (Seed >> 24 < 8)
        There = "=\n ,"[(Seed >> 24) % 4];
    }
    auto Recordings = trace::parseRecordings(Text, "test");
    if (!Recordings)
      continue;
    auto T = timelineOf(*Recordings);
    if (!T)
      continue;
    ReportInput In;
    In.Sides = {{"one", "a", &*T}, {"two", "b", &*T}};
    Pages += !htmlReport(In).empty();
  }
  EXPECT_GT(Pages, 100u);
}

TEST(HtmlReport, APlanAloneHasItsTracedStalls) {
  Plan P;
  P.Stalls.push_back({"cuLaunchKernel", "_Z1kv", 272.3, 1, {}});
  ReportInput In;
  In.ThePlan = &P;
  In.PlanFile = "plan.yaml";
  std::string Page = htmlReport(In);
  EXPECT_THAT(Page, HasSubstr("272 ms"));
  EXPECT_THAT(Page, HasSubstr("k()"));
  EXPECT_THAT(Page, Not(HasSubstr("<canvas")));
  EXPECT_THAT(Page, Not(HasSubstr("<script")));
}

} // namespace
