//===- FragmentWire.cpp - Fragments between a scan and its workers --------===//
//
// Part of kplan. The fields of a record are listed once, for both directions.
//
//===----------------------------------------------------------------------===//

#include "scan/FragmentWire.h"

#include <concepts>
#include <map>
#include <optional>
#include <type_traits>
#include <vector>

namespace kplan::scan {
namespace {

/// The record itself, or a constant one.
template <typename T, typename Record>
concept Of = std::same_as<std::remove_const_t<T>, Record>;

/// Terms nest no deeper (TermBuilder sees to that); a broken message may.
constexpr unsigned MaxTermDepth = 1000;

//===----------------------------------------------------------------------===//
// The fields of each record, in their order
//===----------------------------------------------------------------------===//

template <typename V> void eachField(Of<SourcePosition> auto &P, V &Visit) {
  Visit(P.File);
  Visit(P.Line);
  Visit(P.Column);
}
template <typename V> void eachField(Of<FragmentKernel> auto &K, V &Visit) {
  Visit(K.Key.Symbol);
  Visit(K.Key.Link);
  Visit(K.Key.File);
  Visit(K.Name);
  Visit(K.Uses);
  Visit(K.At);
}
template <typename V>
void eachField(Of<FragmentFunction::OutParameter> auto &O, V &Visit) {
  Visit(O.Index);
  Visit(O.Values);
}
template <typename V> void eachField(Of<FragmentFunction> auto &F, V &Visit) {
  Visit(F.Id);
  Visit(F.DeviceOnly);
  Visit(F.AddressTaken);
  Visit(F.Returns);
  Visit(F.Outs);
}
template <typename V> void eachField(Of<FragmentCall> auto &C, V &Visit) {
  Visit(C.Caller);
  Visit(C.Callee);
  Visit(C.Arguments);
  Visit(C.When);
  Visit(C.Once);
  Visit(C.Condition);
}
template <typename V> void eachField(Of<FragmentStore> auto &S, V &Visit) {
  Visit(S.Into);
  Visit(S.What);
}
template <typename V> void eachField(Of<FragmentSite> auto &S, V &Visit) {
  Visit(S.Kind);
  Visit(S.At);
  Visit(S.In);
  Visit(S.Kernel);
  Visit(S.SetAttribute);
  Visit(S.SetCacheConfig);
  Visit(S.SetValue);
  Visit(S.When);
  Visit(S.Once);
  Visit(S.Condition);
  Visit(S.Shared);
  Visit(S.Cooperative);
  Visit(S.Cluster);
  Visit(S.Text);
}
template <typename V> void eachField(Of<Global> auto &G, V &Visit) {
  Visit(G.Symbol);
  Visit(G.File);
  Visit(G.At);
}
template <typename V> void eachField(Of<TemplateSite> auto &T, V &Visit) {
  Visit(T.Kind);
  Visit(T.At);
  Visit(T.KernelText);
  Visit(T.SetAttribute);
  Visit(T.SetCacheConfig);
  Visit(T.ValueText);
}
template <typename V> void eachField(Of<Producer> auto &P, V &Visit) {
  Visit(P.Tool);
  Visit(P.Version);
  Visit(P.Clang);
  Visit(P.Cuda);
  Visit(P.Arch);
}
/// All but the kernels, which go first: terms refer to them.
template <typename V> void eachField(Of<Fragment> auto &F, V &Visit) {
  Visit(F.File);
  Visit(F.Producer);
  Visit(F.Functions);
  Visit(F.Calls);
  Visit(F.Stores);
  Visit(F.Sites);
  Visit(F.Globals);
  Visit(F.Templates);
  Visit(F.Instantiated);
}

//===----------------------------------------------------------------------===//
// The two directions
//===----------------------------------------------------------------------===//

class Encoder {
public:
  explicit Encoder(WireWriter &W) : W(W) {}

