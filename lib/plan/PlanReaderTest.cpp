//===- PlanReaderTest.cpp -------------------------------------------------===//

#include "plan/PlanReader.h"

#include <gtest/gtest.h>

using namespace kplan;

static std::string errors(std::string_view Text) {
  auto P = readPlan(Text, "p.yaml");
  std::string Out;
  if (!P)
    for (const Diagnostic &D : P.errors())
      Out += format(D);
  return Out;
}

static Plan plan(const std::string &Text) {
  auto P = readPlan("kplan: 1\n" + Text, "p.yaml");
  EXPECT_TRUE(P) << errors("kplan: 1\n" + Text);
  return P ? *P : Plan();
}

/// Errors of a plan that has this behind its first line.
static std::string bodyErrors(const std::string &Text) {
  return errors("kplan: 1\n" + Text);
}

TEST(PlanReader, EmptyPlan) { EXPECT_EQ(plan(""), Plan()); }

TEST(PlanReader, Version) {
  EXPECT_EQ(errors("kplan: 2\nnew: [thing]\n"),
            "p.yaml:1:8: error: this plan has schema version 2; this kplan "
            "reads version 1\np.yaml:1:8: note: use a newer kplan\n");
  EXPECT_EQ(errors("kplan: 1\nminor: 7\nnew: [thing]\n"),
            "p.yaml:2:8: error: this plan has schema version 1.7; this kplan "
            "reads up to 1.1\np.yaml:2:8: note: use a newer kplan\n");
  EXPECT_EQ(errors("kplan: 0\n"), "p.yaml:1:8: error: '0' is out of range (1 "
                                  "to 9223372036854775807)\n");
  EXPECT_EQ(errors("kplan: \"1\"\n"),
            "p.yaml:1:8: error: expected an integer, found the string '1'\n"
            "p.yaml:1:8: note: remove the quotes\n");
  EXPECT_EQ(errors("kernels: []\n"),
            "p.yaml:1:1: error: not a plan: 'kplan: 1' is missing\n");
  EXPECT_EQ(errors("- 1\n"), "p.yaml:1:1: error: not a plan: expected a map "
                             "that begins with 'kplan: 1', found a list\n");
  EXPECT_EQ(errors("---\n...\n").substr(0, 31),
            "p.yaml:2:1: error: not a plan: ");
}

TEST(PlanReader, Kernel) {
  Plan P = plan("kernels:\n"
                "- symbol: _Z1kv\n"
                "  name: k()\n"
                "  linkage: internal\n"
                "  file: a.cu\n"
                "  image: xxh3:0123456789abcdef0123456789abcdef\n"
                "  attributes:\n"
                "    max_dynamic_shared_size_bytes: max\n"
                "    required_cluster_width: {at_most: 4}\n"
                "    preferred_shared_memory_carveout: -1\n"
                "  cache_config: prefer_l1\n"
                "  local_bytes: 18446744073709551615\n"
                "  uses: [cdp, printf, cdp]\n"
                "  x-note: \"mine\"\n");
  ASSERT_EQ(P.Kernels.size(), 1u);
  const Kernel &K = P.Kernels[0];
  EXPECT_EQ(K.Key, (KernelKey{"_Z1kv", Linkage::Internal, "a.cu",
                              "xxh3:0123456789abcdef0123456789abcdef"}));
  EXPECT_EQ(K.Name, "k()");
  EXPECT_EQ(K.Attributes,
            (std::map<Attribute, Value>{
                {Attribute::MaxDynamicSharedSizeBytes, MaxValue()},
                {Attribute::RequiredClusterWidth, AtMostValue{4}},
                {Attribute::PreferredSharedMemoryCarveout, int64_t(-1)}}));
  EXPECT_EQ(K.Cache, CacheConfig::PreferL1);
  EXPECT_EQ(K.LocalBytes, UINT64_MAX);
  EXPECT_EQ(K.Uses, (std::vector{Use::Printf, Use::Cdp}));
  EXPECT_EQ(K.Extra, (Extensions{{"x-note", "\"mine\""}}));
}

