//===- YamlReader.h - Strict conversion of nodes to values ----------------===//
//
// Part of kplan. Turns YAML nodes into values and collects every error on the
// way, each with its place and the key that it is about. Plans and fragments
// are read by tables of fields: a key that is in no table is an error.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_YAMLREADER_H
#define KPLAN_PLAN_YAMLREADER_H

#include "plan/Diagnostic.h"
#include "plan/Names.h"
#include "plan/Text.h"
#include "plan/YamlTree.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kplan {

class YamlReader;

enum class Presence : bool { Optional, Required };

/// One key of a map that becomes a T. `Read` reports what is wrong.
template <typename T> struct YamlField {
  std::string_view Key;
  Presence Needed;
  void (*Read)(YamlReader &, YamlNode, T &);
};

/// Each function that returns an optional or a bool has reported the error when
/// there is no value, or false.
class YamlReader {
public:
  explicit YamlReader(std::string_view FileName, unsigned MaxErrors = 20)
      : FileName(FileName), MaxErrors(MaxErrors) {}

  /// "'key': message", where a map's value is being read.
  void error(YamlMark Mark, std::string_view Message, std::string Hint = {});
  bool failed() const { return !Errors.empty(); }
  /// Enough errors: the rest of the input is skipped.
  bool full() const { return Errors.size() >= MaxErrors; }
  std::vector<Diagnostic> takeErrors() { return std::move(Errors); }

  std::optional<std::string> string(YamlNode Node);
  /// A string that is not empty.
  std::optional<std::string> name(YamlNode Node);
  std::optional<bool> boolean(YamlNode Node);
  /// Decimal. Octal, hexadecimal, exponents, separators and quotes are errors.
  std::optional<int64_t>
  integer(YamlNode Node, int64_t Min = std::numeric_limits<int64_t>::min(),
          int64_t Max = std::numeric_limits<int64_t>::max());
  std::optional<uint64_t>
  unsignedInteger(YamlNode Node,
                  uint64_t Max = std::numeric_limits<uint64_t>::max());
  /// Decimal, or hexadecimal with `0x`.
  std::optional<uint64_t> offset(YamlNode Node);
  /// Not negative, decimal, without exponent.
  std::optional<double> real(YamlNode Node);
  template <typename E> std::optional<E> enumerator(YamlNode Node);

  /// Calls `Each(Item)` for the items of a list.
  template <typename F> bool sequence(YamlNode Node, F Each);
  std::vector<std::string> names(YamlNode Node);

  /// Calls `Each(Key, Value)` for the entries of a map whose keys are names
  /// ("a map of limits").
  template <typename F>
  bool entries(YamlNode Node, std::string_view What, F Each);

  /// Reads a map by its fields. `What` names the thing for messages ("a site").
  /// Keys that begin with `x-` go to `Extra`; null: they are errors, too.
  template <typename T>
  bool map(YamlNode Node, std::string_view What,
           std::span<const YamlField<T>> Fields, T &Out,
           std::map<std::string, std::string> *Extra);

  /// Null, a list, ...: "found a list".
  static std::string describe(YamlNode Node);

private:
  bool expect(bool Is, YamlNode Node, std::string_view What);
  void unknownKey(YamlNode Key, std::string_view What,
                  const std::vector<std::string_view> &Known);
  void missingKey(YamlNode Map, std::string_view What, std::string_view Key);
  void badEnumerator(YamlNode Node,
                     const std::vector<std::string_view> &Allowed);
  std::optional<std::string_view> number(YamlNode Node);
  static bool addExtension(std::map<std::string, std::string> &Extra,
                           const YamlEntry &Entry);

  std::string FileName;
  unsigned MaxErrors;
  std::vector<Diagnostic> Errors;
  std::string_view CurrentKey; ///< Empty at the root.
};

template <typename E> std::optional<E> YamlReader::enumerator(YamlNode Node) {
  if (Node.isScalar())
    if (auto Found = fromName<E>(Node.text()))
      return Found;
  badEnumerator(Node, allNames<E>());
  return std::nullopt;
}

template <typename F> bool YamlReader::sequence(YamlNode Node, F Each) {
  if (!expect(Node.isSequence(), Node, "a list"))
    return false;
  for (YamlNode Item : Node.items()) {
    if (full())
      return false;
    Each(Item);
  }
  return true;
}

template <typename F>
bool YamlReader::entries(YamlNode Node, std::string_view What, F Each) {
  if (!expect(Node.isMap(), Node, What))
    return false;
  std::string_view Outer = CurrentKey;
  for (YamlEntry Entry : Node.entries()) {
    if (full())
      break;
    CurrentKey = Entry.Key.text();
    Each(Entry.Key, Entry.Value);
  }
  CurrentKey = Outer;
  return !full();
}

template <typename T>
bool YamlReader::map(YamlNode Node, std::string_view What,
                     std::span<const YamlField<T>> Fields, T &Out,
                     std::map<std::string, std::string> *Extra) {
  if (!expect(Node.isMap(), Node, What))
    return false;
  size_t Before = Errors.size();
  std::string_view Outer = CurrentKey;
  uint64_t Seen = 0; // one bit a field; no table has more than 64
  for (YamlEntry Entry : Node.entries()) {
    if (full())
      break;
    CurrentKey = Outer;
    std::string_view Key = Entry.Key.text();
    auto Field = std::find_if(Fields.begin(), Fields.end(),
                              [&](const auto &F) { return F.Key == Key; });
    if (Field != Fields.end()) {
      Seen |= uint64_t(1) << (Field - Fields.begin());
      CurrentKey = Field->Key;
      Field->Read(*this, Entry.Value, Out);
    } else if (!Extra || !addExtension(*Extra, Entry)) {
      std::vector<std::string_view> Known;
      for (const auto &F : Fields)
        Known.push_back(F.Key);
      unknownKey(Entry.Key, What, Known);
    }
  }
  CurrentKey = Outer;
  for (size_t I = 0; I < Fields.size() && !full(); ++I)
    if (Fields[I].Needed == Presence::Required && !(Seen >> I & 1))
      missingKey(Node, What, Fields[I].Key);
  return Errors.size() == Before;
}

} // namespace kplan

#endif // KPLAN_PLAN_YAMLREADER_H
