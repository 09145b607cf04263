//===- EscapeReports.cpp - What escaped in the processes of a command -----===//

#include "EscapeReports.h"

#include "plan/Text.h"
#include "plan/YamlTree.h"

#include <charconv>
#include <optional>
#include <utility>

namespace kplan::tool {

static std::optional<YamlNode> member(YamlNode Of, std::string_view Name) {
  for (YamlEntry Entry : Of.entries())
    if (Entry.Key.text() == Name)
      return Entry.Value;
  return std::nullopt;
}

static std::string_view textOf(YamlNode Of, std::string_view Name) {
  auto Value = member(Of, Name);
  return Value ? Value->text() : std::string_view();
}

static uint64_t numberOf(YamlNode Of, std::string_view Name) {
  std::string_view Text = textOf(Of, Name);
  uint64_t Number = 0;
  std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Number;
}

Result<ProcessEscapes> readEscapeReport(std::string Json,
                                        std::string_view FileName) {
  // A process of the user's own wrote it, as one flow collection.
  YamlLimits Limits;
  Limits.MaxUnitBytes = Limits.MaxBytes;
  auto Tree = parseYaml(Json, FileName, Limits);
  if (!Tree)
    return Tree.errors();
  YamlNode Root = Tree->root();
  ProcessEscapes Report;
  Report.Process = textOf(Root, "process");
  Report.Program = textOf(Root, "program");
  Report.WasSealed = numberOf(Root, "seals") != 0;
  Report.Total = numberOf(Root, "total");
  Report.Text = textOf(Root, "summary");
  if (auto Escapes = member(Root, "escapes"))
    for (YamlNode Escape : Escapes->items())
      (Report.Text += "\n  ") += textOf(Escape, "text");
  if (uint64_t More = numberOf(Root, "not_listed"))
    Report.Text +=
        "\n  ... and " + std::to_string(More) + " that are not listed";
  if (auto Notes = member(Root, "limits"))
    for (YamlNode Note : Notes->items())
      (Report.Text += "\nnote: ") += Note.text();
  while (Json.ends_with('\n'))
    Json.pop_back();
  Report.Json = std::move(Json);
  return Report;
}

std::string reportAsText(const std::vector<ProcessEscapes> &Reports) {
  std::string Text;
  for (const ProcessEscapes &R : Reports)
    Text += "process " + R.Process + " (" + R.Program + "): " + R.Text + '\n';
  if (Reports.empty())
    Text = "no process called the CUDA driver\n";
  return Text;
}

std::string reportAsJson(const std::vector<ProcessEscapes> &Reports,
                         const std::vector<std::string> &Command, int Exit) {
  std::string Text =
      "{\"kplan\": " + jsonString(KPLAN_VERSION) + ",\n\"command\": [";
  bool First = true;
  for (const std::string &Word : Command) {
    Text += (First ? "" : ", ") + jsonString(Word);
    First = false;
  }
  Text +=
      "],\n\"exit_status\": " + std::to_string(Exit) + ",\n\"processes\": [";
  First = true;
  for (const ProcessEscapes &R : Reports) {
    Text += (First ? "\n" : ",\n") + R.Json;
    First = false;
  }
  return Text + "]}\n";
}

} // namespace kplan::tool