TEST(PlanReader, Sites) {
  Plan P =
      plan("kernels:\n"
           "- symbol: k\n"
           "  sites:\n"
           "  - {kind: set, at: \"a.cu:1:2\", attribute: "
           "max_dynamic_shared_size_bytes, value: 7, when: \"x\", once: true}\n"
           "  - {kind: set, at: \"a.cu:1:2\", cache_config: prefer_none}\n"
           "  - {kind: launch, at: \"C:/a b.cu:3:4\", shared: \"n * 4\", "
           "cooperative: false, cluster: [2, 1, 1]}\n");
  ASSERT_EQ(P.Kernels.size(), 1u);
  ASSERT_EQ(P.Kernels[0].Sites.size(), 3u);
  Site Set;
  Set.Kind = SiteKind::Set;
  Set.At = {"a.cu", 1, 2};
  Set.SetAttribute = Attribute::MaxDynamicSharedSizeBytes;
  Set.SetValue = int64_t(7);
  Set.When = "x";
  Set.Once = true;
  EXPECT_EQ(P.Kernels[0].Sites[0], Set);
  EXPECT_EQ(P.Kernels[0].Sites[1].SetCacheConfig, CacheConfig::PreferNone);
  Site Launch;
  Launch.At = {"C:/a b.cu", 3, 4};
  Launch.Shared = "n * 4";
  Launch.Cooperative = false;
  Launch.Cluster = {2, 1, 1};
  EXPECT_EQ(P.Kernels[0].Sites[2], Launch);
}

TEST(PlanReader, KernelKeysAreUnique) {
  EXPECT_EQ(bodyErrors("kernels:\n- symbol: k\n- symbol: k\n"),
            "p.yaml:4:3: error: 'kernels': kernel 'k' is there twice, with the "
            "same linkage, file and image\n"
            "p.yaml:4:3: note: the other one is at line 3\n");
  // Each part of the key tells them apart.
  plan("kernels:\n"
       "- symbol: k\n"
       "- {symbol: k, image: \"xxh3:00000000000000000000000000000000\"}\n"
       "- {symbol: k, linkage: internal, file: a.cu}\n"
       "- {symbol: k, linkage: internal, file: b.cu}\n");
}

TEST(PlanReader, KernelRules) {
  EXPECT_EQ(bodyErrors("kernels:\n- {symbol: k, linkage: internal}\n"),
            "p.yaml:3:3: error: 'kernels': a kernel with internal linkage "
            "needs 'file'\n");
  EXPECT_EQ(bodyErrors("kernels:\n- {symbol: k, file: a.cu}\n"),
            "p.yaml:3:3: error: 'kernels': 'file' belongs to kernels with "
            "internal linkage\n"
            "p.yaml:3:3: note: write 'linkage: internal', or leave 'file' "
            "out\n");
  EXPECT_EQ(bodyErrors("kernels:\n- {symbol: _Z*k}\n"),
            "p.yaml:3:3: error: 'kernels': a symbol with '*' needs internal "
            "linkage\n");
  EXPECT_EQ(bodyErrors("kernels:\n- {symbol: k, image: abc}\n"),
            "p.yaml:3:22: error: 'image': expected xxh3: and 32 hexadecimal "
            "digits, found 'abc'\n");
}

static std::string siteErrors(const std::string &Site) {
  return bodyErrors("kernels:\n- symbol: k\n  sites:\n  - " + Site + "\n");
}

TEST(PlanReader, SiteRules) {
  EXPECT_EQ(siteErrors("{kind: set, at: \"a:1:1\"}"),
            "p.yaml:5:5: error: 'sites': a site of kind set needs 'attribute' "
            "or 'cache_config', and not both\n");
  EXPECT_EQ(siteErrors("{kind: set, at: \"a:1:1\", attribute: "
                       "required_cluster_width, cache_config: prefer_l1}"),
            "p.yaml:5:5: error: 'sites': a site of kind set needs 'attribute' "
            "or 'cache_config', and not both\n");
  EXPECT_EQ(siteErrors("{kind: set, at: \"a:1:1\", cache_config: prefer_l1, "
                       "value: 3}"),
            "p.yaml:5:5: error: 'sites': 'value' belongs to 'attribute', not "
            "to 'cache_config'\n");
  EXPECT_EQ(siteErrors("{kind: query, at: \"a:1:1\", value: 3}"),
            "p.yaml:5:5: error: 'sites': a site of kind query has attribute, "
            "cache_config or value, which belongs to kind set\n");
  EXPECT_EQ(siteErrors("{kind: query, at: \"a:1:1\", cooperative: true}"),
            "p.yaml:5:5: error: 'sites': a site of kind query has shared, "
            "cooperative or cluster, which belongs to a launch\n");
  for (const char *Cluster : {"[1]", "[1, 2, 3, 4]", "[1, 0, 1]"})
    EXPECT_EQ(
        siteErrors(std::string("{kind: launch, at: \"a:1:1\", cluster: ") +
                   Cluster + "}"),
        "p.yaml:5:5: error: 'sites': 'cluster' needs three dimensions, "
        "none of them 0\n");
}

