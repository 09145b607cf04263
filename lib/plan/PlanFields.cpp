//===- PlanFields.cpp - Reading the members of a plan ---------------------===//

#include "plan/PlanFields.h"

#include "plan/PlanReader.h"

#include <limits>

namespace kplan::fields {

// Values that are no maps, each into a member of whatever type.

void read(YamlReader &R, YamlNode N, std::string &Out) {
  if (auto V = R.string(N))
    Out = std::move(*V);
}

void read(YamlReader &R, YamlNode N, bool &Out) {
  if (auto V = R.boolean(N))
    Out = *V;
}

void read(YamlReader &R, YamlNode N, uint32_t &Out) {
  if (auto V = R.unsignedInteger(N, std::numeric_limits<uint32_t>::max()))
    Out = static_cast<uint32_t>(*V);
}

void read(YamlReader &R, YamlNode N, uint64_t &Out) {
  if (auto V = R.unsignedInteger(N))
    Out = *V;
}

void read(YamlReader &R, YamlNode N, int64_t &Out) {
  if (auto V = R.integer(N))
    Out = *V;
}

void read(YamlReader &R, YamlNode N, double &Out) {
  if (auto V = R.real(N))
    Out = *V;
}

void read(YamlReader &R, YamlNode N, SourcePosition &Out) {
  auto Text = R.string(N);
  if (!Text)
    return;
  if (auto P = parsePosition(*Text))
    Out = std::move(*P);
  else
    R.error(N.mark(), "expected \"file:line:column\", found " + R.describe(N));
}

void read(YamlReader &R, YamlNode N, Value &Out) {
  if (N.isMap()) {
    static constexpr YamlField<AtMostValue> Fields[] = {
        {"at_most", Presence::Required,
         [](YamlReader &R, YamlNode N, AtMostValue &Out) {
           read(R, N, Out.Bound);
         }}};
    AtMostValue Limit;
    if (R.map<AtMostValue>(N, "a value", Fields, Limit, nullptr))
      Out = Limit;
    return;
  }
  std::string_view Text = N.text();
  if (N.isPlain() && Text == "max") {
    Out = MaxValue();
  } else if (N.isPlain() && !Text.empty() &&
             std::string_view("-0123456789").find(Text[0]) !=
                 std::string_view::npos) {
    if (auto V = R.integer(N))
      Out = *V;
  } else {
    R.error(N.mark(),
            "expected an integer, max or {at_most: N}, found " + R.describe(N));
  }
}

bool isHex(std::string_view Text, size_t Digits) {
  return Text.size() == Digits &&
         Text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void readImageId(YamlReader &R, YamlNode N, std::string &Out) {
  constexpr std::string_view Prefix = "xxh3:";
  auto Text = R.string(N);
  if (!Text)
    return;
  if (Text->starts_with(Prefix) && isHex(Text->substr(Prefix.size()), 32))
    Out = std::move(*Text);
  else
    R.error(N.mark(),
            "expected xxh3: and 32 hexadecimal digits, found " + R.describe(N));
}

void readInsidePath(YamlReader &R, YamlNode N, std::string &Out) {
  auto Text = R.string(N);
  if (!Text)
    return;
  if (staysInside(*Text))
    Out = std::move(*Text);
  else
    R.error(N.mark(),
            "expected a path below the plan's folder, found " + R.describe(N));
}

} // namespace kplan::fields
