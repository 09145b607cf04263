//===- FishCompletion.cpp - Completion of a command line in fish ----------===//

#include "cli/Command.h"

namespace kplan::cli {

static std::string quoted(std::string_view Text) {
  std::string Out = "'";
  for (char C : Text) {
    if (C == '\'' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + '\'';
}

/// What completes a value. Exclusive: files are not offered beside it.
static std::string actionOf(ValueKind Kind,
                            const std::vector<std::string> &Choices) {
  if (!Choices.empty()) {
    std::string Words;
    for (const std::string &Choice : Choices)
      Words += (Words.empty() ? "" : " ") + Choice;
    return " -x -a " + quoted(Words);
  }
  switch (Kind) {
  case ValueKind::File:
    return " -r -F";
  case ValueKind::Folder:
    return " -x -a '(__fish_complete_directories)'";
  case ValueKind::Command:
    return " -x -a '(__fish_complete_subcommand)'";
  case ValueKind::Text:
    break;
  }
  return " -x";
}

static void addOptions(std::string &Out, const Command &C,
                       const std::string &Begin) {
  for (const Option &O : C.Options) {
    Out += Begin;
    for (const std::string &Name : O.Names)
      if (Name.starts_with("--"))
        Out += " -l " + Name.substr(2);
      else
        Out += " -s " + Name.substr(1);
    if (!O.Value.empty())
      Out += actionOf(O.Kind, O.Choices);
    Out += " -d " + quoted(O.Help) + '\n';
  }
  for (const Operand &O : C.Operands) {
    if (O.Kind == ValueKind::File || O.Kind == ValueKind::Folder)
      Out += Begin + " -F\n";
    else if (O.Kind == ValueKind::Command)
      Out += Begin + " -F -a '(__fish_complete_command)'\n";
  }
}

std::string fishCompletion(const Command &C) {
  const std::string Begin = "complete -c " + C.Name;
  std::string Out = "# Completion of " + C.Name + " for fish; made by " +
                    C.Name + " --generate=fish\n" + Begin + " -f\n";
  addOptions(Out, C,
             C.Commands.empty() ? Begin : Begin + " -n __fish_use_subcommand");
  for (const Command &Sub : C.Commands)
    Out += Begin + " -n __fish_use_subcommand -a " + Sub.Name + " -d " +
           quoted(Sub.Summary) + '\n';
  for (const Command &Sub : C.Commands)
    addOptions(Out, Sub,
               Begin + " -n '__fish_seen_subcommand_from " + Sub.Name + "'");
  return Out;
}

} // namespace kplan::cli
