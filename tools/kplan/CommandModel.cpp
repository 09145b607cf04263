//===- CommandModel.cpp - kplan's command line, as data -------------------===//

#include "CommandModel.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <string_view>

namespace kplan::tool {

/// "{count,warn,abort}", as a check describes itself.
static std::vector<std::string> choicesOf(const std::string &Type) {
  std::vector<std::string> Choices;
  const size_t Begin = Type.find('{'), End = Type.rfind('}');
  if (Begin == Type.npos || End == Type.npos || End < Begin)
    return Choices;
  std::string_view List(Type);
  List = List.substr(Begin + 1, End - Begin - 1);
  while (!List.empty()) {
    std::string_view Word = List.substr(0, List.find(','));
    List.remove_prefix(std::min(List.size(), Word.size() + 1));
    Choices.emplace_back(Word);
  }
  return Choices;
}

static cli::ValueKind kindOf(std::string_view Value) {
  using cli::ValueKind;
  for (std::string_view Name : {"FILE", "PLAN", "RECORDING"})
    if (Value.starts_with(Name))
      return ValueKind::File;
  if (Value == "DIR" || Value == "FOLDER")
    return ValueKind::Folder;
  return Value == "COMMAND" ? ValueKind::Command : ValueKind::Text;
}

/// The name of a value, without what checks add to it and without "...".
static std::string valueOf(const CLI::Option &O) {
  std::string Type = O.get_type_name();
  Type = Type.substr(0, Type.find(':'));
  while (Type.ends_with('.') || Type.ends_with(' '))
    Type.pop_back();
  return Type;
}

static cli::Option optionOf(const CLI::Option &O) {
  cli::Option Out;
  for (const std::string &Name : O.get_snames())
    Out.Names.push_back('-' + Name);
  for (const std::string &Name : O.get_lnames())
    Out.Names.push_back("--" + Name);
  if (O.get_type_size() != 0) {
    Out.Value = valueOf(O);
    Out.Kind = kindOf(Out.Value);
    Out.Choices = choicesOf(O.get_type_name());
    Out.Default = O.get_default_str();
    Out.Repeats = O.get_expected_max() > 1;
  }
  Out.Help = O.get_description();
  Out.Required = O.get_required();
  for (const CLI::Option *Other : O.get_needs())
    Out.OnlyWith = "--" + Other->get_lnames().front();
  return Out;
}

static cli::Operand operandOf(const CLI::Option &O) {
  cli::Operand Out;
  Out.Name = valueOf(O);
  Out.Kind = kindOf(Out.Name);
  Out.Help = O.get_description();
  Out.Required = O.get_required();
  Out.Repeats = O.get_expected_max() > 1;
  return Out;
}

cli::Command commandOf(const CLI::App &App) {
  cli::Command Out;
  Out.Name = App.get_name();
  // The first line, and what follows it.
  const std::string Text = App.get_description();
  const size_t End = std::min(Text.find('\n'), Text.size());
  Out.Summary = Text.substr(0, End);
  Out.Description = Text.substr(std::min(Text.size(), End + 1));
  Out.Notes = App.get_footer();
  Out.Group = App.get_group();
  for (const CLI::Option *O : App.get_options())
    if (O->get_positional())
      Out.Operands.push_back(operandOf(*O));
    else if (!O->get_group().empty())
      Out.Options.push_back(optionOf(*O));
  for (const CLI::App *Sub :
       App.get_subcommands([](const CLI::App *) { return true; }))
    if (!Sub->get_group().empty())
      Out.Commands.push_back(commandOf(*Sub));
  return Out;
}

namespace {

class ModelFormatter final : public CLI::FormatterBase {
public:
  std::string make_help(const CLI::App *App, std::string,
                        CLI::AppFormatMode) const override {
    const CLI::App *Parent = App->get_parent();
    return cli::helpText(commandOf(*App), Parent ? Parent->get_name() : "");
  }
};

} // namespace

void useModelForHelp(CLI::App &App) {
  auto Formatter = std::make_shared<ModelFormatter>();
  App.formatter(Formatter);
  for (CLI::App *Sub : App.get_subcommands([](CLI::App *) { return true; }))
    Sub->formatter(Formatter);
}

} // namespace kplan::tool
