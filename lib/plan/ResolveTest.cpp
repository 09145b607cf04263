#include "plan/Resolve.h"
#include "plan/PlanWriter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace kplan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

constexpr int Shared = 8, Carveout = 9;

/// Builds fragments in few words.
struct Unit : Fragment {
  explicit Unit(const char *Name) {
    File = Name;
    Producer.Tool = "kplan-scan";
    Producer.Version = "0.1.0";
  }
  Term kernel(const char *Symbol) {
    FragmentKernel K;
    K.Key.Symbol = Symbol;
    K.Name = Symbol;
    Kernels.push_back(K);
    return Term::kernel(Kernels.size() - 1);
  }
  FragmentSite &set(unsigned Line, const char *In, Term Kernel, Term Value,
                    int Attribute = Shared) {
    FragmentSite S;
    S.Kind = SiteKind::Set;
    S.At = {File, Line, 1};
    S.In = In;
    S.Kernel = std::move(Kernel);
    S.SetAttribute = Term::integer(Attribute);
    S.SetValue = std::move(Value);
    S.Text = "text";
    Sites.push_back(S);
    return Sites.back();
  }
  void launch(unsigned Line, const char *In, Term Kernel) {
    FragmentSite S;
    S.At = {File, Line, 1};
    S.In = In;
    S.Kernel = std::move(Kernel);
    Sites.push_back(S);
  }
  FragmentCall &call(const char *Caller, const char *Callee,
                     std::vector<Term> Arguments) {
    FragmentCall C;
    C.Caller = Caller;
    C.Callee = Term::function(Callee);
    for (unsigned I = 0; I < Arguments.size(); ++I)
      C.Arguments.emplace(I, std::move(Arguments[I]));
    Calls.push_back(C);
    return Calls.back();
  }
  FragmentFunction &function(const char *Id) {
    Functions.emplace_back().Id = Id;
    return Functions.back();
  }
};

Term num(int64_t N) { return Term::integer(N); }
Term parameter(const char *F, unsigned I) { return Term::parameter(F, I); }

Plan resolve(std::vector<Fragment> Fragments, ResolveOptions Options = {}) {
  return resolveFragments(std::move(Fragments), Options);
}

const Kernel *find(const Plan &P, const std::string &Symbol) {
  for (const Kernel &K : P.Kernels)
    if (K.Key.Symbol == Symbol)
      return &K;
  return nullptr;
}

Value sharedOf(const Plan &P, const char *Symbol) {
  const Kernel *K = find(P, Symbol);
  if (!K || !K->Attributes.contains(Attribute::MaxDynamicSharedSizeBytes))
    return int64_t(-1);
  return K->Attributes.at(Attribute::MaxDynamicSharedSizeBytes);
}

} // namespace

TEST(Resolve, KernelWithoutASiteIsNotPlanned) {
  Unit U("a.cu");
  U.kernel("k");
  EXPECT_THAT(resolve({U}).Kernels, IsEmpty());
}

TEST(Resolve, KernelAndValueStayTogether) {
  // wrap(k1, 1000); wrap(k2, 2000)
  Unit U("a.cu");
  U.set(1, "wrap", parameter("wrap", 0), parameter("wrap", 1));
  U.call("go", "wrap", {U.kernel("k1"), num(1000)});
  U.call("go", "wrap", {U.kernel("k2"), num(2000)});
  const Plan P = resolve({U});
  EXPECT_EQ(sharedOf(P, "k1"), Value(int64_t(1000)));
  EXPECT_EQ(sharedOf(P, "k2"), Value(int64_t(2000)));
  EXPECT_THAT(P.Unresolved, IsEmpty());
}

