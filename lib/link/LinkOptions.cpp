//===- LinkOptions.cpp - Load options as options of nvJitLink -------------===//

#include "link/LinkOptions.h"

#include <optional>
#include <string_view>

namespace kplan::link {

namespace {

enum class Form { Number, Flag, Level, Cache, Nothing };

struct LinkOption {
  std::string_view PlanName;
  Form How;
  std::string_view Text;
};

constexpr LinkOption Table[] = {
#define KPLAN_LINK_OPTION(PlanName, How, Text) {PlanName, Form::How, Text},
#include "link/LinkOptions.def"
};

/// The option's text; empty: none is needed. Nothing: it cannot be kept.
std::optional<std::string> optionFor(std::string_view Name, int64_t Value) {
  for (const LinkOption &Option : Table) {
    if (Option.PlanName != Name)
      continue;
    std::string Text(Option.Text);
    switch (Option.How) {
    case Form::Number:
      return Text + std::to_string(Value);
    case Form::Flag:
      return Value ? Text : "";
    case Form::Level:
      if (Value == 0 || Value == 3 || Value == 4)
        return Text + (Value ? "3" : "0");
      return std::nullopt;
    case Form::Cache:
      if (Value < 0 || Value > 2)
        return std::nullopt;
      return Value == 0 ? "" : Text + (Value == 1 ? "cg" : "ca");
    case Form::Nothing:
      return "";
    }
  }
  return std::nullopt;
}

} // namespace

Result<std::vector<std::string>>
linkOptions(const std::map<std::string, int64_t> &LoadOptions) {
  std::vector<std::string> Out;
  for (const auto &[Name, Value] : LoadOptions) {
    auto Text = optionFor(Name, Value);
    if (!Text)
      return makeError("nvJitLink has nothing like the option '" + Name + ": " +
                           std::to_string(Value) + "'",
                       "the code would be another one; leave it to the "
                       "driver's compiler");
    if (!Text->empty())
      Out.push_back(std::move(*Text));
  }
  return Out;
}

Result<std::vector<std::string>> linkOptions(const Module &Of) {
  std::map<std::string, int64_t> Numbers;
  for (const auto &[Name, Value] : Of.Options) {
    if (const auto *Flag = std::get_if<bool>(&Value))
      Numbers[Name] = *Flag;
    else if (const auto *Number = std::get_if<int64_t>(&Value))
      Numbers[Name] = *Number;
    else
      return makeError("option '" + Name + "' of module '" + Of.Name +
                       "' is a text, expected a number or true or false");
  }
  return linkOptions(Numbers);
}

} // namespace kplan::link
