//===- HtmlWriter.cpp - HTML out ------------------------------------------===//

#include "report/HtmlWriter.h"

#include "image/Sha256.h"
#include "plan/Text.h"

#include <charconv>

namespace kplan::report {

std::string htmlText(std::string_view Text) {
  std::string Out;
  Out.reserve(Text.size());
  for (size_t I = 0; I < Text.size();) {
    const size_t Length = utf8Length(Text, I);
    const auto Byte = static_cast<unsigned char>(Text[I]);
    switch (Byte) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\'':
      Out += "&#39;";
      break;
    default:
      if (Length == 0 || Byte < ' ' || Byte == 0x7f)
        Out += "\xEF\xBF\xBD";
      else
        Out += Text.substr(I, Length);
    }
    I += Length ? Length : 1;
  }
  return Out;
}

std::string cspHash(std::string_view Text) {
  const std::string Hex = image::sha256(image::ByteView(Text));
  std::string Bytes;
  for (size_t I = 0; I + 1 < Hex.size(); I += 2) {
    unsigned Byte = 0;
    std::from_chars(Hex.data() + I, Hex.data() + I + 2, Byte, 16);
    Bytes += static_cast<char>(Byte);
  }
  constexpr std::string_view Digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string Out = "sha256-";
  for (size_t I = 0; I < Bytes.size(); I += 3) {
    unsigned Three = 0;
    for (size_t J = 0; J < 3; ++J)
      Three = Three << 8 |
              (I + J < Bytes.size() ? static_cast<unsigned char>(Bytes[I + J])
                                    : 0U);
    for (size_t J = 0; J < 4; ++J)
      Out += I + J <= Bytes.size() ? Digits[Three >> (18 - 6 * J) & 63] : '=';
  }
  return Out;
}

std::string plural(uint64_t Count, const char *One, const char *Many) {
  return std::to_string(Count) + " " + (Count == 1 ? One : Many);
}

HtmlWriter &HtmlWriter::cell(std::string_view Class, std::string_view Label) {
  Out += "<td";
  if (!Class.empty())
    (Out += " class=\"") += htmlText(Class) + '"';
  if (!Label.empty())
    (Out += " data-label=\"") += htmlText(Label) + '"';
  Out += '>';
  return *this;
}

HtmlWriter &HtmlWriter::name(std::string_view Class, const std::string &Name,
                             size_t MostBytes) {
  *this << "<span class=\"" << Class;
  if (Name.size() <= MostBytes)
    return (*this << "\">").text(Name) << "</span>";
  // Not within a character.
  size_t End = MostBytes;
  while (End && (static_cast<unsigned char>(Name[End]) & 0xC0) == 0x80)
    --End;
  (*this << "\" title=\"").text(Name) << "\">";
  return text(std::string_view(Name).substr(0, End)) << "…</span>";
}

HtmlWriter &HtmlWriter::symbol(const std::string &Symbol,
                               const std::string &Readable) {
  constexpr size_t MostOfSymbol = 120;
  name("name", Readable);
  if (Symbol != Readable)
    name("sub name", Symbol, MostOfSymbol);
  return *this;
}

void HtmlWriter::more(size_t Rows, const char *Where) {
  if (Rows > MostRows)
    *this << "<p class=\"more\">" << std::to_string(Rows - MostRows)
          << " more are not listed here; " << Where << " has all.</p>\n";
}

} // namespace kplan::report
