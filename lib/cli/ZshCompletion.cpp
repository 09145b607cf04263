//===- ZshCompletion.cpp - Completion of a command line in zsh ------------===//

#include "cli/Command.h"

#include <algorithm>

namespace kplan::cli {

/// Within single quotes; of a description, what _arguments would take as its
/// own is escaped.
static std::string quoted(std::string_view Text, std::string_view Special) {
  std::string Out;
  for (char C : Text) {
    if (Special.find(C) != Special.npos)
      Out += '\\';
    if (C == '\'')
      Out += "'\\''";
    else
      Out += C;
  }
  return Out;
}

static std::string actionOf(ValueKind Kind,
                            const std::vector<std::string> &Choices) {
  if (!Choices.empty()) {
    std::string Text = "(";
    for (const std::string &Choice : Choices)
      Text += (Text.size() > 1 ? " " : "") + Choice;
    return Text + ")";
  }
  switch (Kind) {
  case ValueKind::File:
    return "_files";
  case ValueKind::Folder:
    return "_files -/";
  case ValueKind::Command:
    return "_command_names -e";
  case ValueKind::Text:
    break;
  }
  return " ";
}

static void addOption(std::string &Out, const Option &O) {
  // Given once, under any of its names.
  std::string Excludes;
  for (const std::string &Name : O.Names)
    Excludes += (Excludes.empty() ? "" : " ") + Name;
  for (const std::string &Name : O.Names) {
    Out += " \\\n    '";
    Out += O.Repeats ? "*" : "(" + Excludes + ")";
    Out += Name;
    if (!O.Value.empty())
      Out += Name.starts_with("--") ? "=" : "+";
    Out += '[' + quoted(O.Help, "[]") + ']';
    if (!O.Value.empty())
      Out += ':' + quoted(O.Value, ":") + ':' + actionOf(O.Kind, O.Choices);
    Out += '\'';
  }
}

static void addArguments(std::string &Out, const Command &C) {
  Out += "_arguments -S";
  for (const Option &O : C.Options)
    addOption(Out, O);
  for (const Operand &O : C.Operands) {
    if (O.Kind == ValueKind::Command) {
      // The rest is a command line of its own.
      Out += " \\\n    '(-)1:command:_command_names -e' \\\n    "
             "'*::arguments:_normal'";
      break;
    }
    Out += std::string(" \\\n    '") + (O.Repeats ? "*:" : ":") +
           quoted(O.Name, ":") + ':' + actionOf(O.Kind, {}) + '\'';
  }
  Out += '\n';
}

std::string zshCompletion(const Command &C) {
  std::string Function = '_' + C.Name;
  std::string Out = "#compdef " + C.Name + "\n# Made by " + C.Name +
                    " --generate=zsh\n" + Function + "() {\n";
  if (C.Commands.empty()) {
    Out += "  ";
    addArguments(Out, C);
  } else {
    Out += "  local curcontext=\"$curcontext\" state line\n"
           "  typeset -A opt_args\n  _arguments -C";
    for (const Option &O : C.Options)
      addOption(Out, O);
    Out += " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n"
           "  case $state in\n  command)\n    local -a commands\n"
           "    commands=(\n";
    for (const Command &Sub : C.Commands)
      Out += "      '" + Sub.Name + ':' + quoted(Sub.Summary, ":") + "'\n";
    Out += "    )\n    _describe command commands ;;\n  argument)\n"
           "    case $words[1] in\n";
    for (const Command &Sub : C.Commands) {
      Out += "    " + Sub.Name + ") ";
      addArguments(Out, Sub);
      Out += "      ;;\n";
    }
    Out += "    esac ;;\n  esac\n";
  }
  return Out + "}\nif [ \"$funcstack[1]\" = \"" + Function + "\" ]; then\n  " +
         Function + " \"$@\"\nelse\n  compdef " + Function + ' ' + C.Name +
         "\nfi\n";
}

} // namespace kplan::cli
