//===- Wire.cpp - Bytes between a scan and its workers --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Wire.h"

#include <cstring>

namespace kplan::scan {

void WireWriter::number(uint64_t N) {
  Bytes.append(reinterpret_cast<const char *>(&N), sizeof N);
}

void WireWriter::text(std::string_view Text) {
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
  if (Failed || Rest.size() < sizeof N) {
    Failed = true;
    return 0;
  }
  std::memcpy(&N, Rest.data(), sizeof N);
  Rest.remove_prefix(sizeof N);
  return N;
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
  uint64_t Size = count();
  std::string Text(Rest.substr(0, Size));
  Rest.remove_prefix(Size);
  return Text;
}

std::vector<std::string> WireReader::texts() {
  std::vector<std::string> Texts;
  for (uint64_t N = count(); N > 0 && !Failed; --N)
    Texts.push_back(text());
  return Texts;
}

} // namespace kplan::scan