  void operator()(const std::string &Text) { W.text(Text); }
  void operator()(bool Flag) { W.number(Flag); }
  void operator()(unsigned N) { W.number(N); }
  template <typename E>
    requires std::is_enum_v<E>
  void operator()(E Value) {
    W.number(static_cast<uint64_t>(Value));
  }
  template <typename T> void operator()(const std::optional<T> &Value) {
    W.number(Value.has_value());
    if (Value)
      (*this)(*Value);
  }
  template <typename T> void operator()(const std::vector<T> &List) {
    W.number(List.size());
    for (const T &Element : List)
      (*this)(Element);
  }
  void operator()(const std::map<unsigned, Term> &Map) {
    W.number(Map.size());
    for (const auto &[Key, T] : Map) {
      W.number(Key);
      (*this)(T);
    }
  }
  void operator()(const Term &T) {
    (*this)(T.K);
    W.number(static_cast<uint64_t>(T.Number));
    (*this)(T.Name);
    (*this)(T.Text);
    (*this)(T.Operands);
  }
  template <typename T>
    requires std::is_class_v<T>
  void operator()(const T &Record) {
    eachField(Record, *this);
  }

private:
  WireWriter &W;
};

class Decoder {
public:
  explicit Decoder(WireReader &R) : R(R) {}

  void operator()(std::string &Text) { Text = R.text(); }
  void operator()(bool &Flag) { Flag = below(2); }
  void operator()(unsigned &N) {
    N = static_cast<unsigned>(below(uint64_t(1) << 32));
  }
  void operator()(Linkage &L) { L = static_cast<Linkage>(below(2)); }
  void operator()(Use &U) { U = static_cast<Use>(below(4)); }
  void operator()(SiteKind &K) { K = static_cast<SiteKind>(below(4)); }
  void operator()(CacheConfig &C) { C = static_cast<CacheConfig>(below(4)); }
  void operator()(Attribute &A) { A = static_cast<Attribute>(below(16)); }
  void operator()(Term::Kind &K) {
    K = static_cast<Term::Kind>(
        below(static_cast<uint64_t>(Term::Kind::Operation) + 1));
  }
  template <typename T> void operator()(std::optional<T> &Value) {
    if (below(2))
      (*this)(Value.emplace());
  }
  template <typename T> void operator()(std::vector<T> &List) {
    for (uint64_t N = R.count(); N > 0 && R.good(); --N)
      (*this)(List.emplace_back());
  }
  void operator()(std::map<unsigned, Term> &Map) {
    for (uint64_t N = R.count(); N > 0 && R.good(); --N) {
      unsigned Key = 0;
      (*this)(Key);
      (*this)(Map[Key]);
    }
  }
  void operator()(Term &T) {
    if (++Depth > MaxTermDepth)
      return R.fail();
    (*this)(T.K);
    T.Number = static_cast<int64_t>(R.number());
    (*this)(T.Name);
    (*this)(T.Text);
    (*this)(T.Operands);
    const bool TakesOperand =
        T.K == Term::Kind::Call || T.K == Term::Kind::Named;
    if ((TakesOperand && T.Operands.empty()) ||
        (T.K == Term::Kind::Kernel &&
         static_cast<uint64_t>(T.Number) >= Kernels))
      R.fail();
    --Depth;
  }
  template <typename T> void operator()(T &Record) { eachField(Record, *this); }

  /// Terms may refer to this many kernels.
  size_t Kernels = 0;

private:
  WireReader &R;
  unsigned Depth = 0;

  uint64_t below(uint64_t End) {
    const uint64_t N = R.number();
    if (N < End)
      return N;
    R.fail();
    return 0;
  }
};

} // namespace

void encode(WireWriter &W, const Fragment &F) {
  Encoder Visit(W);
  Visit(F.Kernels);
  Visit(F);
}

Fragment decodeFragment(WireReader &R) {
  Fragment F;
  Decoder Visit(R);
  Visit(F.Kernels);
  Visit.Kernels = F.Kernels.size();
  Visit(F);
  return F;
}

} // namespace kplan::scan
