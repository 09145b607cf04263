//===- YamlWriter.cpp - YAML out, the same bytes every time ---------------===//

#include "plan/YamlWriter.h"

#include "plan/Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace kplan {

static bool isDigit(char C) { return C >= '0' && C <= '9'; }
static bool isAlpha(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z');
}

/// True for "22.1.8": digits with at least two dots, no number anywhere.
static bool isVersion(std::string_view Text) {
  bool Digits = false;
  unsigned Dots = 0;
  for (char C : Text) {
    if (C == '.' && Digits)
      ++Dots;
    else if (!isDigit(C))
      return false;
    Digits = isDigit(C);
  }
  return Digits && Dots >= 2;
}

/// True for what some YAML reader takes for null or a boolean.
static bool isReserved(std::string_view Text) {
  static constexpr std::array<std::string_view, 9> Words = {
      "null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  return std::any_of(Words.begin(), Words.end(), [&](std::string_view Word) {
    return std::equal(Word.begin(), Word.end(), Text.begin(), Text.end(),
                      [](char A, char B) { return A == (B | 0x20); });
  });
}

/// Whether the characters allow a plain scalar at all, whatever it would mean.
static bool canBePlain(std::string_view Text, bool Flow) {
  if (Text.empty() || Text.front() == ' ' || Text.back() == ' ' ||
      Text.back() == ':')
    return false;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`=").find(Text.front()) !=
      std::string_view::npos)
    return false;
  // In flow style yaml-cpp ends a plain scalar at `?` as well.
  std::string_view Forbidden = Flow ? ",[]{}?" : "";
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    char Next = I + 1 < Text.size() ? Text[I + 1] : ' ';
    if (C < ' ' || C > '~' || Forbidden.find(C) != std::string_view::npos)
      return false;
    if (C == ':' && !isAlpha(Next) && !isDigit(Next) && (Flow || Next == ' '))
      return false;
    if (C == ' ' && Next == '#')
      return false;
  }
  return true;
}

/// Whether plain text is this string to every YAML reader.
static bool isPlainString(std::string_view Text, bool Flow) {
  if (!canBePlain(Text, Flow) || isReserved(Text))
    return false;
  // Numbers, dates and `...`; versions are none of them.
  char First = Text.front();
  if (isDigit(First) || First == '+' || First == '.')
    return isVersion(Text);
  return Text != "~" && Text != "<<";
}

static void appendEscape(std::string &Out, char Letter, unsigned Code,
                         unsigned Digits) {
  static constexpr char Hex[] = "0123456789abcdef";
  Out += '\\';
  Out += Letter;
  while (Digits--)
    Out += Hex[(Code >> (4 * Digits)) & 15];
}

static void appendQuoted(std::string &Out, std::string_view Text) {
  Out += '"';
  for (size_t I = 0; I < Text.size();) {
    size_t Length = utf8Length(Text, I);
    auto C = static_cast<unsigned char>(Text[I]);
    if (Length == 1) {
      if (C == '"' || C == '\\')
        (Out += '\\') += static_cast<char>(C);
      else if (C == '\n')
        Out += "\\n";
      else if (C == '\t')
        Out += "\\t";
      else if (C == '\r')
        Out += "\\r";
      else if (C < 0x20 || C == 0x7F)
        appendEscape(Out, 'x', C, 2);
      else
        Out += static_cast<char>(C);
    } else if (!Length) {
      Out += "\xEF\xBF\xBD"; // U+FFFD
      Length = 1;
    } else {
      std::string_view Sequence = Text.substr(I, Length);
      if (C == 0xC2 && static_cast<unsigned char>(Text[I + 1]) < 0xA0)
        appendEscape(Out, 'u', static_cast<unsigned char>(Text[I + 1]), 4);
      else if (Sequence == "\xE2\x80\xA8" || Sequence == "\xE2\x80\xA9")
        appendEscape(Out, 'u', 0x2000u + (Text[I + 2] & 0x3Fu), 4);
      else if (Sequence == "\xEF\xBB\xBF")
        appendEscape(Out, 'u', 0xFEFF, 4);
      else
        Out += Sequence;
    }
    I += Length;
  }
  Out += '"';
}

static void appendWord(std::string &Out, std::string_view Text, bool Flow) {
  if (isPlainString(Text, Flow))
    Out += Text;
  else
    appendQuoted(Out, Text);
}

template <typename... Args> static std::string numberText(Args... Arguments) {
  // The longest is a denormal in fixed notation.
  std::array<char, 1100> Buffer;
  auto End =
      std::to_chars(Buffer.data(), Buffer.data() + Buffer.size(), Arguments...);
  return std::string(Buffer.data(), End.ptr);
}

void YamlWriter::begin(bool Map, Style S) {
  bool Flow = S == Style::Flow || inFlow();
  if (Flow) {
    startValue();
    Out += Map ? '{' : '[';
    Frames.push_back({Map, true, false, 0, 0});
    return;
  }
  if (Frames.empty()) {
    Frames.push_back({Map, false, true, 0, 0});
    return;
  }
  // A list stands below its key without indentation, a map is indented. What
  // begins in a list goes on behind the dash.
  bool InMap = inMap();
  if (!InMap)
    startEntry();
  unsigned Indent = Frames.back().Indent + (InMap && !Map ? 0 : 2);
  Frames.push_back({Map, false, !InMap, Indent, 0});
}

void YamlWriter::end() {
  Frame F = Frames.back();
  Frames.pop_back();
  if (F.Flow) {
    Out += F.Map ? '}' : ']';
    return;
  }
  if (F.Count)
    return;
  if (inMap())
    Out += ' ';
  Out += F.Map ? "{}" : "[]";
}

void YamlWriter::startEntry() {
  Frame &F = Frames.back();
  bool First = F.Count++ == 0;
  if (F.Flow) {
    if (!First)
      Out += ", ";
    return;
  }
  if (!First || !F.Inline) {
    Out += '\n';
    Out.append(F.Indent, ' ');
  }
  if (!F.Map)
    Out += "- ";
}

void YamlWriter::startValue() {
  if (Frames.empty())
    return;
  if (Frames.back().Map)
    Out += ' ';
  else
    startEntry();
}

void YamlWriter::key(std::string_view Key) {
  startEntry();
  appendWord(Out, Key, inFlow());
  Out += ':';
}

void YamlWriter::word(std::string_view Text) {
  startValue();
  appendWord(Out, Text, inFlow());
}

void YamlWriter::quoted(std::string_view Text) {
  startValue();
  appendQuoted(Out, Text);
}

void YamlWriter::integer(int64_t Number) {
  startValue();
  Out += numberText(Number);
}

void YamlWriter::unsignedInteger(uint64_t Number) {
  startValue();
  Out += numberText(Number);
}

void YamlWriter::hexInteger(uint64_t Number) {
  startValue();
  Out += "0x" + numberText(Number, 16);
}

void YamlWriter::real(double Number) {
  startValue();
  Out += numberText(Number, std::chars_format::fixed);
}

void YamlWriter::boolean(bool B) {
  startValue();
  Out += B ? "true" : "false";
}

void YamlWriter::raw(std::string_view FlowText) {
  startValue();
  Out += FlowText;
}

std::string YamlWriter::take() {
  Out += '\n';
  Frames.clear();
  return std::exchange(Out, {});
}

static void appendFlow(std::string &Out, YamlNode Node) {
  const char *Separator = "";
  switch (Node.kind()) {
  case YamlKind::Null:
    Out += "null";
    return;
  case YamlKind::Plain:
    if (canBePlain(Node.text(), true)) {
      Out += Node.text();
      return;
    }
    // A negative number begins like a list, but is none.
    if (Node.text().size() > 1 && Node.text()[0] == '-' &&
        canBePlain(Node.text().substr(1), true)) {
      Out += Node.text();
      return;
    }
    [[fallthrough]];
  case YamlKind::Quoted:
    appendQuoted(Out, Node.text());
    return;
  case YamlKind::Sequence:
    Out += '[';
    for (YamlNode Item : Node.items()) {
      Out += std::exchange(Separator, ", ");
      appendFlow(Out, Item);
    }
    Out += ']';
    return;
  case YamlKind::Map:
    Out += '{';
    for (YamlEntry Entry : Node.entries()) {
      Out += std::exchange(Separator, ", ");
      appendFlow(Out, Entry.Key);
      Out += ": ";
      appendFlow(Out, Entry.Value);
    }
    Out += '}';
    return;
  }
}

std::string flowText(YamlNode Node) {
  std::string Out;
  appendFlow(Out, Node);
  return Out;
}

} // namespace kplan