TEST(PlanReader, Positions) {
  EXPECT_EQ(parsePosition("src/a.cu:88:5"),
            (SourcePosition{"src/a.cu", 88, 5}));
  EXPECT_EQ(parsePosition("a:b:1:2"), (SourcePosition{"a:b", 1, 2}));
  for (const char *Bad :
       {"", "a", "a:1", ":1:2", "a:0:1", "a:1:0", "a:01:1", "a:-1:1", "a:1:x",
        "a:1:", "a::1", "a: 1:1", "a:4294967296:1", "a:1:1 "})
    EXPECT_EQ(parsePosition(Bad), std::nullopt) << Bad;
  EXPECT_EQ(siteErrors("{kind: launch, at: \"a.cu:3\"}"),
            "p.yaml:5:24: error: 'at': expected \"file:line:column\", found "
            "the string 'a.cu:3'\n");
}

TEST(PlanReader, Values) {
  auto ValueErrors = [](const std::string &Text) {
    return bodyErrors("kernels:\n- symbol: k\n  attributes:\n    "
                      "required_cluster_width: " +
                      Text + "\n");
  };
  for (const char *Good :
       {"0", "-1", "max", "{at_most: 3}", "9223372036854775807"})
    EXPECT_EQ(ValueErrors(Good), "");
  EXPECT_EQ(ValueErrors("\"max\""),
            "p.yaml:5:29: error: 'required_cluster_width': expected an "
            "integer, max or "
            "{at_most: N}, found the string 'max'\n");
  EXPECT_TRUE(ValueErrors("010").starts_with(
      "p.yaml:5:29: error: 'required_cluster_width': expected an integer, "
      "found "
      "'010', which may be read as octal\n"));
  EXPECT_EQ(ValueErrors("{at_most: max}"),
            "p.yaml:5:39: error: 'at_most': expected an integer, found "
            "'max'\n");
  EXPECT_EQ(
      ValueErrors("{atmost: 1}"),
      "p.yaml:5:30: error: 'required_cluster_width': unknown key 'atmost' in a "
      "value\n"
      "p.yaml:5:30: note: did you mean 'at_most'?\n"
      "p.yaml:5:29: error: 'required_cluster_width': a value needs "
      "'at_most'\n");
}

TEST(PlanReader, AttributesAreThoseThatCanBeSet) {
  EXPECT_EQ(bodyErrors("kernels:\n- symbol: k\n  attributes: {num_regs: 3}\n"),
            "p.yaml:4:16: error: 'num_regs': this attribute can be read, "
            "but not set\n");
  std::string Unknown =
      bodyErrors("kernels:\n- symbol: k\n  attributes: {carveout: 3}\n");
  EXPECT_TRUE(Unknown.starts_with(
      "p.yaml:4:16: error: 'carveout': expected "
      "max_dynamic_shared_size_bytes, preferred_shared_memory_carveout, "))
      << Unknown;
}

TEST(PlanReader, Image) {
  std::string Id = "xxh3:0123456789abcdef0123456789abcdef";
  Plan P =
      plan("images:\n"
           "- id: " +
           Id +
           "\n"
           "  kind: ptx\n"
           "  loader: module\n"
           "  options: {max_registers: 64}\n"
           "  copies: 2\n"
           "  origin: {file: lib.so, build_id: ab, offset: 0x10, size: 5}\n"
           "  globals: [g]\n");
  ASSERT_EQ(P.Images.size(), 1u);
  EXPECT_EQ(P.Images[0].Kind, ImageKind::Ptx);
  EXPECT_EQ(P.Images[0].LoadedBy, Loader::Module);
  EXPECT_EQ(P.Images[0].Copies, 2u);
  EXPECT_EQ(P.Images[0].Origin, Origin(FileOrigin{"lib.so", "ab", 16, 5}));

  auto ImageErrors = [&](const std::string &Rest) {
    return bodyErrors("images:\n- {id: \"" + Id +
                      "\", kind: cubin, loader: library, " + Rest + "}\n");
  };
  EXPECT_EQ(ImageErrors("origin: {store: images/a.cubin}"), "");
  for (const char *Path : {"../a", "/etc/passwd", "a/../../b", "a//b", "./a",
                           "a/", "\"\"", "..", "a/.."})
    EXPECT_NE(ImageErrors(std::string("origin: {store: ") + Path + "}")
                  .find("'store': expected a path below the plan's folder"),
              std::string::npos)
        << Path;
  for (const char *Bad : {"{}", "{file: a}", "{file: a, size: 0}",
                          "{store: a, size: 5}", "{size: 5}"})
    EXPECT_NE(ImageErrors(std::string("origin: ") + Bad)
                  .find("an origin needs either 'file', 'offset' and 'size', "
                        "or 'store'"),
              std::string::npos)
        << Bad;
  EXPECT_NE(ImageErrors("copies: 0"), "");
  EXPECT_NE(ImageErrors("compiled: [{arch: sm_90, file: a, sha256: abc}]"), "");
}