TEST(Resolve, WrapperInAnotherUnit) {
  Unit A("a.cu"), B("b.cu");
  A.set(1, "wrap", parameter("wrap", 0), num(7));
  B.call("go", "wrap", {B.kernel("k")});
  EXPECT_EQ(sharedOf(resolve({A, B}), "k"), Value(int64_t(7)));
  // Alone, its caller is missing, and the site is not lost.
  const Plan Alone = resolve({A});
  EXPECT_THAT(Alone.Kernels, IsEmpty());
  ASSERT_THAT(Alone.Unresolved, SizeIs(1));
  EXPECT_THAT(Alone.Unresolved[0].Why, HasSubstr("no caller"));
}

TEST(Resolve, WrapperOfAWrapper) {
  Unit U("a.cu");
  U.set(1, "inner", parameter("inner", 0),
        Term::operation("*", {parameter("inner", 1), num(4)}));
  U.call("outer", "inner",
         {parameter("outer", 0),
          Term::operation("+", {parameter("outer", 1), num(1)})});
  U.call("go", "outer", {U.kernel("k"), num(9)});
  EXPECT_EQ(sharedOf(resolve({U}), "k"), Value(int64_t(40)));
}

TEST(Resolve, RecursionEnds) {
  Unit U("a.cu");
  U.set(1, "f", parameter("f", 0), parameter("f", 1));
  U.call(
      "f", "f",
      {parameter("f", 0), Term::operation("+", {parameter("f", 1), num(1)})});
  U.call("go", "f", {U.kernel("k"), num(1)});
  ResolveOptions Options;
  Options.MaxDepth = 5;
  const Plan P = resolve({U}, Options);
  ASSERT_TRUE(find(P, "k"));
  // What is not followed any further is not left out either.
  ASSERT_FALSE(P.Unresolved.empty());
  EXPECT_THAT(P.Unresolved[0].Why, HasSubstr("deeper"));
}

TEST(Resolve, MutualRecursionOfTheSameArgumentsEnds) {
  Unit U("a.cu");
  U.set(1, "f", parameter("f", 0), num(3));
  U.call("f", "g", {parameter("f", 0)});
  U.call("g", "f", {parameter("g", 0)});
  U.call("go", "f", {U.kernel("k")});
  const Plan P = resolve({U});
  EXPECT_EQ(sharedOf(P, "k"), Value(int64_t(3)));
  EXPECT_THAT(P.Unresolved, IsEmpty());
}

TEST(Resolve, TooManyCallersAreSaidSo) {
  Unit U("a.cu");
  U.set(1, "f", parameter("f", 0), parameter("f", 1));
  const Term K = U.kernel("k");
  for (int I = 0; I < 50; ++I)
    U.call("go", "f", {K, num(I)});
  ResolveOptions Options;
  Options.MaxContexts = 10;
  const Plan P = resolve({U}, Options);
  ASSERT_THAT(P.Unresolved, SizeIs(1));
  EXPECT_THAT(P.Unresolved[0].Why, HasSubstr("more callers"));
}

TEST(Resolve, ManyValuesOfAKnownKernelAreAnyValue) {
  Unit U("a.cu");
  const Term K = U.kernel("k");
  U.set(1, "f", K, parameter("f", 0));
  for (int I = 0; I < 50; ++I)
    U.call("go", "f", {parameter("go", I)});
  for (int I = 0; I < 50; ++I)
    U.call("all", "go", std::vector<Term>(50, num(I)));
  ResolveOptions Options;
  Options.MaxValueContexts = 20;
  const Plan P = resolve({U}, Options);
  EXPECT_EQ(sharedOf(P, "k"), Value(MaxValue()));
  EXPECT_THAT(P.Unresolved, IsEmpty());
}

TEST(Resolve, OneWayOfManyThatSayTheSameIsEnough) {
  // launch(flag) { if (flag) k<<<>>>(); }, called in more ways than are
  // followed
  Unit U("a.cu");
  U.launch(1, "f", U.kernel("k"));
  U.Sites.back().Condition = parameter("f", 0);
  for (int I = 0; I < 50; ++I)
    U.call("go", "f", {num(I)});
  ResolveOptions Options;
  Options.MaxContexts = 10;
  const Plan P = resolve({U}, Options);
  EXPECT_TRUE(find(P, "k"));
  EXPECT_THAT(P.Unresolved, IsEmpty());
}

