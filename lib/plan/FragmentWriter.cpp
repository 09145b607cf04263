//===- FragmentWriter.cpp - Fragments to text -----------------------------===//
//
// Part of kplan. YAML, one record a line. Every string is quoted, so that no
// name can be taken for a number; terms are flow sequences that begin with the
// kind, but for the two commonest: a plain integer, and `max`.
//
//===----------------------------------------------------------------------===//

#include "plan/Fragment.h"
#include "plan/Names.h"
#include "plan/Text.h"

#include <algorithm>
#include <cstdio>

namespace kplan {
namespace {

/// Writes one fragment.
class Writer {
public:
  std::string write(const Fragment &F);

private:
  std::string Out;

  void quote(std::string_view Text);
  void position(const SourcePosition &P);
  void term(const Term &T);
  void terms(const std::vector<Term> &Terms);
  void list(const std::vector<std::string> &Words);

  /// A record is `- {first: …, second: …}`; what is absent is left out.
  bool First = true;
  void open() {
    Out += "- {";
    First = true;
  }
  void close() { Out += "}\n"; }
  void key(const char *Name) {
    if (!First)
      Out += ", ";
    First = false;
    Out += Name;
    Out += ": ";
  }
  void text(const char *Name, const std::string &Text) {
    if (Text.empty())
      return;
    key(Name);
    quote(Text);
  }
  void flag(const char *Name, bool Set) {
    if (!Set)
      return;
    key(Name);
    Out += "true";
  }
  void field(const char *Name, const Term &T) {
    key(Name);
    term(T);
  }
  void field(const char *Name, const std::optional<Term> &T) {
    if (T)
      field(Name, *T);
  }
  void field(const char *Name, const std::vector<Term> &Terms) {
    if (Terms.empty())
      return;
    key(Name);
    terms(Terms);
  }
  void word(const char *Name, std::string_view Word) {
    key(Name);
    Out += Word;
  }
  void section(const char *Name, bool Empty) {
    if (Empty)
      return;
    Out += Name;
    Out += ":\n";
  }

