//===- FragmentReader.cpp - Text to fragments -----------------------------===//
//
// Part of kplan. Strict: a fragment comes from a worker that may have died, or
// from a file that may be another version's, and what is misread here would
// end up in a plan.
//
//===----------------------------------------------------------------------===//

#include "plan/Fragment.h"
#include "plan/Names.h"
#include "plan/Text.h"
#include "plan/YamlTree.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

namespace kplan {

const char *termKindName(Term::Kind K); // FragmentWriter.cpp

namespace {

class Reader {
public:
  explicit Reader(std::string Name) : FileName(std::move(Name)) {}
  Result<std::vector<Fragment>> read(YamlNode Root);

private:
  std::string FileName;
  std::vector<Diagnostic> Errors;
  std::vector<Fragment> All;
  Fragment F; ///< The one that is being read.

  void error(YamlNode N, std::string Message, std::string Hint = {}) {
    Diagnostic D;
    D.File = FileName;
    D.Line = N.mark().Line;
    D.Column = N.mark().Column;
    D.Message = std::move(Message);
    D.Hint = std::move(Hint);
    Errors.push_back(std::move(D));
  }

  using Handler = std::function<void(YamlNode)>;
  struct Key {
    const char *Name;
    bool Required;
    Handler Read;
  };
  /// Hands each entry to its handler; unknown and missing keys are errors.
  void map(YamlNode N, const std::vector<Key> &Keys);
  void each(YamlNode N, const Handler &Read);

  void into(YamlNode N, std::string &Text);
  void into(YamlNode N, bool &Flag);
  void into(YamlNode N, Term &T) { T = term(N); }
  void into(YamlNode N, std::optional<Term> &T) { T = term(N); }
  void into(YamlNode N, std::vector<Term> &Terms) {
    each(N, [&](YamlNode I) { Terms.push_back(term(I)); });
  }
  void into(YamlNode N, std::map<unsigned, Term> &Arguments);
  void into(YamlNode N, SourcePosition &P);
  template <typename E>
    requires std::is_enum_v<E>
  void into(YamlNode N, E &Where) {
    if (auto Value = fromName<E>(N.text()))
      Where = *Value;
    else
      error(N, "expected " + joinAlternatives(allNames<E>()));
  }
  void into(YamlNode N, std::vector<Use> &Uses);
  template <typename T> Handler to(T &Where) {
    return [this, &Where](YamlNode N) { into(N, Where); };
  }

  std::optional<int64_t> integer(YamlNode N);
  int64_t integer(YamlNode N, int64_t Low, int64_t High);
  Term term(YamlNode N);