TEST(Resolve, ConditionOfTheWrapperIsDecidedByTheCaller) {
  // void wrap(k, n) { if (n >= 49152) set(k, n); }
  Unit U("a.cu");
  U.set(1, "wrap", parameter("wrap", 0), parameter("wrap", 1)).Condition =
      Term::operation(">=", {parameter("wrap", 1), num(49152)});
  U.call("go", "wrap", {U.kernel("small"), num(1000)});
  U.call("go", "wrap", {U.kernel("big"), num(65536)});
  const Plan P = resolve({U});
  EXPECT_EQ(find(P, "small"), nullptr);
  EXPECT_EQ(sharedOf(P, "big"), Value(int64_t(65536)));
  EXPECT_THAT(P.Unresolved, IsEmpty());
}

TEST(Resolve, GuardOfTheCallCounts) {
  Unit U("a.cu");
  U.set(1, "wrap", parameter("wrap", 0), num(1));
  FragmentCall &C = U.call("go", "wrap", {U.kernel("k")});
  C.When = "first";
  C.Once = true;
  const Plan P = resolve({U});
  ASSERT_TRUE(find(P, "k"));
  EXPECT_EQ(find(P, "k")->Sites[0].When, "first");
  EXPECT_EQ(find(P, "k")->Sites[0].Once, true);
}

TEST(Resolve, AnUnguardedWayMakesASiteUnguarded) {
  Unit U("a.cu");
  U.set(1, "wrap", parameter("wrap", 0), num(1));
  const Term K = U.kernel("k");
  FragmentCall &C = U.call("go", "wrap", {K});
  C.When = "first";
  C.Once = true;
  U.call("always", "wrap", {K});
  const Plan P = resolve({U});
  ASSERT_THAT(find(P, "k")->Sites, SizeIs(1));
  EXPECT_EQ(find(P, "k")->Sites[0].When, "");
  EXPECT_EQ(find(P, "k")->Sites[0].Once, false);
}

TEST(Resolve, AllCandidatesAreListed) {
  Unit U("a.cu");
  U.launch(1, "go", Term::any({U.kernel("a"), U.kernel("b")}));
  const Plan P = resolve({U});
  EXPECT_TRUE(find(P, "a"));
  EXPECT_TRUE(find(P, "b"));
}

TEST(Resolve, ACandidateBesideAnUnknownIsBoth) {
  Unit U("a.cu");
  U.launch(1, "go", Term::any({U.kernel("a"), Term::unknown("from a file")}));
  const Plan P = resolve({U});
  EXPECT_TRUE(find(P, "a"));
  ASSERT_THAT(P.Unresolved, SizeIs(1));
  EXPECT_EQ(P.Unresolved[0].Why, "from a file");
}

TEST(Resolve, UnknownSharedMemoryIsMax) {
  Unit U("a.cu");
  U.set(1, "go", U.kernel("k"), Term::unknown("run time"));
  EXPECT_EQ(sharedOf(resolve({U}), "k"), Value(MaxValue()));
}

TEST(Resolve, UnknownValueOfOtherAttributesIsUnresolved) {
  Unit U("a.cu");
  U.set(1, "go", U.kernel("k"), Term::unknown("run time"), Carveout);
  const Plan P = resolve({U});
  EXPECT_THAT(P.Kernels, IsEmpty());
  ASSERT_THAT(P.Unresolved, SizeIs(1));
  EXPECT_THAT(P.Unresolved[0].Why, HasSubstr("run time"));
  EXPECT_EQ(P.Unresolved[0].Text, "text");
}

TEST(Resolve, LargestSharedMemoryWins) {
  Unit U("a.cu");
  const Term K = U.kernel("k");
  U.set(1, "go", K, num(65536));
  U.set(2, "go", K, num(102400));
  const Plan P = resolve({U});
  EXPECT_EQ(sharedOf(P, "k"), Value(int64_t(102400)));
  EXPECT_THAT(P.Conflicts, IsEmpty());
}

