//===- Wire.h - Bytes between a scan and its workers ----------------------===//
//
// Part of kplan. Numbers and strings, byte for byte (paths and source text
// need not be UTF-8). Small numbers take one byte; a text that was written
// before is a number. Both ends are the same program, so there are no versions
// to care about; but a worker may have died half way, so a reader believes
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_WIRE_H
#define KPLAN_SCAN_WIRE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
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
  std::unordered_map<std::string, uint64_t> Known; ///< Texts, from 1.
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
  /// For what only the caller can tell to be wrong.
  void fail() { Failed = true; }
  bool good() const { return !Failed; }
  /// Everything was read, and nothing failed.
  bool complete() const { return !Failed && Rest.empty(); }

private:
  std::string_view Rest;
  std::vector<std::string_view> Known;
  bool Failed = false;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_WIRE_H
