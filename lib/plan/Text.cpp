//===- Text.cpp - Small helpers for text ----------------------------------===//

#include "plan/Text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kplan {

size_t utf8Length(std::string_view Text, size_t Position) {
  auto Byte = [&](size_t Offset) -> unsigned {
    size_t At = Position + Offset;
    return At < Text.size() ? static_cast<unsigned char>(Text[At]) : 0;
  };
  auto Continues = [&](size_t Offset) { return (Byte(Offset) & 0xC0) == 0x80; };
  unsigned Lead = Byte(0);
  if (Position >= Text.size())
    return 0;
  if (Lead < 0x80)
    return 1;
  if (Lead >= 0xC2 && Lead <= 0xDF)
    return Continues(1) ? 2 : 0;
  if (Lead >= 0xE0 && Lead <= 0xEF) {
    if (!Continues(1) || !Continues(2))
      return 0;
    bool Overlong = Lead == 0xE0 && Byte(1) < 0xA0;
    bool Surrogate = Lead == 0xED && Byte(1) > 0x9F;
    return Overlong || Surrogate ? 0 : 3;
  }
  if (Lead >= 0xF0 && Lead <= 0xF4) {
    if (!Continues(1) || !Continues(2) || !Continues(3))
      return 0;
    bool Overlong = Lead == 0xF0 && Byte(1) < 0x90;
    bool TooLarge = Lead == 0xF4 && Byte(1) > 0x8F;
    return Overlong || TooLarge ? 0 : 4;
  }
  return 0;
}

std::optional<size_t> findNonText(std::string_view Text) {
  for (size_t I = 0; I < Text.size();) {
    auto C = static_cast<unsigned char>(Text[I]);
    if (C >= 0x20 && C < 0x7F) {
      ++I;
      continue;
    }
    bool LineEnd =
        C == '\n' || (C == '\r' && I + 1 < Text.size() && Text[I + 1] == '\n');
    if (LineEnd || C == '\t') {
      ++I;
      continue;
    }
    size_t Length = C < 0x80 ? 0 : utf8Length(Text, I);
    if (!Length)
      return I;
    I += Length;
  }
  return std::nullopt;
}

std::string describeByte(uint8_t Byte) {
  static constexpr char Digits[] = "0123456789abcdef";
  return std::string("byte 0x") + Digits[Byte >> 4] + Digits[Byte & 15];
}

std::string quoteForMessage(std::string_view Text) {
  constexpr size_t MaxBytes = 60;
  std::string Out = "'";
  for (size_t I = 0; I < Text.size();) {
    if (I >= MaxBytes) {
      Out += "...";
      break;
    }
    auto C = static_cast<unsigned char>(Text[I]);
    size_t Length = utf8Length(Text, I);
    if (C == '\n') {
      Out += "\\n";
      ++I;
    } else if (C < 0x20 || C == 0x7F || !Length) {
      static constexpr char Digits[] = "0123456789abcdef";
      Out += {'\\', 'x', Digits[C >> 4], Digits[C & 15]};
      ++I;
    } else {
      Out += Text.substr(I, Length);
      I += Length;
    }
  }
  return Out += '\'';
}

std::string jsonString(std::string_view Text) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Out = "\"";
  for (size_t I = 0; I < Text.size();) {
    size_t Length = utf8Length(Text, I);
    auto C = static_cast<unsigned char>(Text[I]);
    if (!Length) {
      Out += "\xEF\xBF\xBD"; // U+FFFD
      Length = 1;
    } else if (C == '"' || C == '\\') {
      (Out += '\\') += static_cast<char>(C);
    } else if (C == '\n') {
      Out += "\\n";
    } else if (C < 0x20) {
      Out += "\\u00";
      Out += {Digits[C >> 4], Digits[C & 15]};
    } else {
      Out += Text.substr(I, Length);
    }
    I += Length;
  }
  return Out += '"';
}

std::string joinAlternatives(const std::vector<std::string_view> &Words) {
  std::string Out;
  for (size_t I = 0; I < Words.size(); ++I) {
    if (I)
      Out += I + 1 == Words.size() ? " or " : ", ";
    Out += Words[I];
  }
  return Out;
}

/// Levenshtein's distance.
static size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<size_t> Row(B.size() + 1);
  std::iota(Row.begin(), Row.end(), size_t(0));
  for (size_t I = 1; I <= A.size(); ++I) {
    size_t Diagonal = std::exchange(Row[0], I);
    for (size_t J = 1; J <= B.size(); ++J) {
      size_t Replace = Diagonal + (A[I - 1] != B[J - 1]);
      Diagonal = Row[J];
      Row[J] = std::min({Row[J] + 1, Row[J - 1] + 1, Replace});
    }
  }
  return Row.back();
}

std::string_view nearest(std::string_view Word,
                         const std::vector<std::string_view> &Words) {
  std::string_view Best;
  // A long word is no misspelling of a key, and would cost time.
  if (Word.size() > 64)
    return Best;
  size_t BestDistance = std::max<size_t>(Word.size() / 3, 1) + 1;
  for (std::string_view Candidate : Words) {
    size_t Distance = editDistance(Word, Candidate);
    if (Distance < BestDistance && Distance < Candidate.size()) {
      Best = Candidate;
      BestDistance = Distance;
    }
  }
  return Best;
}

} // namespace kplan
