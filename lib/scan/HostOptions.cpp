//===- HostOptions.cpp ----------------------------------------------------===//

#include "scan/HostOptions.h"

#include <algorithm>
#include <utility>

namespace kplan::scan {

namespace {

enum class Form { Flag, Prefix, Separate, Both };
enum class Action {
  Keep,
  Drop,
  Preprocessor,
  Language,
  Standard,
  Optimize,
  Cc1,
  CudaPath,
  OffloadArch,
  GpuRdc,
};

struct HostOption {
  std::string_view Name;
  Form F;
  Action A;
};

constexpr HostOption Options[] = {
#define KPLAN_HOST_OPTION(Name, TheForm, TheAction)                            \
  {Name, Form::TheForm, Action::TheAction},
#include "scan/HostOptions.def"
};

constexpr std::pair<std::string_view, Action> Features[] = {
#define KPLAN_HOST_FEATURE(Name, TheAction) {Name, Action::TheAction},
#include "scan/HostOptions.def"
};

constexpr std::string_view Machines[] = {
#define KPLAN_HOST_MACHINE(Prefix) Prefix,
#include "scan/HostOptions.def"
};

bool fits(const HostOption &Option, std::string_view Argument) {
  // "-Xarch_host" and its like name what they are for in the option itself.
  if (Option.F == Form::Separate && Option.Name.back() == '_')
    return Argument.starts_with(Option.Name);
  if (Option.F == Form::Flag || Option.F == Form::Separate)
    return Argument == Option.Name;
  return Argument.starts_with(Option.Name);
}

const HostOption *findOption(std::string_view Argument) {
  const HostOption *Best = nullptr;
  for (const HostOption &Option : Options)
    if (fits(Option, Argument) &&
        (!Best || Option.Name.size() > Best->Name.size()))
      Best = &Option;
  return Best;
}

class HostParser {
public:
  explicit HostParser(const std::vector<std::string> &Arguments)
      : Arguments(Arguments) {}

  HostArguments run() {
    while (At < Arguments.size())
      step(Arguments[At++]);
    return std::move(Result);
  }

private:
  void step(const std::string &Argument) {
    if (OnlyInputs || Argument.size() < 2 || Argument[0] != '-') {
      if (!Argument.empty())
        Result.Inputs.push_back(Argument);
      return;
    }
    if (Argument == "--") {
      OnlyInputs = true;
      return;
    }
    // Longest match first: -fno-exceptions is no -f option of the main table.
    if (const HostOption *Option = findOption(Argument))
      return take(*Option, Argument);
    switch (Argument[1]) {
    case 'f':
      return feature(Argument);
    case 'm':
      return machine(Argument);
    case 'W':
    case 'g':
    case 'd':
      return;
    default:
      Result.Unknown.push_back(Argument);
    }
  }

  void take(const HostOption &Option, const std::string &Argument) {
    std::string Value = Argument.substr(Option.Name.size());
    bool FromNext =
        Option.F == Form::Separate || (Option.F == Form::Both && Value.empty());
    if (FromNext) {
      if (At == Arguments.size())
        return; // the compiler would have refused the command
      Value = Arguments[At++];
    }
    switch (Option.A) {
    case Action::Keep:
      Result.Kept.push_back(Argument);
      if (FromNext)
        Result.Kept.push_back(Value);
      return;
    case Action::Preprocessor:
      return preprocessor(Value);
    case Action::Language:
      // Later -x options are about later inputs; the first input is ours.
      if (Result.Inputs.empty())
        Result.Language = Value;
      return;
    case Action::Standard:
      Result.Standard = Value;
      return;
    case Action::Optimize:
      // Sets __OPTIMIZE__ alone. -Ofast is -O3 and a deprecated name.
      Result.Kept.push_back(Value == "fast" ? "-O3" : Argument);
      return;
    case Action::Cc1:
      return cc1(Value);
    case Action::CudaPath:
      Result.CudaPath = Value;
      return;
    case Action::OffloadArch:
      for (size_t Begin = 0; Begin <= Value.size();) {
        size_t End = std::min(Value.find(',', Begin), Value.size());
        Result.OffloadArchs.push_back(Value.substr(Begin, End - Begin));
        Begin = End + 1;
      }
      return;
    case Action::GpuRdc:
    case Action::Drop:
      return;
    }
  }

  /// -Wp,-DFOO,-MD,a.d: macros are kept, the rest is about output.
  void preprocessor(std::string_view Value) {
    while (!Value.empty()) {
      size_t Comma = std::min(Value.find(','), Value.size());
      std::string_view Item = Value.substr(0, Comma);
      if (Item.starts_with("-D") || Item.starts_with("-U"))
        Result.Kept.emplace_back(Item);
      Value.remove_prefix(std::min(Comma + 1, Value.size()));
    }
  }

  /// CMake writes `-Xclang -include-pch -Xclang x.pch -Xclang -include
  /// -Xclang x.hxx`: the header is enough. What else goes to clang's front
  /// end is about code or plugins.
  void cc1(const std::string &Value) {
    bool HasNext = At + 1 < Arguments.size() && Arguments[At] == "-Xclang";
    if (Value == "-include" && HasNext) {
      Result.Kept.push_back(Value);
      Result.Kept.push_back(Arguments[At + 1]);
      At += 2;
    } else if ((Value == "-include-pch" || Value == "-load" ||
                Value == "-mllvm") &&
               HasNext) {
      At += 2;
    }
  }

  void feature(const std::string &Argument) {
    std::string_view Name = std::string_view(Argument).substr(2);
    bool Negated = Name.starts_with("no-");
    if (Negated)
      Name.remove_prefix(3);
    Name = Name.substr(0, Name.find('='));
    auto It = std::find_if(std::begin(Features), std::end(Features),
                           [&](const auto &F) { return F.first == Name; });
    if (It == std::end(Features))
      Result.Unknown.push_back(Argument);
    else if (It->second == Action::Keep)
      Result.Kept.push_back(Argument);
    else if (It->second == Action::GpuRdc)
      Result.GpuRdc = !Negated;
  }

  void machine(const std::string &Argument) {
    std::string_view Name = std::string_view(Argument).substr(2);
    if (Name.starts_with("no-"))
      Name.remove_prefix(3);
    for (std::string_view Prefix : Machines)
      if (Name.starts_with(Prefix)) {
        Result.Kept.push_back(Argument);
        return;
      }
  }

  const std::vector<std::string> &Arguments;
  size_t At = 0;
  bool OnlyInputs = false;
  HostArguments Result;
};

} // namespace

HostArguments parseHostArguments(const std::vector<std::string> &Arguments) {
  return HostParser(Arguments).run();
}

} // namespace kplan::scan
