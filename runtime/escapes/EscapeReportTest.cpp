//===- EscapeReportTest.cpp - Escapes as text and JSON --------------------===//

#include "escapes/EscapeReport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::runtime;
using testing::HasSubstr;

namespace {

TEST(EscapeReport, SaysOfAnEscapeWhatIsKnown) {
  Escape E;
  EXPECT_EQ(describe(E), "touch (name unknown)");
  E.Symbol = "_Z1kPf";
  E.Device = 1;
  EXPECT_EQ(describe(E), "touch _Z1kPf on device 1");
  E.Api = "cuKernelSetAttribute";
  E.Image = "xxh3:5";
  E.Thread = 12;
  E.SinceSeal = 3.5;
  E.HostMs = 0.0211;
  EXPECT_EQ(describe(E),
            "touch _Z1kPf of xxh3:5 by cuKernelSetAttribute on device 1, "
            "thread 12, 3.500 ms after the seal, took 0.021 ms");
  E.Count = 2;
  EXPECT_THAT(describe(E), HasSubstr("longest 0.021 ms, 2 times"));
}

TEST(EscapeReport, ALoadIsNamedByItsImage) {
  Escape E;
  E.Kind = EscapeKind::Load;
  E.Image = "xxh3:5";
  E.Api = "cuModuleLoadData";
  EXPECT_EQ(describe(E), "load xxh3:5 by cuModuleLoadData");
}

TEST(EscapeReport, TextTellsWhyItIsEmpty) {
  EscapeLog Log;
  EscapeSituation S;
  EXPECT_THAT(escapesAsText(S, Log), HasSubstr("never sealed"));
  S.Seals = 1;
  EXPECT_EQ(escapesAsText(S, Log), "no escapes after the seal");
}

TEST(EscapeReport, TextCountsByKind) {
  EscapeLog Log(1);
  EscapeSituation S;
  S.Seals = 1;
  S.Limits = {"one is not noticed"};
  Escape E;
  E.Kind = EscapeKind::Free;
  E.Api = "cuMemFree_v2";
  Log.add(E);
  Log.add(E);
  E.Kind = EscapeKind::Touch;
  Log.add(E);
  EXPECT_EQ(escapesAsText(S, Log), "3 escapes after the seal (2 free):\n"
                                   "  free by cuMemFree_v2, 2 times\n"
                                   "  ... and 1 that are not listed\n"
                                   "note: one is not noticed");
}

TEST(EscapeReport, JsonEscapesAndTellsUnknownTimes) {
  EscapeLog Log;
  EscapeSituation S;
  S.Program = "a \"b\"";
  Escape E;
  E.Symbol = "k\n";
  Log.add(E);
  std::string Json = escapesAsJson(S, Log);
  EXPECT_THAT(Json, HasSubstr("\"program\": \"a \\\"b\\\"\""));
  EXPECT_THAT(Json, HasSubstr("\"symbol\": \"k\\n\""));
  EXPECT_THAT(Json, HasSubstr("\"since_seal_ms\": null, \"host_ms\": null"));
}

} // namespace
