//===- PlanFields.h - Reading the members of a plan -----------------------===//
//
// Part of kplan; private to the plan's reader. read() converts a node to a
// member of whatever type, and the `into` family makes it an entry of a table
// of fields.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PLANFIELDS_H
#define KPLAN_PLAN_PLANFIELDS_H

#include "plan/Names.h"
#include "plan/Plan.h"
#include "plan/YamlReader.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kplan::fields {

void read(YamlReader &R, YamlNode N, std::string &Out);
void read(YamlReader &R, YamlNode N, bool &Out);
void read(YamlReader &R, YamlNode N, uint32_t &Out);
void read(YamlReader &R, YamlNode N, uint64_t &Out);
void read(YamlReader &R, YamlNode N, int64_t &Out);
void read(YamlReader &R, YamlNode N, double &Out);
void read(YamlReader &R, YamlNode N, SourcePosition &Out);
void read(YamlReader &R, YamlNode N, Value &Out);

void read(YamlReader &R, YamlNode N, Site &Out);
void read(YamlReader &R, YamlNode N, CompiledImage &Out);
void read(YamlReader &R, YamlNode N, Global &Out);
void read(YamlReader &R, YamlNode N, Module &Out);
void read(YamlReader &R, YamlNode N, UnresolvedSite &Out);
void read(YamlReader &R, YamlNode N, Conflict &Out);
void read(YamlReader &R, YamlNode N, TemplateSite &Out);
void read(YamlReader &R, YamlNode N, Stall &Out);
void read(YamlReader &R, YamlNode N, Producer &Out);

/// The whole lists, with what must be unique in them.
void readKernels(YamlReader &R, YamlNode N, Plan &Out);
void readImages(YamlReader &R, YamlNode N, Plan &Out);

/// A content id.
void readImageId(YamlReader &R, YamlNode N, std::string &Out);
/// A path that stays below the plan's folder.
void readInsidePath(YamlReader &R, YamlNode N, std::string &Out);
bool isHex(std::string_view Text, size_t Digits);

template <typename E>
std::enable_if_t<std::is_enum_v<E>> read(YamlReader &R, YamlNode N, E &Out) {
  if (auto V = R.enumerator<E>(N))
    Out = *V;
}

template <typename T>
void read(YamlReader &R, YamlNode N, std::optional<T> &Out) {
  T Value{};
  read(R, N, Value);
  Out = std::move(Value);
}

template <typename T>
void read(YamlReader &R, YamlNode N, std::vector<T> &Out) {
  R.sequence(N, [&](YamlNode Item) {
    T Value{};
    read(R, Item, Value);
    Out.push_back(std::move(Value));
  });
}

/// Reads a member whatever its type.
template <auto Member, typename T>
void into(YamlReader &R, YamlNode N, T &Out) {
  read(R, N, Out.*Member);
}

/// A string that must not be empty.
template <auto Member, typename T>
void nameInto(YamlReader &R, YamlNode N, T &Out) {
  if (auto V = R.name(N))
    Out.*Member = std::move(*V);
}

template <auto Member, typename T>
void namesInto(YamlReader &R, YamlNode N, T &Out) {
  Out.*Member = R.names(N);
}

} // namespace kplan::fields

#endif // KPLAN_PLAN_PLANFIELDS_H
