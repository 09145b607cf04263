//===- BashCompletion.cpp - Completion of a command line in bash ----------===//

#include "cli/Command.h"

#include <algorithm>
#include <string_view>

namespace kplan::cli {

/// "_kplan_scan"
static std::string functionOf(const Command &C) {
  std::string Name = '_' + C.Name;
  std::ranges::replace(Name, '-', '_');
  return Name;
}

static std::string wordsOf(const std::vector<std::string> &Words) {
  std::string Text;
  for (const std::string &Word : Words)
    Text += (Text.empty() ? "" : " ") + Word;
  return Text;
}

/// What is offered for a value: a command of the shell.
static std::string offer(const std::string &Function, ValueKind Kind,
                         const std::vector<std::string> &Choices) {
  if (!Choices.empty())
    return Function + "_offer '" + wordsOf(Choices) + "'";
  switch (Kind) {
  case ValueKind::File:
    return ":"; // What the shell offers by itself.
  case ValueKind::Folder:
    return Function + "_offer_folders";
  case ValueKind::Command:
    return Function + "_offer_commands";
  case ValueKind::Text:
    break;
  }
  return Function + "_offer ''";
}

/// The cases of options that take a value. \param Before "run ", of a
/// subcommand.
static void addValues(std::string &Out, const std::string &Function,
                      const Command &C, const std::string &Before) {
  for (const Option &O : C.Options) {
    if (O.Value.empty())
      continue;
    std::string Case;
    for (const std::string &Name : O.Names)
      Case.append(Case.empty() ? "\"" : "|\"").append(Before).append(Name) +=
          '"';
    Out += "  " + Case + ") " + offer(Function, O.Kind, O.Choices) +
           "; return ;;\n";
  }
}

static std::string optionsOf(const Command &C) {
  std::string Text;
  for (const Option &O : C.Options)
    for (const std::string &Name : O.Names)
      Text += (Text.empty() ? "" : " ") + Name;
  return Text;
}

static std::string operandOf(const std::string &Function, const Command &C) {
  return C.Operands.empty() ? offer(Function, ValueKind::Text, {})
                            : offer(Function, C.Operands.front().Kind, {});
}

/// Up to the words that are commands; @ is the name of the function.
constexpr std::string_view Begin = R"(@_offer() {
  compopt +o default +o bashdefault 2>/dev/null
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
@_offer_folders() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$cur"))
}
@_offer_commands() {
  COMPREPLY=($(compgen -c -- "$cur"))
}
@() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local command= i
  COMPREPLY=()
  # --option=value is three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
    --)
      # A command of its own, with its own completion.
      if declare -F _command_offset >/dev/null; then _command_offset $((i + 1))
      elif ((i + 1 == COMP_CWORD)); then @_offer_commands
      fi
      return ;;
)";

std::string bashCompletion(const Command &C) {
  const std::string Function = functionOf(C);
  std::vector<std::string> Names;
  Names.reserve(C.Commands.size());
  for (const Command &Sub : C.Commands)
    Names.push_back(Sub.Name);
  std::string Out = "# Completion of " + C.Name + " for bash; made by " +
                    C.Name + " --generate=bash\n";
  for (char Letter : Begin)
    if (Letter == '@')
      Out += Function;
    else
      Out += Letter;
  if (!Names.empty()) {
    std::string Case;
    for (const std::string &Name : Names)
      Case += (Case.empty() ? "" : "|") + Name;
    Out += "    " + Case + ") [[ $command ]] || command=${COMP_WORDS[i]} ;;\n";
  }
  Out += "    esac\n  done\n  case \"$command${command:+ }$prev\" in\n";
  addValues(Out, Function, C, "");
  for (const Command &Sub : C.Commands)
    addValues(Out, Function, Sub, Sub.Name + ' ');
  Out += "  esac\n  case $command in\n";
  for (const Command &Sub : C.Commands)
    Out += "  " + Sub.Name + ") if [[ $cur == -* ]]; then " + Function +
           "_offer '" + optionsOf(Sub) + "'; else " + operandOf(Function, Sub) +
           "; fi ;;\n";
  Out += "  *) if [[ $cur == -* ]]; then " + Function + "_offer '" +
         optionsOf(C) + "'; else " +
         (Names.empty() ? operandOf(Function, C)
                        : offer(Function, ValueKind::Text, Names)) +
         "; fi ;;\n  esac\n}\ncomplete -F " + Function +
         " -o bashdefault -o default " + C.Name + "\n";
  return Out;
}

} // namespace kplan::cli