TEST(Resolve, OtherAttributesConflict) {
  Unit U("a.cu");
  const Term K = U.kernel("k");
  U.set(1, "go", K, num(50), Carveout);
  U.set(2, "go", K, num(100), Carveout);
  const Plan P = resolve({U});
  EXPECT_THAT(find(P, "k")->Attributes, IsEmpty());
  ASSERT_THAT(P.Conflicts, SizeIs(1));
  EXPECT_THAT(P.Conflicts[0].Values,
              ElementsAre(Value(int64_t(50)), Value(int64_t(100))));
}

TEST(Resolve, CacheConfigsThatDisagreeConflict) {
  Unit U("a.cu");
  const Term K = U.kernel("k");
  for (int I : {1, 2}) {
    FragmentSite &S = U.set(I, "go", K, num(0));
    S.SetAttribute.reset();
    S.SetValue.reset();
    S.SetCacheConfig = num(I);
  }
  const Plan P = resolve({U});
  EXPECT_FALSE(find(P, "k")->Cache);
  ASSERT_THAT(P.Conflicts, SizeIs(1));
  EXPECT_THAT(P.Conflicts[0].CacheConfigs,
              ElementsAre(CacheConfig::PreferShared, CacheConfig::PreferL1));
}

TEST(Resolve, ConflictOfAnInternalKernelNamesItsFile) {
  Unit U("a.cu");
  const Term K = U.kernel("_Z2stPi");
  U.Kernels.back().Key.Link = Linkage::Internal;
  U.Kernels.back().Key.File = "a.cu";
  U.set(1, "go", K, num(50), Carveout);
  U.set(2, "go", K, num(100), Carveout);
  const Plan P = resolve({U});
  ASSERT_THAT(P.Conflicts, SizeIs(1));
  EXPECT_EQ(P.Conflicts[0].File, "a.cu");
}

TEST(Resolve, NameGivenByTheCaller) {
  // load(m, name) { cuModuleGetFunction(&f, m, name); cuLaunchKernel(f) }
  Unit U("a.cpp");
  U.launch(1, "load", Term::named(parameter("load", 0)));
  U.call("go", "load", {Term::text("gemm")});
  U.call("go", "load", {Term::unknown("computed")});
  const Plan P = resolve({U});
  EXPECT_TRUE(find(P, "gemm"));
  ASSERT_THAT(P.Unresolved, SizeIs(1));
  EXPECT_THAT(P.Unresolved[0].Why, HasSubstr("name is built at run time"));
}

TEST(Resolve, ANamedKernelIsTheOneThatAnotherUnitDeclares) {
  Unit A("a.cpp"), B("b.cu");
  A.launch(1, "go", Term::named(Term::text("gemm")));
  B.kernel("gemm");
  B.Kernels[0].Name = "gemm(float*)";
  const Plan P = resolve({A, B});
  ASSERT_THAT(P.Kernels, SizeIs(1));
  EXPECT_EQ(P.Kernels[0].Name, "gemm(float*)");
}

TEST(Resolve, SelectorAndOutParameterOfAnotherUnit) {
  Unit A("a.cu"), B("b.cu");
  A.launch(1, "go", Term::returned("pick", {num(1)}));
  A.launch(2, "go", Term::out("get", 0, {}));
  const Term K1 = B.kernel("k1"), K2 = B.kernel("k2");
  B.function("pick").Returns = {K1};
  B.function("get").Outs.push_back({0, {K2}});
  const Plan P = resolve({A, B});
  EXPECT_TRUE(find(P, "k1"));
  EXPECT_TRUE(find(P, "k2"));
}

