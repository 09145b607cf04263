//===- NvccOptions.cpp ----------------------------------------------------===//

#include "scan/NvccOptions.h"

#include "scan/CommandLine.h"

#include <array>

namespace kplan::scan {

namespace {

constexpr std::array Table = {
#define KPLAN_NVCC_OPTION(Long, Short, Arity, Joined, Action, Text)            \
  NvccOption{Long, Short, NvccArity::Arity, Joined, NvccAction::Action, Text},
#include "scan/NvccOptions.def"
};

const NvccOption *findExact(std::string_view Name, bool Long) {
  if (Name.empty())
    return nullptr;
  for (const NvccOption &Option : Table)
    if (Name == (Long ? Option.Long : Option.Short))
      return &Option;
  return nullptr;
}

const NvccOption *findJoined(std::string_view Name) {
  for (const NvccOption &Option : Table)
    if (Option.Joined && Name.size() > Option.Short.size() &&
        Name.starts_with(Option.Short))
      return &Option;
  return nullptr;
}

/// One argument, its option and the value that stands in the same argument.
struct Match {
  const NvccOption *Which = nullptr;
  bool HasValue = false;
  std::string_view Value;
};

Match match(std::string_view Argument) {
  bool Long = Argument.starts_with("--");
  std::string_view Body = Argument.substr(Long ? 2 : 1);
  size_t Equals = Body.find('=');
  Match M;
  M.Which = findExact(Body.substr(0, Equals), Long);
  if (M.Which) {
    M.HasValue = Equals != std::string_view::npos;
    if (M.HasValue)
      M.Value = Body.substr(Equals + 1);
    return M;
  }
  if (!Long && (M.Which = findJoined(Body))) {
    M.HasValue = true;
    M.Value = Body.substr(M.Which->Short.size());
  }
  return M;
}

void takeValue(NvccArgument &Argument, std::string_view Value) {
  if (Argument.Which->Arity == NvccArity::List) {
    Argument.Values = splitNvccList(Value);
    return;
  }
  Argument.Values = {std::string(Value)};
  if (Argument.Which->Arity == NvccArity::Boolean && Value != "true" &&
      Value != "false") {
    Argument.K = NvccArgument::Refused;
    Argument.Problem = "expected true or false";
  }
}

} // namespace

std::span<const NvccOption> nvccOptions() { return Table; }

std::vector<NvccArgument>
parseNvccArguments(const std::vector<std::string> &Arguments) {
  std::vector<NvccArgument> Parsed;
  for (size_t At = 0; At < Arguments.size(); ++At) {
    std::string_view Text = Arguments[At];
    NvccArgument &Argument = Parsed.emplace_back();
    Argument.Spelling = Text;
    if (Text.size() < 2 || Text[0] != '-') {
      Argument.Values = {std::string(Text)};
      continue;
    }
    Match M = match(Text);
    Argument.Which = M.Which;
    if (!M.Which) {
      Argument.K = NvccArgument::Unknown;
      continue;
    }
    Argument.K = NvccArgument::Option;
    if (M.Which->Arity == NvccArity::Flag) {
      if (M.HasValue) {
        Argument.K = NvccArgument::Refused;
        Argument.Problem = "no argument expected";
      }
    } else if (M.HasValue) {
      takeValue(Argument, M.Value);
    } else if (At + 1 < Arguments.size()) {
      Argument.SeparateValue = true;
      takeValue(Argument, Arguments[++At]);
    } else {
      Argument.K = NvccArgument::Refused;
      Argument.Problem = "expected an argument";
    }
  }
  return Parsed;
}

} // namespace kplan::scan
