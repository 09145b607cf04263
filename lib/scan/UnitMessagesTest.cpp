//===- UnitMessagesTest.cpp -----------------------------------------------===//

#include "scan/UnitMessages.h"

#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::scan;

namespace {

UnitResult sample() {
  UnitResult Unit;
  Unit.Found.File = "src/a.cu";
  Unit.Found.Producer.Tool = "kplan-scan";
  Unit.Found.Producer.Version = "0";
  FragmentKernel Kernel;
  Kernel.Key.Symbol = "_Z1kPi";
  Kernel.Name = "k(int*)";
  Unit.Found.Kernels.push_back(Kernel);
  FragmentSite Site;
  Site.Kind = SiteKind::Launch;
  Site.At = {"src/a.cu", 3, 5};
  Site.Kernel = Term::kernel(0);
  Unit.Found.Sites.push_back(Site);
  Diagnostic D;
  D.Level = Severity::Warning;
  D.File = "src/a.cu";
  D.Line = 1;
  D.Column = 2;
  D.Message = "message";
  D.Option = "kplan-x";
  D.Hint = "hint";
  Unit.Diagnostics.push_back(D);
  Unit.Failed = true;
  Unit.Dependencies = {"/p/src/a.cu", "/p/b\xff.h"};
  return Unit;
}

TEST(UnitMessages, RequestComesBackEqual) {
  UnitRequest Request;
  Request.Command.Directory = "/build";
  Request.Command.File = "/src/a.cu";
  Request.Command.Arguments = {"clang++", "-x", "cuda", "/src/a.cu"};
  Request.Command.IsCuda = true;
  Request.Command.RelocatableDeviceCode = true;
  Request.Command.BuiltByClang = true;
  Request.Command.Archs = {"sm_80", "sm_90"};
  Request.Command.CudaPath = "/cuda";
  Request.Command.CudaVersion = "13.0";
  Request.Command.Guesses = {"C++17"};
  Request.Options = {"/src", "/build", false, true};
  std::optional<UnitRequest> Back = decodeRequest(encodeRequest(Request));
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Command.Directory, "/build");
  EXPECT_EQ(Back->Command.File, "/src/a.cu");
  EXPECT_EQ(Back->Command.Arguments, Request.Command.Arguments);
  EXPECT_TRUE(Back->Command.IsCuda);
  EXPECT_TRUE(Back->Command.RelocatableDeviceCode);
  EXPECT_TRUE(Back->Command.BuiltByClang);
  EXPECT_EQ(Back->Command.Archs, Request.Command.Archs);
  EXPECT_EQ(Back->Command.CudaPath, "/cuda");
  EXPECT_EQ(Back->Command.CudaVersion, "13.0");
  EXPECT_EQ(Back->Command.Guesses, Request.Command.Guesses);
  EXPECT_EQ(Back->Options.Root, "/src");
  EXPECT_EQ(Back->Options.BuildRoot, "/build");
  EXPECT_FALSE(Back->Options.Shortcuts);
  EXPECT_TRUE(Back->Options.AllKernels);
}

TEST(UnitMessages, ResultComesBackEqual) {
  std::optional<UnitResult> Back = decodeResult(encodeResult(sample()));
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Found, sample().Found);
  EXPECT_TRUE(Back->Failed);
  EXPECT_EQ(Back->Dependencies, sample().Dependencies);
  ASSERT_EQ(Back->Diagnostics.size(), 1u);
  const Diagnostic &D = Back->Diagnostics.front();
  EXPECT_EQ(D.Level, Severity::Warning);
  EXPECT_EQ(format(D), format(sample().Diagnostics.front()));
}

TEST(UnitMessages, NoCutOffAnswerIsAccepted) {
  std::string Bytes = encodeResult(sample());
  for (size_t Size = 0; Size < Bytes.size(); ++Size)
    EXPECT_FALSE(decodeResult(Bytes.substr(0, Size))) << Size;
}

TEST(UnitMessages, FragmentThatRefersToNothingIsRefused) {
  UnitResult Broken = sample();
  Broken.Found.Sites.front().Kernel = Term::kernel(1);
  EXPECT_FALSE(decodeResult(encodeResult(Broken)));
  Broken.Found.Sites.front().Kernel = Term();
  Broken.Found.Sites.front().Kernel.K = Term::Kind::Named;
  EXPECT_FALSE(decodeResult(encodeResult(Broken)));
}

} // namespace