  void kernel(YamlNode N);
  void function(YamlNode N);
  void call(YamlNode N);
  void site(YamlNode N);
  void templateSite(YamlNode N);
  void producer(YamlNode N);
  void unit(YamlNode N);
};

void Reader::map(YamlNode N, const std::vector<Key> &Keys) {
  if (!N.isMap())
    return error(N, "expected a map");
  std::vector<bool> Seen(Keys.size());
  for (YamlEntry E : N.entries()) {
    auto It = std::find_if(Keys.begin(), Keys.end(), [&](const Key &K) {
      return E.Key.text() == K.Name;
    });
    if (It == Keys.end()) {
      error(E.Key, "unknown key '" + std::string(E.Key.text()) + "'");
      continue;
    }
    Seen[It - Keys.begin()] = true;
    It->Read(E.Value);
  }
  for (size_t I = 0; I < Keys.size(); ++I)
    if (Keys[I].Required && !Seen[I])
      error(N, std::string("key '") + Keys[I].Name + "' is missing");
}

void Reader::each(YamlNode N, const Handler &Read) {
  if (!N.isSequence())
    return error(N, "expected a list");
  for (YamlNode I : N.items())
    Read(I);
}

void Reader::into(YamlNode N, std::string &Text) {
  if (N.kind() != YamlKind::Quoted)
    return error(N, "expected a quoted string");
  Text = N.text();
}

void Reader::into(YamlNode N, bool &Flag) {
  if (N.isPlain() && (N.text() == "true" || N.text() == "false"))
    Flag = N.text() == "true";
  else
    error(N, "expected true or false");
}

std::optional<int64_t> Reader::integer(YamlNode N) {
  if (!N.isPlain())
    return std::nullopt;
  int64_t Value = 0;
  const std::string_view Text = N.text();
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Code != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

int64_t Reader::integer(YamlNode N, int64_t Low, int64_t High) {
  auto Value = integer(N);
  if (Value && *Value >= Low && *Value <= High)
    return *Value;
  error(N, "expected an integer from " + std::to_string(Low) + " to " +
               std::to_string(High));
  return Low;
}

void Reader::into(YamlNode N, SourcePosition &P) {
  std::string Text;
  into(N, Text);
  auto TakeNumber = [&](unsigned &Number) {
    const size_t Colon = Text.rfind(':');
    if (Colon == std::string::npos)
      return false;
    const char *End = Text.data() + Text.size();
    auto [Stop, Code] = std::from_chars(Text.data() + Colon + 1, End, Number);
    const bool Good = Code == std::errc() && Stop == End;
    Text.resize(Colon);
    return Good;
  };
  if (!TakeNumber(P.Column) || !TakeNumber(P.Line) || Text.empty())
    error(N, "expected a place, \"file:line:column\"");
  P.File = std::move(Text);
}

void Reader::into(YamlNode N, std::map<unsigned, Term> &Arguments) {
  if (!N.isMap())
    return error(N, "expected a map");
  for (YamlEntry E : N.entries()) {
    const int64_t Index =
        integer(E.Key, 0, std::numeric_limits<uint32_t>::max());
    Arguments.insert_or_assign(static_cast<unsigned>(Index), term(E.Value));
  }
}

void Reader::into(YamlNode N, std::vector<Use> &Uses) {
  each(N, [&](YamlNode I) { into(I, Uses.emplace_back()); });
}

Term Reader::term(YamlNode N) {
  using Kind = Term::Kind;
  if (auto Value = integer(N))
    return Term::integer(*Value);
  if (N.isPlain() && N.text() == "max")
    return Term::max();
  if (!N.isSequence() || N.size() == 0) {
    error(N, "expected a term");
    return {};
  }
  auto Items = N.items();
  auto It = Items.begin();
  const YamlNode Head = *It;
  Term T;
  bool Known = false;
  for (int I = 0; I <= static_cast<int>(Kind::Operation) && !Known; ++I) {
    T.K = static_cast<Kind>(I);
    Known = Head.isPlain() && Head.text() == termKindName(T.K);
  }
  if (!Known || T.K == Kind::Integer || T.K == Kind::Max) {
    error(Head, "unknown kind of term");
    return {};
  }
  ++It;
  auto Next = [&]() -> std::optional<YamlNode> {
    if (It == Items.end()) {
      error(N, "term is cut short");
      return std::nullopt;
    }
    YamlNode R = *It;
    ++It;
    return R;
  };
  auto NextText = [&](std::string &Where) {
    if (auto I = Next())
      into(*I, Where);
  };
  auto NextNumber = [&](int64_t Low, int64_t High) {
    if (auto I = Next())
      T.Number = integer(*I, Low, High);
  };
  constexpr int64_t Least = std::numeric_limits<int64_t>::min();
  constexpr int64_t Most = std::numeric_limits<int64_t>::max();
  size_t MinOperands = 0, MaxOperands = 0;
  switch (T.K) {
  case Kind::Integer:
  case Kind::Max:
    break;
  case Kind::Unknown:
    NextText(T.Name);
    if (It != Items.end())
      NextText(T.Text);
    break;
  case Kind::AtMost:
    NextNumber(Least, Most);
    break;
  case Kind::Kernel:
    NextNumber(0, Most);
    if (static_cast<uint64_t>(T.Number) >= F.Kernels.size())
      error(N, "no kernel has this number");
    break;
  case Kind::Text:
  case Kind::Function:
  case Kind::Storage:
    NextText(T.Name);
    break;
  case Kind::Parameter:
    NextText(T.Name);
    NextNumber(0, std::numeric_limits<uint32_t>::max());
    break;
  case Kind::Out:
    NextText(T.Name);
    NextNumber(0, std::numeric_limits<uint32_t>::max());
    MaxOperands = SIZE_MAX;
    break;
  case Kind::Return:
    NextText(T.Name);
    MaxOperands = SIZE_MAX;
    break;
  case Kind::Operation:
    NextText(T.Name);
    MinOperands = 1;
    MaxOperands = 3;
    break;
  case Kind::Any:
    MaxOperands = SIZE_MAX;
    break;
  case Kind::Call:
    MinOperands = 1;
    MaxOperands = SIZE_MAX;
    break;
  case Kind::Named:
    MinOperands = MaxOperands = 1;
    break;
  }
  for (; It != Items.end(); ++It)
    T.Operands.push_back(term(*It));
  if (T.Operands.size() < MinOperands || T.Operands.size() > MaxOperands)
    error(N, "term has too few or too many operands");
  return T;
}

void Reader::producer(YamlNode N) {
  Producer &P = F.Producer;
  map(N, {{"tool", true, to(P.Tool)},
          {"version", true, to(P.Version)},
          {"clang", false, to(P.Clang)},
          {"cuda", false, to(P.Cuda)},
          {"arch", false, [&](YamlNode A) {
             each(A, [&](YamlNode I) { into(I, P.Arch.emplace_back()); });
           }}});
}

void Reader::kernel(YamlNode N) {
  FragmentKernel K;
  map(N, {{"symbol", true, to(K.Key.Symbol)},
          {"linkage", true, to(K.Key.Link)},
          {"file", false, to(K.Key.File)},
          {"name", false, to(K.Name)},
          {"uses", false, to(K.Uses)},
          {"at", false, to(K.At)}});
  F.Kernels.push_back(std::move(K));
}

void Reader::function(YamlNode N) {
  FragmentFunction Fn;
  auto ReadOut = [&](YamlNode O) {
    auto &Out = Fn.Outs.emplace_back();
    map(O, {{"index", true,
             [&](YamlNode I) {
               Out.Index = static_cast<unsigned>(
                   integer(I, 0, std::numeric_limits<uint32_t>::max()));
             }},
            {"values", true, to(Out.Values)}});
  };
  map(N, {{"id", true, to(Fn.Id)},
          {"device_only", false, to(Fn.DeviceOnly)},
          {"address_taken", false, to(Fn.AddressTaken)},
          {"returns", false, to(Fn.Returns)},
          {"outs", false, [&](YamlNode O) { each(O, ReadOut); }}});
  F.Functions.push_back(std::move(Fn));
}

void Reader::call(YamlNode N) {
  FragmentCall C;
  map(N, {{"caller", false, to(C.Caller)},
          {"callee", true, to(C.Callee)},
          {"arguments", false, to(C.Arguments)},
          {"when", false, to(C.When)},
          {"once", false, to(C.Once)},
          {"condition", false, to(C.Condition)}});
  F.Calls.push_back(std::move(C));
}

void Reader::site(YamlNode N) {
  FragmentSite S;
  map(N, {{"kind", true, to(S.Kind)},
          {"at", true, to(S.At)},
          {"in", false, to(S.In)},
          {"kernel", true, to(S.Kernel)},
          {"attribute", false, to(S.SetAttribute)},
          {"cache_config", false, to(S.SetCacheConfig)},
          {"value", false, to(S.SetValue)},
          {"when", false, to(S.When)},
          {"once", false, to(S.Once)},
          {"condition", false, to(S.Condition)},
          {"shared", false, to(S.Shared)},
          {"cooperative", false,
           [&](YamlNode C) { into(C, S.Cooperative.emplace()); }},
          {"cluster", false,
           [&](YamlNode C) {
             each(C, [&](YamlNode I) {
               S.Cluster.push_back(static_cast<uint32_t>(
                   integer(I, 0, std::numeric_limits<uint32_t>::max())));
             });
             if (S.Cluster.size() != 3)
               error(C, "a cluster has three dimensions");
           }},
          {"text", false, to(S.Text)}});
  F.Sites.push_back(std::move(S));
}

void Reader::templateSite(YamlNode N) {
  TemplateSite T;
  map(N, {{"kind", true, to(T.Kind)},
          {"at", true, to(T.At)},
          {"kernel", false, to(T.KernelText)},
          {"attribute", false,
           [&](YamlNode A) {
             T.SetAttribute = static_cast<Attribute>(integer(A, 0, 15));
           }},
          {"cache_config", false,
           [&](YamlNode C) {
             T.SetCacheConfig = static_cast<CacheConfig>(integer(C, 0, 3));
           }},
          {"value", false, to(T.ValueText)}});
  F.Templates.push_back(std::move(T));
}

void Reader::unit(YamlNode N) {
  F = {};
  auto List = [this](void (Reader::*Read)(YamlNode)) {
    return [this, Read](YamlNode L) {
      each(L, [this, Read](YamlNode I) { (this->*Read)(I); });
    };
  };
  // `kernels` stands before whatever refers to a kernel by its number.
  map(N, {{"file", true, to(F.File)},
          {"producer", true, [&](YamlNode P) { producer(P); }},
          {"kernels", false, List(&Reader::kernel)},
          {"functions", false, List(&Reader::function)},
          {"calls", false, List(&Reader::call)},
          {"stores", false,
           [&](YamlNode L) {
             each(L, [&](YamlNode I) {
               FragmentStore &S = F.Stores.emplace_back();
               map(I, {{"into", true, to(S.Into)}, {"what", true, to(S.What)}});
             });
           }},
          {"sites", false, List(&Reader::site)},
          {"globals", false,
           [&](YamlNode L) {
             each(L, [&](YamlNode I) {
               Global &G = F.Globals.emplace_back();
               map(I, {{"symbol", true, to(G.Symbol)},
                       {"file", false, to(G.File)},
                       {"at", true, to(G.At)}});
             });
           }},
          {"templates", false, List(&Reader::templateSite)},
          {"instantiated", false, [&](YamlNode L) {
             each(L,
                  [&](YamlNode I) { into(I, F.Instantiated.emplace_back()); });
           }}});
  All.push_back(std::move(F));
}

Result<std::vector<Fragment>> Reader::read(YamlNode Root) {
  map(Root, {{"kplan_fragments", true,
              [&](YamlNode N) {
                if (integer(N) != int64_t(FragmentVersion))
                  error(N,
                        "this is not a file of fragments of version " +
                            std::to_string(FragmentVersion),
                        "scan again with this version of kplan-scan");
              }},
             {"units", true,
              [&](YamlNode N) { each(N, [&](YamlNode I) { unit(I); }); }}});
  if (!Errors.empty())
    return std::move(Errors);
  return std::move(All);
}

} // namespace

bool isFragmentFile(std::string_view Text) {
  // The first line that says something.
  while (!Text.empty()) {
    const std::string_view Line = Text.substr(0, Text.find('\n'));
    const bool SaysNothing =
        Line.find_first_not_of(" \r") == std::string_view::npos ||
        Line.starts_with('#') || Line.starts_with("---");
    if (!SaysNothing)
      return Line.starts_with("kplan_fragment");
    Text.remove_prefix(std::min(Text.size(), Line.size() + 1));
  }
  return false;
}

Result<std::vector<Fragment>> readFragments(std::string_view Text,
                                            const std::string &Name) {
  auto Tree = parseYaml(Text, Name);
  if (!Tree)
    return Tree.errors();
  return Reader(Name).read(Tree->root());
}

} // namespace kplan
