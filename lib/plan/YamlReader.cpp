//===- YamlReader.cpp - Strict conversion of nodes to values --------------===//

#include "plan/YamlReader.h"

#include "plan/YamlWriter.h"

#include <charconv>
#include <system_error>

namespace kplan {

void YamlReader::error(YamlMark Mark, std::string_view Message,
                       std::string Hint) {
  if (full())
    return;
  Diagnostic D;
  D.File = FileName;
  D.Line = Mark.Line;
  D.Column = Mark.Column;
  if (!CurrentKey.empty())
    D.Message = quoteForMessage(CurrentKey) + ": ";
  D.Message += Message;
  D.Hint = std::move(Hint);
  Errors.push_back(std::move(D));
}

std::string YamlReader::describe(YamlNode Node) {
  switch (Node.kind()) {
  case YamlKind::Null:
    return "nothing";
  case YamlKind::Plain:
    return quoteForMessage(Node.text());
  case YamlKind::Quoted:
    return "the string " + quoteForMessage(Node.text());
  case YamlKind::Sequence:
    return "a list";
  case YamlKind::Map:
    return "a map";
  }
  return {};
}

bool YamlReader::expect(bool Is, YamlNode Node, std::string_view What) {
  if (!Is)
    error(Node.mark(),
          "expected " + std::string(What) + ", found " + describe(Node));
  return Is;
}

std::optional<std::string> YamlReader::string(YamlNode Node) {
  if (!expect(Node.isScalar(), Node, "a string"))
    return std::nullopt;
  return std::string(Node.text());
}

std::optional<std::string> YamlReader::name(YamlNode Node) {
  auto Text = string(Node);
  if (Text && Text->empty()) {
    error(Node.mark(), "must not be empty");
    return std::nullopt;
  }
  return Text;
}

std::optional<bool> YamlReader::boolean(YamlNode Node) {
  if (Node.isPlain() && Node.text() == "true")
    return true;
  if (Node.isPlain() && Node.text() == "false")
    return false;
  expect(false, Node, "true or false");
  return std::nullopt;
}

static bool allDigits(std::string_view Text) {
  return !Text.empty() &&
         Text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The text of a decimal integer, well formed.
std::optional<std::string_view> YamlReader::number(YamlNode Node) {
  std::string_view Text = Node.text();
  std::string_view Digits = Text.substr(Text.starts_with('-') ? 1 : 0);
  if (Node.isPlain() && allDigits(Digits)) {
    if (Digits.size() == 1 || Digits[0] != '0')
      return Text;
    error(Node.mark(),
          "expected an integer, found " + quoteForMessage(Text) +
              ", which may be read as octal",
          "write it in decimal, without leading zeros");
    return std::nullopt;
  }
  std::string Hint;
  if (Node.kind() == YamlKind::Quoted && allDigits(Digits))
    Hint = "remove the quotes";
  else if (Node.isPlain() && !Digits.empty() && Digits[0] >= '0' &&
           Digits[0] <= '9')
    Hint = "integers are decimal digits, without prefix, exponent or separator";
  error(Node.mark(), "expected an integer, found " + describe(Node),
        std::move(Hint));
  return std::nullopt;
}

template <typename Integer>
static bool parseNumber(std::string_view Text, Integer &Out, int Base = 10) {
  auto Parsed =
      std::from_chars(Text.data(), Text.data() + Text.size(), Out, Base);
  return Parsed.ec == std::errc() && Parsed.ptr == Text.data() + Text.size();
}

std::optional<int64_t> YamlReader::integer(YamlNode Node, int64_t Min,
                                           int64_t Max) {
  auto Text = number(Node);
  if (!Text)
    return std::nullopt;
  int64_t Value = 0;
  if (parseNumber(*Text, Value) && Value >= Min && Value <= Max)
    return Value;
  error(Node.mark(), quoteForMessage(*Text) + " is out of range (" +
                         std::to_string(Min) + " to " + std::to_string(Max) +
                         ")");
  return std::nullopt;
}

std::optional<uint64_t> YamlReader::unsignedInteger(YamlNode Node,
                                                    uint64_t Max) {
  auto Text = number(Node);
  if (!Text)
    return std::nullopt;
  uint64_t Value = 0;
  if (parseNumber(*Text, Value) && Value <= Max)
    return Value;
  error(Node.mark(), quoteForMessage(*Text) + " is out of range (0 to " +
                         std::to_string(Max) + ")");
  return std::nullopt;
}

std::optional<uint64_t> YamlReader::offset(YamlNode Node) {
  if (!Node.isPlain() || !Node.text().starts_with("0x"))
    return unsignedInteger(Node);
  uint64_t Value = 0;
  if (parseNumber(Node.text().substr(2), Value, 16))
    return Value;
  error(Node.mark(), "expected an offset, found " + describe(Node));
  return std::nullopt;
}

std::optional<double> YamlReader::real(YamlNode Node) {
  std::string_view Text = Node.text();
  size_t Dot = Text.find('.');
  bool WellFormed =
      Node.isPlain() && allDigits(Text.substr(0, Dot)) &&
      (Dot == std::string_view::npos || allDigits(Text.substr(Dot + 1)));
  double Value = 0;
  if (WellFormed) {
    auto Parsed = std::from_chars(Text.data(), Text.data() + Text.size(), Value,
                                  std::chars_format::fixed);
    if (Parsed.ec == std::errc())
      return Value;
  }
  expect(false, Node, "a decimal number that is not negative");
  return std::nullopt;
}

std::vector<std::string> YamlReader::names(YamlNode Node) {
  std::vector<std::string> Out;
  sequence(Node, [&](YamlNode Item) {
    if (auto Name = name(Item))
      Out.push_back(std::move(*Name));
  });
  return Out;
}

void YamlReader::unknownKey(YamlNode Key, std::string_view What,
                            const std::vector<std::string_view> &Known) {
  std::string_view Near = nearest(Key.text(), Known);
  error(Key.mark(),
        "unknown key " + quoteForMessage(Key.text()) + " in " +
            std::string(What),
        Near.empty() ? "keys of your own begin with 'x-'"
                     : "did you mean " + quoteForMessage(Near) + "?");
}

void YamlReader::missingKey(YamlNode Map, std::string_view What,
                            std::string_view Key) {
  error(Map.mark(), std::string(What) + " needs " + quoteForMessage(Key));
}

void YamlReader::badEnumerator(YamlNode Node,
                               const std::vector<std::string_view> &Allowed) {
  std::string_view Near =
      Node.isScalar() ? nearest(Node.text(), Allowed) : std::string_view();
  error(Node.mark(),
        "expected " + joinAlternatives(Allowed) + ", found " + describe(Node),
        Near.empty() ? std::string()
                     : "did you mean " + quoteForMessage(Near) + "?");
}

bool YamlReader::addExtension(std::map<std::string, std::string> &Extra,
                              const YamlEntry &Entry) {
  if (!Entry.Key.text().starts_with("x-"))
    return false;
  Extra.emplace(Entry.Key.text(), flowText(Entry.Value));
  return true;
}

} // namespace kplan
