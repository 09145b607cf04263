//===- DemangleTest.cpp ---------------------------------------------------===//

#include "plan/Demangle.h"

#include <gtest/gtest.h>

using kplan::demangle;

TEST(Demangle, ReadsMangledSymbols) {
  EXPECT_EQ(demangle("_Z4gemmIfLi128EEvPT_"), "void gemm<float, 128>(float*)");
}

TEST(Demangle, LeavesOthersAsTheyAre) {
  for (const char *Symbol :
       {"", "f", "scale", "_Z", "_Znonsense", "nvjet_sm90"})
    EXPECT_EQ(demangle(Symbol), Symbol);
}
