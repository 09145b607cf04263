//===- TermText.cpp - Terms for people ------------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/TermText.h"

#include "plan/Demangle.h"

#include <cctype>
#include <string_view>

namespace kplan {

using Kind = Term::Kind;

std::string describeFunction(const FunctionId &Id) {
  if (Id.empty())
    return "a static initialiser";
  return demangle(Id.substr(0, Id.find_first_of("#@")));
}

/// What holds numbers is told apart from what holds kernels by this word.
static std::string describeStorage(const StorageId &Id) {
  constexpr std::string_view Number = "number ";
  return describeFunction(Id.starts_with(Number) ? Id.substr(Number.size())
                                                 : Id);
}

namespace {

/// More than this is not read by anybody.
constexpr size_t MaxAlternatives = 8;
constexpr size_t MaxLength = 400;

class Describer {
public:
  Describer(const FunctionId &Within,
            const std::function<std::string(const Term &)> &KernelName)
      : Within(Within), KernelName(KernelName) {}

  void term(const Term &T);
  std::string Out;

private:
  const FunctionId &Within;
  const std::function<std::string(const Term &)> &KernelName;

  void list(const std::vector<Term> &Terms, size_t First, const char *Between);
  void call(const Term &T);
  void operation(const Term &T);
  void unknown(const Term &T);
  std::string ordinal(const Term &T) const {
    return "parameter " + std::to_string(T.Number + 1);
  }
};

void Describer::list(const std::vector<Term> &Terms, size_t First,
                     const char *Between) {
  for (size_t I = First; I < Terms.size() && Out.size() < MaxLength; ++I) {
    if (I > First)
      Out += Between;
    if (I - First == MaxAlternatives) {
      Out += "and " + std::to_string(Terms.size() - I) + " more";
      return;
    }
    term(Terms[I]);
  }
}

void Describer::call(const Term &T) {
  Out += describeFunction(T.Name);
  // Its parameters' types are there already.
  if (T.Operands.empty())
    return;
  Out += " with (";
  list(T.Operands, 0, ", ");
  Out += ')';
}

void Describer::operation(const Term &T) {
  const bool IsSymbol =
      !T.Name.empty() && !std::isalpha(static_cast<unsigned char>(T.Name[0]));
  if (IsSymbol && T.Operands.size() == 2) {
    Out += '(';
    term(T.Operands[0]);
    Out += ' ' + T.Name + ' ';
    term(T.Operands[1]);
    Out += ')';
  } else {
    Out += T.Name + '(';
    list(T.Operands, 0, ", ");
    Out += ')';
  }
}

void Describer::unknown(const Term &T) {
  Out += "unknown";
  if (!T.Text.empty())
    Out += " '" + T.Text + "'";
  if (!T.Name.empty())
    Out += " (" + T.Name + ")";
}

void Describer::term(const Term &T) {
  if (Out.size() >= MaxLength)
    return;
  switch (T.K) {
  case Kind::Unknown:
    return unknown(T);
  case Kind::Integer:
    Out += std::to_string(T.Number);
    return;
  case Kind::Text:
    Out += '"' + T.Name + '"';
    return;
  case Kind::Max:
    Out += "max (a limit of the device)";
    return;
  case Kind::AtMost:
    Out += "at most " + std::to_string(T.Number);
    return;
  case Kind::Kernel:
    Out += KernelName(T);
    return;
  case Kind::Function:
    Out += "function " + describeFunction(T.Name);
    return;
  case Kind::Parameter:
    Out += ordinal(T);
    if (T.Name != Within)
      Out += " of " + describeFunction(T.Name);
    return;
  case Kind::Any:
    Out += T.Operands.empty() ? "nothing" : "one of: ";
    return list(T.Operands, 0, "; ");
  case Kind::Storage:
    Out += "what is stored in " + describeStorage(T.Name);
    return;
  case Kind::Return:
    Out += "the result of ";
    return call(T);
  case Kind::Out:
    Out += "what is stored through " + ordinal(T) + " of ";
    return call(T);
  case Kind::Call:
    Out += "the result of a call of ";
    if (!T.Operands.empty())
      term(T.Operands[0]);
    return;
  case Kind::Named:
    Out += "the kernel named ";
    return list(T.Operands, 0, ", ");
  case Kind::Operation:
    return operation(T);
  }
}

} // namespace

std::string
describeTerm(const Term &T, const FunctionId &Within,
             const std::function<std::string(const Term &)> &KernelName) {
  Describer D(Within, KernelName);
  D.term(T);
  if (D.Out.size() > MaxLength) {
    size_t End = MaxLength;
    while (End > 0 && (static_cast<unsigned char>(D.Out[End]) & 0xC0) == 0x80)
      --End; // Not within a character.
    D.Out.resize(End);
    D.Out += " ...";
  }
  return D.Out;
}

} // namespace kplan
