//===- Wire.cpp - Bytes between a scan and its workers --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Wire.h"

namespace kplan::scan {

// Seven bits a byte, the lowest first; all but the last have the eighth set.
void WireWriter::number(uint64_t N) {
  for (; N >= 0x80; N >>= 7)
    Bytes += static_cast<char>(0x80 | (N & 0x7f));
  Bytes += static_cast<char>(N);
}

void WireWriter::text(std::string_view Text) {
  auto [It, New] = Known.try_emplace(std::string(Text), Known.size() + 1);
  if (!New)
    return number(It->second);
  number(0);
  number(Text.size());
  Bytes += Text;
}

void WireWriter::texts(const std::vector<std::string> &Texts) {
  number(Texts.size());
  for (const std::string &Text : Texts)
    text(Text);
}

uint64_t WireReader::number() {
  uint64_t N = 0;
  for (unsigned Shift = 0; !Failed && !Rest.empty() && Shift < 64; Shift += 7) {
    const auto Byte = static_cast<unsigned char>(Rest.front());
    Rest.remove_prefix(1);
    N |= uint64_t(Byte & 0x7f) << Shift;
    if (Byte < 0x80)
      return N;
  }
  Failed = true;
  return 0;
}

uint64_t WireReader::count() {
  uint64_t N = number();
  if (N > Rest.size()) {
    Failed = true;
    return 0;
  }
  return N;
}

std::string WireReader::text() {
  const uint64_t Number = number();
  if (Failed || Number > Known.size()) {
    Failed = true;
    return {};
  }
  if (Number)
    return std::string(Known[Number - 1]);
  const uint64_t Size = count();
  Known.push_back(Rest.substr(0, Size));
  Rest.remove_prefix(Size);
  return std::string(Known.back());
}

std::vector<std::string> WireReader::texts() {
  std::vector<std::string> Texts;
  for (uint64_t N = count(); N > 0 && !Failed; --N)
    Texts.push_back(text());
  return Texts;
}

} // namespace kplan::scan