TEST(PlanReader, ImagesAreUnique) {
  std::string Entry = "- {id: \"xxh3:0123456789abcdef0123456789abcdef\", kind: "
                      "cubin, loader: library}\n";
  EXPECT_NE(bodyErrors("images:\n" + Entry + Entry).find("is there twice"),
            std::string::npos);
}

TEST(PlanReader, TheRest) {
  Plan P = plan(
      "producers: [{tool: t, arch: [sm_90], sms: 132}]\n"
      "globals: [{symbol: g, file: a.cu, at: \"a.cu:1:2\"}]\n"
      "modules: [{name: m, inputs: [a], options: {lto: true, n: 3, s: x}}]\n"
      "limits: {stack_size: 2048}\n"
      "unresolved: [{kind: set, at: \"a:1:1\", why: w, text: \"t\"}]\n"
      "conflicts: [{symbol: k, attribute: required_cluster_width, values: [1, "
      "max]}, {symbol: k, file: a.cu, cache_configs: [prefer_l1]}]\n"
      "templates: [{kind: set, at: \"a:1:1\", kernel: \"k<T>\", attribute: "
      "required_cluster_width, value: \"N\"}]\n"
      "stalls: [{api: a, kernel: k, host_ms: 1.5, thread: 3}]\n"
      "x-a: {b: c}\n");
  EXPECT_EQ(P.Producers.at(0).Sms, 132u);
  EXPECT_EQ(P.Globals.at(0).At, (SourcePosition{"a.cu", 1, 2}));
  EXPECT_EQ(P.Modules.at(0).Options.size(), 3u);
  EXPECT_EQ(P.Limits, (Limits{{"stack_size", 2048}}));
  EXPECT_EQ(P.Unresolved.at(0).Why, "w");
  EXPECT_EQ(P.Conflicts.at(0).Values,
            (std::vector<Value>{int64_t(1), MaxValue()}));
  EXPECT_EQ(P.Conflicts.at(1).File, "a.cu");
  EXPECT_EQ(P.Templates.at(0).ValueText, "N");
  EXPECT_EQ(P.Stalls.at(0).HostMs, 1.5);
  EXPECT_EQ(P.Extra, (Extensions{{"x-a", "{b: c}"}}));
}

TEST(PlanReader, ConflictsAreAboutOneThing) {
  auto IsRefused = [](const char *Body) {
    return bodyErrors(std::string("conflicts: [{symbol: k, ") + Body + "}]\n")
               .find("a conflict needs either") != std::string::npos;
  };
  EXPECT_TRUE(IsRefused("x-a: 1"));
  EXPECT_TRUE(IsRefused("attribute: required_cluster_width"));
  EXPECT_TRUE(IsRefused("attribute: required_cluster_width, values: []"));
  EXPECT_TRUE(IsRefused("values: [1]"));
  EXPECT_TRUE(IsRefused("cache_configs: [prefer_l1], values: [1]"));
  EXPECT_TRUE(IsRefused("cache_configs: [prefer_l1], "
                        "attribute: required_cluster_width"));
  EXPECT_TRUE(IsRefused("cache_configs: [prefer_l1], "
                        "attribute: required_cluster_width, values: [1]"));
}

TEST(PlanReader, SharedMemoryIsNeverInConflict) {
  EXPECT_EQ(bodyErrors("conflicts: [{symbol: k, attribute: "
                       "max_dynamic_shared_size_bytes, values: [1, 2]}]\n"),
            "p.yaml:2:13: error: 'conflicts': max_dynamic_shared_size_bytes is "
            "never in conflict: the largest value is taken\n");
}

TEST(PlanReader, LimitsAreTheDrivers) {
  EXPECT_NE(
      bodyErrors("limits: {stack_sise: 1}\n")
          .find("'stack_sise': there is no such limit; there are stack_size, "),
      std::string::npos);
}

TEST(PlanReader, ReportsSeveralErrorsAtOnceButNotTooMany) {
  std::string Text;
  for (unsigned I = 0; I < 50; ++I)
    Text += "- {symbol: k" + std::to_string(I) + ", nmae: x}\n";
  auto P = readPlan("kplan: 1\nkernels:\n" + Text, "p.yaml");
  ASSERT_FALSE(P);
  EXPECT_EQ(P.errors().size(), 20u);
}

TEST(PlanReader, FilesThatCannotBeReadAreErrors) {
  auto Missing = readPlanFile("/nonexistent/plan.yaml");
  ASSERT_FALSE(Missing);
  EXPECT_EQ(format(Missing.errors()[0]),
            "/nonexistent/plan.yaml: error: cannot open: No such file or "
            "directory\n");
  EXPECT_FALSE(readPlanFile("/"));
}
