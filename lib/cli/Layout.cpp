//===- Layout.cpp - What help and manual pages share ----------------------===//

#include "cli/Layout.h"

#include <algorithm>

namespace kplan::cli {

std::vector<Block> blocksOf(std::string_view Text) {
  std::vector<Block> Blocks;
  bool Begins = true;
  while (!Text.empty()) {
    std::string_view Line = Text.substr(0, Text.find('\n'));
    Text.remove_prefix(std::min(Text.size(), Line.size() + 1));
    if (Line.empty()) {
      Begins = true;
      continue;
    }
    const auto Kind = Line.starts_with("  ") ? Block::Kind::Verbatim
                      : Line.ends_with(':') && Text.starts_with("  ")
                          ? Block::Kind::Heading
                          : Block::Kind::Paragraph;
    if (Begins || Blocks.empty() || Blocks.back().What != Kind ||
        Kind == Block::Kind::Heading)
      Blocks.push_back({Kind, ""});
    std::string &To = Blocks.back().Text;
    if (Kind == Block::Kind::Verbatim)
      (To += Line) += '\n';
    else
      (To += To.empty() ? "" : " ") += Line;
    Begins = false;
  }
  return Blocks;
}

std::string usageOf(const Operand &O) {
  std::string Text = O.Name + (O.Repeats ? "..." : "");
  if (O.Kind == ValueKind::Command)
    Text = "[--] " + Text;
  return O.Required ? Text : '[' + Text + ']';
}

std::string valueOf(const Option &O) {
  if (O.Choices.empty())
    return O.Value;
  std::string Text;
  for (const std::string &Choice : O.Choices)
    Text += (Text.empty() ? "" : "|") + Choice;
  return Text;
}

std::string usageOf(const Option &O) {
  std::string Text = O.Names.back();
  if (!O.Value.empty())
    Text += (O.Choices.empty() ? ' ' : '=') + valueOf(O);
  return Text;
}

std::string usageOf(const Command &C, std::string_view Parent) {
  std::string Text = (Parent.empty() ? "" : std::string(Parent) + ' ') + C.Name;
  bool MayHaveMore = false;
  for (const Option &O : C.Options)
    if (O.Required)
      Text += ' ' + usageOf(O);
    else
      MayHaveMore = true;
  if (!C.Commands.empty())
    Text += " COMMAND";
  if (MayHaveMore)
    Text += " [OPTIONS]";
  for (const Operand &O : C.Operands)
    Text += ' ' + usageOf(O);
  return Text;
}

std::string fullHelp(const Option &O) {
  std::string Text = O.Help;
  if (O.Required)
    Text += " (required)";
  if (O.Repeats)
    Text += " (takes several)";
  if (!O.OnlyWith.empty())
    Text += " (with " + O.OnlyWith + ")";
  if (!O.Default.empty())
    Text += " [" + O.Default + "]";
  return Text;
}

std::vector<std::string> groupsOf(const Command &C) {
  std::vector<std::string> Groups;
  for (const Command &Sub : C.Commands)
    if (std::ranges::find(Groups, Sub.Group) == Groups.end())
      Groups.push_back(Sub.Group);
  return Groups;
}

} // namespace kplan::cli
