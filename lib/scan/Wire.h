//===- Wire.h - Bytes between a scan and its workers ----------------------===//
//
// Part of kplan. Numbers and strings, byte for byte (paths and source text
// need not be UTF-8). Both ends are the same program on the same machine, so
// there are no versions and no byte order to care about; but a worker may have
// died half way, so a reader believes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_WIRE_H
#define KPLAN_SCAN_WIRE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

class WireWriter {
public:
  void number(uint64_t N);
  void text(std::string_view Text);
  void texts(const std::vector<std::string> &Texts);
  std::string take() { return std::move(Bytes); }

private:
  std::string Bytes;
};

/// Once a read fails, all that follow give zero or nothing, and complete() is
/// false: check that once, at the end.
class WireReader {
public:
  explicit WireReader(std::string_view Bytes) : Rest(Bytes) {}

  uint64_t number();
  std::string text();
  std::vector<std::string> texts();
  /// A number of elements that follow, each of one byte or more.
  uint64_t count();
  /// Everything was read, and nothing failed.
  bool complete() const { return !Failed && Rest.empty(); }

private:
  std::string_view Rest;
  bool Failed = false;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_WIRE_H
