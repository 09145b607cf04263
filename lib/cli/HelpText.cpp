//===- HelpText.cpp - A command line for people at a terminal -------------===//

#include "cli/Command.h"
#include "cli/Layout.h"

#include <algorithm>

namespace kplan::cli {

namespace {

constexpr size_t Width = 80;
/// Where help begins beside what it is of.
constexpr size_t Column = 24;

/// Words in lines, those after the first indented.
std::string fill(std::string_view Text, size_t Indent, size_t FirstColumn) {
  std::string Out;
  size_t At = FirstColumn;
  bool LineHasWord = false;
  while (!Text.empty()) {
    std::string_view Word = Text.substr(0, Text.find(' '));
    Text.remove_prefix(std::min(Text.size(), Word.size() + 1));
    if (Word.empty())
      continue;
    if (LineHasWord && At + 1 + Word.size() > Width) {
      Out += '\n' + std::string(Indent, ' ');
      At = Indent;
      LineHasWord = false;
    }
    if (LineHasWord) {
      Out += ' ';
      ++At;
    }
    Out += Word;
    At += Word.size();
    LineHasWord = true;
  }
  return Out + '\n';
}

std::string entry(const std::string &What, const std::string &Help) {
  std::string Out = "  " + What;
  if (Out.size() + 2 > Column)
    Out += '\n' + std::string(Column, ' ');
  else
    Out += std::string(Column - Out.size(), ' ');
  return Out + fill(Help, Column, Column);
}

/// "-o, --output FILE"; without a short name its place stays empty.
std::string namesOf(const Option &O) {
  std::string Text = O.Names.front().starts_with("--") ? "    " : "";
  for (const std::string &Name : O.Names)
    Text += (&Name == O.Names.data() ? "" : ", ") + Name;
  if (!O.Value.empty())
    Text += (O.Choices.empty() ? ' ' : '=') + valueOf(O);
  return Text;
}

std::string prose(std::string_view Text) {
  std::string Out;
  Block::Kind Before = Block::Kind::Paragraph;
  for (const Block &B : blocksOf(Text)) {
    if (!Out.empty() && Before != Block::Kind::Heading)
      Out += '\n';
    Out += B.What == Block::Kind::Verbatim ? B.Text : fill(B.Text, 0, 0);
    Before = B.What;
  }
  return Out;
}

} // namespace

std::string helpText(const Command &C, std::string_view Parent) {
  std::string Out = fill(C.Summary + '.', 0, 0);
  Out += "\nUsage: " + usageOf(C, Parent) + '\n';
  if (!C.Description.empty())
    Out += '\n' + prose(C.Description);
  for (const std::string &Group : groupsOf(C)) {
    Out += '\n' + (Group.empty() ? "Commands" : Group) + ":\n";
    for (const Command &Sub : C.Commands)
      if (Sub.Group == Group)
        Out += entry(Sub.Name, Sub.Summary);
  }
  if (!C.Operands.empty())
    Out += "\nArguments:\n";
  for (const Operand &O : C.Operands)
    Out += entry(O.Name + (O.Repeats ? "..." : ""), O.Help);
  if (!C.Options.empty())
    Out += "\nOptions:\n";
  for (const Option &O : C.Options)
    Out += entry(namesOf(O), fullHelp(O));
  if (!C.Notes.empty())
    Out += '\n' + prose(C.Notes);
  return Out;
}

} // namespace kplan::cli
