//===- Event.cpp - What a recording holds ---------------------------------===//

#include "trace/Event.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace kplan::trace {

namespace {

bool isPlain(char C) {
  return C > ' ' && C <= '~' && C != '%' && C != ',' && C != '=';
}

void appendEscaped(std::string &To, std::string_view Text) {
  for (char C : Text) {
    auto Byte = static_cast<unsigned char>(C);
    if (isPlain(C))
      To += C;
    else if (Byte)
      (To += '%') +=
          {"0123456789ABCDEF"[Byte >> 4], "0123456789ABCDEF"[Byte & 15]};
  }
}

std::optional<std::string> unescape(std::string_view Text) {
  std::string Out;
  Out.reserve(Text.size());
  for (size_t I = 0; I < Text.size(); ++I) {
    if (isPlain(Text[I])) {
      Out += Text[I];
      continue;
    }
    unsigned Byte = 0;
    const char *Digits = Text.data() + I + 1;
    if (Text[I] != '%' || Text.size() - I < 3 ||
        std::from_chars(Digits, Digits + 2, Byte, 16).ptr != Digits + 2 ||
        Byte == 0) // all are C strings
      return std::nullopt;
    Out += static_cast<char>(Byte);
    I += 2;
  }
  return Out;
}

class FieldWriter {
public:
  explicit FieldWriter(std::string &Line) : Line(Line) {}

  template <class N> void operator()(std::string_view Key, const N &Number) {
    if (Number)
      begin(Key) += std::to_string(Number);
  }
  void operator()(std::string_view Key, const std::string &Text) {
    if (!Text.empty())
      appendEscaped(begin(Key), Text);
  }
  void operator()(std::string_view Key, const std::vector<std::string> &List) {
    for (const std::string &Item : List) {
      appendEscaped(&Item == List.data() ? begin(Key) : Line += ',', Item);
    }
  }

private:
  std::string &begin(std::string_view Key) {
    Line += ' ';
    Line += Key;
    return Line += '=';
  }

  std::string &Line;
};

using Fields = std::map<std::string_view, std::string_view>;

/// Takes each field that it is asked for; good() when all were taken and none
/// was malformed.
class FieldReader {
public:
  explicit FieldReader(Fields From) : From(std::move(From)) {}
  bool good() const { return Good && From.empty(); }

  template <class N> void operator()(std::string_view Key, N &Number) {
    auto Text = take(Key);
    if (!Text)
      return;
    auto [End, Error] =
        std::from_chars(Text->data(), Text->data() + Text->size(), Number);
    Good &= Error == std::errc() && End == Text->data() + Text->size();
  }
  void operator()(std::string_view Key, std::string &To) {
    if (auto Text = take(Key))
      put(*Text, To);
  }
  void operator()(std::string_view Key, std::vector<std::string> &To) {
    auto Text = take(Key);
    for (size_t Begin = 0; Text && Begin <= Text->size();) {
      size_t End = std::min(Text->find(',', Begin), Text->size());
      put(Text->substr(Begin, End - Begin), To.emplace_back());
      Begin = End + 1;
    }
  }

private:
  std::optional<std::string_view> take(std::string_view Key) {
    auto Found = From.extract(Key);
    if (Found.empty())
      return std::nullopt;
    return Found.mapped();
  }
  void put(std::string_view Text, std::string &To) {
    auto Plain = unescape(Text);
    Good &= Plain.has_value();
    To = Plain.value_or("");
  }

  Fields From;
  bool Good = true;
};

std::optional<Fields> splitFields(std::string_view Text) {
  Fields Out;
  while (!Text.empty()) {
    std::string_view Field = Text.substr(0, Text.find(' '));
    Text.remove_prefix(std::min(Text.size(), Field.size() + 1));
    size_t Equals = Field.find('=');
    if (Equals == Field.npos ||
        !Out.emplace(Field.substr(0, Equals), Field.substr(Equals + 1)).second)
      return std::nullopt;
  }
  return Out;
}

template <size_t Index>
std::optional<Event> decodeAs(std::string_view Word, Fields &&From) {
  if constexpr (Index < std::variant_size_v<Event>) {
    std::variant_alternative_t<Index, Event> E;
    if (E.Word != Word)
      return decodeAs<Index + 1>(Word, std::move(From));
    FieldReader Reader(std::move(From));
    E.visit(Reader);
    if (!Reader.good())
      return std::nullopt;
    return Event(std::move(E));
  }
  return std::nullopt;
}

} // namespace

bool onlyUnpacks(const DriverEvent &Driver, std::string_view Api) {
  return Driver.Loading == "lazy" && Api.starts_with("cuLibraryLoad");
}

std::string encode(const Event &E) {
  std::string Line;
  std::visit(
      [&](auto Copy) {
        Line = Copy.Word;
        Copy.visit(FieldWriter(Line));
      },
      E);
  return Line += '\n';
}

std::optional<Event> decode(std::string_view Line) {
  std::string_view Word = Line.substr(0, Line.find(' '));
  Line.remove_prefix(std::min(Line.size(), Word.size() + 1));
  auto From = splitFields(Line);
  if (!From)
    return std::nullopt;
  return decodeAs<0>(Word, std::move(*From));
}

} // namespace kplan::trace
