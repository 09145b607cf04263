//===- Sarif.cpp - Diagnostics for other tools ----------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/Sarif.h"

#include "plan/Text.h"
#include "plan/Warnings.h"

#include <cctype>
#include <string_view>

namespace kplan {

/// What stands for an error of the parser, which belongs to no warning.
static constexpr std::string_view ParseRule = "kplan-parse";

static const char *levelOf(Severity S) {
  switch (S) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "none";
}

/// A path as a URI reference: what RFC 3986 leaves plain, and `/`.
static std::string uriOf(std::string_view Path) {
  static constexpr char Digits[] = "0123456789ABCDEF";
  std::string Uri;
  for (unsigned char C : Path) {
    if (std::isalnum(C) || std::string_view("/-._~").find(
                               static_cast<char>(C)) != std::string_view::npos)
      Uri += static_cast<char>(C);
    else
      Uri += {'%', Digits[C >> 4], Digits[C & 15]};
  }
  return Uri;
}

static std::string location(const Diagnostic &D, const std::string &Root) {
  std::string Out = "{\"physicalLocation\": {\"artifactLocation\": {";
  const std::string Folder = Root + '/';
  if (!Root.empty() && D.File.starts_with(Folder))
    Out += "\"uri\": " + jsonString(uriOf(D.File.substr(Folder.size()))) +
           ", \"uriBaseId\": \"%SRCROOT%\"}";
  else if (D.File.starts_with('/'))
    Out += "\"uri\": " + jsonString("file://" + uriOf(D.File)) + '}';
  else
    Out += "\"uri\": " + jsonString(uriOf(D.File)) + '}';
  if (D.Line) {
    Out += ", \"region\": {\"startLine\": " + std::to_string(D.Line);
    if (D.Column)
      Out += ", \"startColumn\": " + std::to_string(D.Column);
    Out += '}';
  }
  return Out + "}}";
}

static std::string rules() {
  std::string Out = "          {\"id\": " + jsonString(ParseRule) +
                    ", \"shortDescription\": {\"text\": \"a file could not be "
                    "read as the compiler reads it\"}}";
  for (const WarningInfo &W : allWarnings())
    Out += ",\n          {\"id\": " + jsonString(W.Name) +
           ", \"shortDescription\": {\"text\": " + jsonString(W.Summary) + "}}";
  return Out;
}

std::string writeSarif(const std::vector<Diagnostic> &Diagnostics,
                       const std::string &Tool, const std::string &Version,
                       const std::string &Root) {
  std::string Out = "{\n"
                    "  \"$schema\": "
                    "\"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                    "  \"version\": \"2.1.0\",\n"
                    "  \"runs\": [\n"
                    "    {\n"
                    "      \"tool\": {\"driver\": {\"name\": " +
                    jsonString(Tool) + ", \"version\": " + jsonString(Version) +
                    ", \"rules\": [\n" + rules() + "\n      ]}},\n";
  if (!Root.empty())
    Out += "      \"originalUriBaseIds\": {\"%SRCROOT%\": {\"uri\": " +
           jsonString("file://" + uriOf(Root) + '/') + "}},\n";
  // Columns of a Diagnostic count bytes, which SARIF has no word for; in source
  // that is ASCII it is the same.
  Out += "      \"columnKind\": \"utf16CodeUnits\",\n      \"results\": [";
  const char *Separator = "\n";
  for (const Diagnostic &D : Diagnostics) {
    std::string Message = D.Message;
    if (!D.Hint.empty())
      Message += "; " + D.Hint;
    Out += std::string(Separator) + "        {\"ruleId\": " +
           jsonString(D.Option.empty() ? ParseRule : D.Option) +
           ", \"level\": \"" + levelOf(D.Level) +
           "\", \"message\": {\"text\": " + jsonString(Message) + '}';
    if (!D.File.empty())
      Out += ", \"locations\": [" + location(D, Root) + ']';
    Out += '}';
    Separator = ",\n";
  }
  return Out + "\n      ]\n    }\n  ]\n}\n";
}

} // namespace kplan
