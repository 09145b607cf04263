//===- CommandTest.cpp ----------------------------------------------------===//

#include "cli/Command.h"
#include "cli/Layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::cli;
using testing::HasSubstr;
using testing::Not;

namespace {

Option option(std::vector<std::string> Names, std::string Value,
              std::string Help) {
  Option O;
  O.Names = std::move(Names);
  O.Value = std::move(Value);
  O.Help = std::move(Help);
  return O;
}

/// A program with one command.
Command program() {
  Command Sub;
  Sub.Name = "send";
  Sub.Summary = "Send what's there [all: of it]";
  Sub.Group = "Doing";
  Sub.Notes = "One line\nand its end.\n\nExample:\n  tool send  a b\n";
  Option To = option({"-t", "--to"}, "FILE", "Where it's to go");
  To.Kind = ValueKind::File;
  To.Required = true;
  Option How = option({"--how"}, "TEXT", "In which way");
  How.Choices = {"slow", "fast"};
  How.Default = "slow";
  Option Quiet = option({"--quiet"}, "", "Say nothing");
  Sub.Options = {To, How, Quiet};
  Sub.Operands = {{"COMMAND", ValueKind::Command, "What to run", true, true}};
  Command C;
  C.Name = "tool";
  C.Summary = "Does things";
  C.Description = "About it.";
  C.Options = {option({"--version"}, "", "Print the version")};
  C.Commands = {Sub};
  return C;
}

TEST(Blocks, KeepWhatIsIndented) {
  auto Blocks = blocksOf("a\nb\n\nList:\n  c\n    d\n\n  e\n");
  ASSERT_EQ(Blocks.size(), 4u);
  EXPECT_EQ(Blocks[0].Text, "a b");
  EXPECT_EQ(Blocks[1].What, Block::Kind::Heading);
  EXPECT_EQ(Blocks[2].Text, "  c\n    d\n");
  EXPECT_EQ(Blocks[3].Text, "  e\n");
}

TEST(HelpText, ListsCommandsByGroup) {
  EXPECT_EQ(helpText(program()),
            "Does things.\n\nUsage: tool COMMAND [OPTIONS]\n\nAbout it.\n\n"
            "Doing:\n  send                  Send what's there [all: of it]\n\n"
            "Options:\n      --version         Print the version\n");
}

TEST(HelpText, OfACommand) {
  EXPECT_EQ(helpText(program().Commands[0], "tool"),
            "Send what's there [all: of it].\n\n"
            "Usage: tool send --to FILE [OPTIONS] [--] COMMAND...\n\n"
            "Arguments:\n  COMMAND...            What to run\n\n"
            "Options:\n"
            "  -t, --to FILE         Where it's to go (required)\n"
            "      --how=slow|fast   In which way [slow]\n"
            "      --quiet           Say nothing\n\n"
            "One line and its end.\n\nExample:\n  tool send  a b\n");
}

TEST(HelpText, BreaksLinesBetweenWords) {
  Command C = program().Commands[0];
  C.Options = {option({"--long"}, "VALUE-WITH-A-LONG-NAME",
                      "A help that is so long that it does not fit on one line "
                      "of a terminal at all")};
  EXPECT_THAT(
      helpText(C, "tool"),
      HasSubstr("      --long VALUE-WITH-A-LONG-NAME\n"
                "                        A help that is so long that it "
                "does not fit on one line\n"
                "                        of a terminal at all\n"));
}

TEST(ManPage, EscapesWhatRoffWouldRead) {
  Command C = program();
  C.Description = ".dangerous\\n 'line'";
  std::string Page = manPage(C, "1.0");
  EXPECT_THAT(Page, HasSubstr("\n\\&.dangerous\\en 'line'\n"));
  EXPECT_THAT(Page, HasSubstr("tool \\- does things\n"));
  EXPECT_THAT(Page, HasSubstr("\\fB\\-t\\fR, \\fB\\-\\-to\\fR \\fIFILE\\fR\n"));
  EXPECT_THAT(Page, HasSubstr(".nf\n  tool send  a b\n.fi\n"));
}

TEST(ZshCompletion, QuotesDescriptions) {
  std::string Text = zshCompletion(program());
  EXPECT_THAT(Text, HasSubstr("'send:Send what'\\''s there [all\\: of it]'"));
  EXPECT_THAT(Text,
              HasSubstr("'(-t --to)--to=[Where it'\\''s to go]:FILE:_files'"));
  EXPECT_THAT(Text,
              HasSubstr("'(--how)--how=[In which way]:TEXT:(slow fast)'"));
}

TEST(FishCompletion, HasALineForEachOption) {
  std::string Text = fishCompletion(program());
  EXPECT_THAT(Text,
              HasSubstr("complete -c tool -n '__fish_seen_subcommand_from "
                        "send' -s t -l to -r -F -d 'Where it\\'s to go'"));
  EXPECT_THAT(Text, HasSubstr(" -l how -x -a 'slow fast' -d 'In which way'"));
}

TEST(Completions, OfAProgramWithoutCommands) {
  Command C = program().Commands[0];
  for (std::string_view Shell : {"bash", "zsh", "fish"}) {
    auto Text = generate(C, Shell, "1.0");
    ASSERT_TRUE(Text);
    EXPECT_THAT(*Text, HasSubstr("quiet"));
    EXPECT_THAT(*Text, Not(HasSubstr("use_subcommand")));
  }
  EXPECT_FALSE(generate(C, "tcsh", "1.0"));
}

} // namespace
