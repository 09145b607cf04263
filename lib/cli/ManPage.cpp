//===- ManPage.cpp - A command line as a page for man(1) ------------------===//

#include "cli/Command.h"
#include "cli/Layout.h"

#include <algorithm>
#include <cctype>

namespace kplan::cli {

namespace {

/// Text for roff: no requests in it, hyphens that can be copied.
std::string roff(std::string_view Text) {
  std::string Out;
  bool AtBegin = true;
  for (char C : Text) {
    if (AtBegin && (C == '.' || C == '\''))
      Out += "\\&";
    AtBegin = C == '\n';
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else
      Out += C;
  }
  return Out;
}

std::string upper(std::string Text) {
  std::ranges::transform(Text, Text.begin(), [](unsigned char C) {
    return static_cast<char>(std::toupper(C));
  });
  return Text;
}

void addProse(std::string &Out, std::string_view Text) {
  for (const Block &B : blocksOf(Text)) {
    if (B.What == Block::Kind::Heading)
      Out += ".PP\n.B " + roff(B.Text) + '\n';
    else if (B.What == Block::Kind::Verbatim)
      Out += ".PP\n.nf\n" + roff(B.Text) + ".fi\n";
    else
      Out += ".PP\n" + roff(B.Text) + '\n';
  }
}

void addOptions(std::string &Out, const Command &C) {
  for (const Operand &O : C.Operands)
    Out += ".TP\n.I " + roff(O.Name + (O.Repeats ? "..." : "")) + '\n' +
           roff(O.Help) + '\n';
  for (const Option &O : C.Options) {
    Out += ".TP\n";
    for (const std::string &Name : O.Names)
      Out +=
          (&Name == O.Names.data() ? "\\fB" : ", \\fB") + roff(Name) + "\\fR";
    if (!O.Value.empty())
      Out +=
          (O.Choices.empty() ? " \\fI" : "=\\fI") + roff(valueOf(O)) + "\\fR";
    Out += '\n' + roff(fullHelp(O)) + '\n';
  }
}

} // namespace

std::string manPage(const Command &C, std::string_view Version) {
  std::string Out = ".\\\" Made by " + C.Name + " --generate=man\n.TH " +
                    upper(roff(C.Name)) + " 1 \"\" \"" + roff(C.Name) + ' ' +
                    roff(Version) + "\" \"User Commands\"\n.SH NAME\n" +
                    roff(C.Name) + " \\- ";
  std::string Summary = C.Summary;
  if (!Summary.empty())
    Summary[0] =
        static_cast<char>(std::tolower(static_cast<unsigned char>(Summary[0])));
  Out += roff(Summary) + "\n.SH SYNOPSIS\n.nf\n" + roff(usageOf(C, "")) + '\n';
  for (const Command &Sub : C.Commands)
    Out += roff(usageOf(Sub, C.Name)) + '\n';
  Out += ".fi\n";
  if (!C.Description.empty()) {
    Out += ".SH DESCRIPTION\n";
    addProse(Out, C.Description);
  }
  if (!C.Options.empty() || !C.Operands.empty())
    Out += ".SH OPTIONS\n";
  addOptions(Out, C);
  if (!C.Commands.empty())
    Out += ".SH COMMANDS\n";
  for (const Command &Sub : C.Commands) {
    Out +=
        ".SS " + roff(usageOf(Sub, C.Name)) + '\n' + roff(Sub.Summary) + ".\n";
    addProse(Out, Sub.Description);
    addOptions(Out, Sub);
    addProse(Out, Sub.Notes);
  }
  if (!C.Notes.empty()) {
    Out += ".SH NOTES\n";
    addProse(Out, C.Notes);
  }
  return Out;
}

std::optional<std::string> generate(const Command &C, std::string_view What,
                                    std::string_view Version) {
  if (What == "bash")
    return bashCompletion(C);
  if (What == "zsh")
    return zshCompletion(C);
  if (What == "fish")
    return fishCompletion(C);
  if (What == "man")
    return manPage(C, Version);
  return std::nullopt;
}

} // namespace kplan::cli
