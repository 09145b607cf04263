//===- Json.cpp - JSON out ------------------------------------------------===//

#include "Json.h"

#include "plan/Text.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace kplan::tool {

/// JSON's grammar of numbers, which is narrower than YAML's.
static bool isJsonNumber(std::string_view Text) {
  auto SkipDigits = [&] {
    size_t Count = 0;
    while (!Text.empty() && Text[0] >= '0' && Text[0] <= '9') {
      Text.remove_prefix(1);
      ++Count;
    }
    return Count;
  };
  if (Text.starts_with('-'))
    Text.remove_prefix(1);
  bool LeadingZero = Text.starts_with('0');
  size_t Whole = SkipDigits();
  if (!Whole || (LeadingZero && Whole > 1))
    return false;
  if (Text.starts_with('.')) {
    Text.remove_prefix(1);
    if (!SkipDigits())
      return false;
  }
  if (Text.starts_with('e') || Text.starts_with('E')) {
    Text.remove_prefix(1);
    if (Text.starts_with('-') || Text.starts_with('+'))
      Text.remove_prefix(1);
    if (!SkipDigits())
      return false;
  }
  return Text.empty();
}

static std::string plainScalar(std::string_view Text) {
  if (Text == "true" || Text == "false" || isJsonNumber(Text))
    return std::string(Text);
  uint64_t Number = 0;
  if (Text.starts_with("0x")) {
    const char *End = Text.data() + Text.size();
    auto Parsed = std::from_chars(Text.data() + 2, End, Number, 16);
    if (Parsed.ec == std::errc() && Parsed.ptr == End)
      return std::to_string(Number);
  }
  return jsonString(Text);
}

static void append(std::string &Out, YamlNode Node, unsigned Indent) {
  auto NewLine = [&](unsigned Columns) {
    Out += '\n';
    Out.append(Columns, ' ');
  };
  switch (Node.kind()) {
  case YamlKind::Null:
    Out += "null";
    return;
  case YamlKind::Plain:
    Out += plainScalar(Node.text());
    return;
  case YamlKind::Quoted:
    Out += jsonString(Node.text());
    return;
  case YamlKind::Sequence:
  case YamlKind::Map:
    break;
  }
  bool Map = Node.isMap();
  if (!Node.size()) {
    Out += Map ? "{}" : "[]";
    return;
  }
  Out += Map ? '{' : '[';
  bool First = true;
  auto StartEntry = [&] {
    if (!First)
      Out += ',';
    First = false;
    NewLine(Indent + 2);
  };
  for (YamlNode Item : Node.items()) {
    StartEntry();
    append(Out, Item, Indent + 2);
  }
  for (YamlEntry Entry : Node.entries()) {
    StartEntry();
    Out += jsonString(Entry.Key.text()) + ": ";
    append(Out, Entry.Value, Indent + 2);
  }
  NewLine(Indent);
  Out += Map ? '}' : ']';
}

std::string jsonText(YamlNode Node) {
  std::string Out;
  append(Out, Node, 0);
  return Out += '\n';
}

} // namespace kplan::tool