TEST(Resolve, CallThroughATableOfFunctions) {
  Unit U("a.cu");
  U.set(1, "run", parameter("run", 0), num(5));
  U.function("run").AddressTaken = true;
  U.Stores.push_back({"table", Term::function("run")});
  FragmentCall C;
  C.Caller = "go";
  C.Callee = Term::storage("table");
  C.Arguments = {{0, U.kernel("k")}};
  U.Calls.push_back(C);
  EXPECT_EQ(sharedOf(resolve({U}), "k"), Value(int64_t(5)));
}

TEST(Resolve, DeviceOnlyCodeHasNoSites) {
  Unit U("a.cu");
  U.function("both").DeviceOnly = true;
  U.launch(1, "both", U.kernel("k"));
  const Plan P = resolve({U});
  EXPECT_THAT(P.Kernels, IsEmpty());
  EXPECT_THAT(P.Unresolved, IsEmpty());
}

TEST(Resolve, HostCodeOfAnotherUnitBringsDeviceOnlyCodeToLife) {
  Unit A("a.cu"), B("b.cu");
  A.function("both").DeviceOnly = true;
  A.launch(1, "both", A.kernel("k"));
  B.call("go", "both", {});
  EXPECT_TRUE(find(resolve({A, B}), "k"));
}

TEST(Resolve, PrivateNamesOfTwoUnitsAreTwo) {
  // Each unit has a static wrapper of the same name.
  Unit A("a.cu"), B("b.cu");
  for (Unit *U : {&A, &B})
    U->set(1, "wrap#1@", parameter("wrap#1@", 0), num(U == &A ? 1 : 2));
  A.call("goA", "wrap#1@", {A.kernel("ka")});
  B.call("goB", "wrap#1@", {B.kernel("kb")});
  const Plan P = resolve({A, B});
  EXPECT_EQ(sharedOf(P, "ka"), Value(int64_t(1)));
  EXPECT_EQ(sharedOf(P, "kb"), Value(int64_t(2)));
}

TEST(Resolve, TemplateThatAnotherUnitInstantiates) {
  Unit A("a.cu"), B("b.cu");
  TemplateSite T;
  T.At = {"lib.cuh", 3, 1};
  T.KernelText = "k<T>";
  A.Templates.push_back(T);
  EXPECT_THAT(resolve({A}).Templates, SizeIs(1));
  B.Instantiated.push_back(T.At);
  EXPECT_THAT(resolve({A, B}).Templates, IsEmpty());
}

TEST(Resolve, OneHeaderSeenFromTwoUnitsIsOneSite) {
  Unit A("a.cu"), B("b.cu");
  for (Unit *U : {&A, &B}) {
    U->launch(1, "f", U->kernel("k"));
    U->Sites[0].At.File = "lib.cuh";
  }
  EXPECT_THAT(find(resolve({A, B}), "k")->Sites, SizeIs(1));
}

TEST(Resolve, InternalKernelsOfTwoUnitsAreTwo) {
  Unit A("a.cu"), B("b.cu");
  for (Unit *U : {&A, &B}) {
    U->launch(1, "f", U->kernel("_Z2stPi"));
    U->Kernels[0].Key.Link = Linkage::Internal;
    U->Kernels[0].Key.File = U->File;
  }
  EXPECT_THAT(resolve({A, B}).Kernels, SizeIs(2));
}

TEST(Resolve, OrderAndRepetitionChangeNothing) {
  Unit A("a.cu"), B("b.cu"), C("c.cu");
  A.set(1, "wrap", parameter("wrap", 0), parameter("wrap", 1));
  B.call("go", "wrap", {Term::any({B.kernel("k1"), B.kernel("k2")}), num(4)});
  C.call("og", "wrap", {C.kernel("k2"), Term::unknown("x")});
  C.launch(5, "og", Term::unknown("y"));
  const std::string Once = writePlan(resolve({A, B, C}));
  std::vector<Fragment> Shuffled{C, A, B, A, C};
  do
    EXPECT_EQ(writePlan(resolve(Shuffled)), Once);
  while (std::next_permutation(
      Shuffled.begin(), Shuffled.end(),
      [](const Fragment &X, const Fragment &Y) { return X.File < Y.File; }));
}