  void producer(const Producer &P);
  void kernel(const FragmentKernel &K);
  void function(const FragmentFunction &F);
  void call(const FragmentCall &C);
  void site(const FragmentSite &S);
  void templateSite(const TemplateSite &T);
};

} // namespace

const char *termKindName(Term::Kind K) {
  switch (K) {
  case Term::Kind::Unknown:
    return "unknown";
  case Term::Kind::Integer:
    return "integer";
  case Term::Kind::Text:
    return "text";
  case Term::Kind::Max:
    return "max";
  case Term::Kind::AtMost:
    return "at_most";
  case Term::Kind::Kernel:
    return "kernel";
  case Term::Kind::Function:
    return "function";
  case Term::Kind::Parameter:
    return "parameter";
  case Term::Kind::Any:
    return "any";
  case Term::Kind::Storage:
    return "storage";
  case Term::Kind::Return:
    return "return";
  case Term::Kind::Out:
    return "out";
  case Term::Kind::Call:
    return "call";
  case Term::Kind::Named:
    return "named";
  case Term::Kind::Operation:
    return "operation";
  }
  return "";
}

void Writer::quote(std::string_view Text) {
  Out += '"';
  for (size_t I = 0; I < Text.size();) {
    const unsigned char C = Text[I];
    if (C == '"' || C == '\\') {
      Out += '\\';
      Out += static_cast<char>(C);
      ++I;
    } else if (C == '\n') {
      Out += "\\n";
      ++I;
    } else if (C == '\t') {
      Out += "\\t";
      ++I;
    } else if (C < 0x20 || C == 0x7f) {
      char Buffer[8];
      std::snprintf(Buffer, sizeof Buffer, "\\x%02x", C);
      Out += Buffer;
      ++I;
    } else if (size_t N = utf8Length(Text, I)) {
      Out += Text.substr(I, N);
      I += N;
    } else {
      Out += "\xEF\xBF\xBD"; // What is not UTF-8 cannot be in a YAML file.
      ++I;
    }
  }
  Out += '"';
}

void Writer::position(const SourcePosition &P) {
  quote(P.File + ':' + std::to_string(P.Line) + ':' + std::to_string(P.Column));
}

void Writer::list(const std::vector<std::string> &Words) {
  Out += '[';
  for (size_t I = 0; I < Words.size(); ++I) {
    if (I)
      Out += ", ";
    quote(Words[I]);
  }
  Out += ']';
}

void Writer::terms(const std::vector<Term> &Terms) {
  Out += '[';
  for (size_t I = 0; I < Terms.size(); ++I) {
    if (I)
      Out += ", ";
    term(Terms[I]);
  }
  Out += ']';
}

void Writer::term(const Term &T) {
  using Kind = Term::Kind;
  if (T.K == Kind::Integer) {
    Out += std::to_string(T.Number);
    return;
  }
  if (T.K == Kind::Max) {
    Out += "max";
    return;
  }
  Out += '[';
  Out += termKindName(T.K);
  switch (T.K) {
  case Kind::Integer:
  case Kind::Max:
    break;
  case Kind::Unknown:
    Out += ", ";
    quote(T.Name);
    if (!T.Text.empty()) {
      Out += ", ";
      quote(T.Text);
    }
    break;
  case Kind::AtMost:
  case Kind::Kernel:
    Out += ", " + std::to_string(T.Number);
    break;
  case Kind::Text:
  case Kind::Function:
  case Kind::Storage:
  case Kind::Return:
  case Kind::Operation:
    Out += ", ";
    quote(T.Name);
    break;
  case Kind::Parameter:
  case Kind::Out:
    Out += ", ";
    quote(T.Name);
    Out += ", " + std::to_string(T.Number);
    break;
  case Kind::Any:
  case Kind::Call:
  case Kind::Named:
    break;
  }
  for (const Term &O : T.Operands) {
    Out += ", ";
    term(O);
  }
  Out += ']';
}

void Writer::producer(const Producer &P) {
  Out += "producer: {";
  First = true;
  text("tool", P.Tool);
  text("version", P.Version);
  text("clang", P.Clang);
  text("cuda", P.Cuda);
  if (!P.Arch.empty()) {
    key("arch");
    list(P.Arch);
  }
  Out += "}\n";
}

void Writer::kernel(const FragmentKernel &K) {
  open();
  key("symbol");
  quote(K.Key.Symbol);
  word("linkage", nameOf(K.Key.Link));
  text("file", K.Key.File);
  text("name", K.Name);
  if (!K.Uses.empty()) {
    key("uses");
    Out += '[';
    for (size_t I = 0; I < K.Uses.size(); ++I) {
      if (I)
        Out += ", ";
      Out += nameOf(K.Uses[I]);
    }
    Out += ']';
  }
  if (!K.At.File.empty()) {
    key("at");
    position(K.At);
  }
  close();
}

void Writer::function(const FragmentFunction &F) {
  open();
  key("id");
  quote(F.Id);
  flag("device_only", F.DeviceOnly);
  flag("address_taken", F.AddressTaken);
  field("returns", F.Returns);
  if (!F.Outs.empty()) {
    key("outs");
    Out += '[';
    for (size_t I = 0; I < F.Outs.size(); ++I) {
      if (I)
        Out += ", ";
      Out += "{index: " + std::to_string(F.Outs[I].Index) + ", values: ";
      terms(F.Outs[I].Values);
      Out += '}';
    }
    Out += ']';
  }
  close();
}

void Writer::call(const FragmentCall &C) {
  open();
  text("caller", C.Caller);
  field("callee", C.Callee);
  if (!C.Arguments.empty()) {
    key("arguments");
    char Before = '{';
    for (const auto &[Index, T] : C.Arguments) {
      Out += Before;
      Out += (Before == '{' ? "" : " ") + std::to_string(Index) + ": ";
      term(T);
      Before = ',';
    }
    Out += '}';
  }
  text("when", C.When);
  flag("once", C.Once);
  field("condition", C.Condition);
  close();
}

void Writer::site(const FragmentSite &S) {
  open();
  word("kind", nameOf(S.Kind));
  key("at");
  position(S.At);
  text("in", S.In);
  field("kernel", S.Kernel);
  field("attribute", S.SetAttribute);
  field("cache_config", S.SetCacheConfig);
  field("value", S.SetValue);
  text("when", S.When);
  flag("once", S.Once);
  field("condition", S.Condition);
  text("shared", S.Shared);
  if (S.Cooperative)
    word("cooperative", *S.Cooperative ? "true" : "false");
  if (!S.Cluster.empty()) {
    key("cluster");
    Out += '[';
    for (size_t I = 0; I < S.Cluster.size(); ++I) {
      if (I)
        Out += ", ";
      Out += std::to_string(S.Cluster[I]);
    }
    Out += ']';
  }
  text("text", S.Text);
  close();
}

void Writer::templateSite(const TemplateSite &T) {
  open();
  word("kind", nameOf(T.Kind));
  key("at");
  position(T.At);
  text("kernel", T.KernelText);
  if (T.SetAttribute)
    field("attribute", Term::integer(static_cast<int>(*T.SetAttribute)));
  if (T.SetCacheConfig)
    field("cache_config", Term::integer(static_cast<int>(*T.SetCacheConfig)));
  text("value", T.ValueText);
  close();
}

std::string Writer::write(const Fragment &F) {
  Out = "file: ";
  quote(F.File);
  Out += '\n';
  producer(F.Producer);
  section("kernels", F.Kernels.empty());
  for (const FragmentKernel &K : F.Kernels)
    kernel(K);
  section("functions", F.Functions.empty());
  for (const FragmentFunction &Fn : F.Functions)
    function(Fn);
  section("calls", F.Calls.empty());
  for (const FragmentCall &C : F.Calls)
    call(C);
  section("stores", F.Stores.empty());
  for (const FragmentStore &S : F.Stores) {
    open();
    key("into");
    quote(S.Into);
    field("what", S.What);
    close();
  }
  section("sites", F.Sites.empty());
  for (const FragmentSite &S : F.Sites)
    site(S);
  section("globals", F.Globals.empty());
  for (const Global &G : F.Globals) {
    open();
    key("symbol");
    quote(G.Symbol);
    text("file", G.File);
    key("at");
    position(G.At);
    close();
  }
  section("templates", F.Templates.empty());
  for (const TemplateSite &T : F.Templates)
    templateSite(T);
  section("instantiated", F.Instantiated.empty());
  for (const SourcePosition &P : F.Instantiated) {
    Out += "- ";
    position(P);
    Out += '\n';
  }
  return std::move(Out);
}

std::string writeFragments(std::vector<Fragment> Fragments) {
  std::sort(Fragments.begin(), Fragments.end());
  Fragments.erase(std::unique(Fragments.begin(), Fragments.end()),
                  Fragments.end());
  std::string All =
      "kplan_fragments: " + std::to_string(FragmentVersion) + "\nunits:";
  if (Fragments.empty())
    return All + " []\n";
  All += '\n';
  for (const Fragment &F : Fragments) {
    // An item of a list: the lines of a map, moved to the right.
    const std::string Text = Writer().write(F);
    const char *Margin = "- ";
    for (size_t At = 0; At < Text.size();) {
      const size_t End = Text.find('\n', At) + 1;
      All += Margin;
      All.append(Text, At, End - At);
      Margin = "  ";
      At = End;
    }
  }
  return All;
}

} // namespace kplan
