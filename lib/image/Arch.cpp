//===- Arch.cpp - Architectures of device code ----------------------------===//

#include "image/Arch.h"

#include <charconv>

namespace kplan::image {

std::string Arch::name() const {
  std::string Name = "sm_" + std::to_string(Number);
  if (Suffix)
    Name += Suffix;
  return Name;
}

std::optional<Arch> parseArch(std::string_view Name) {
  constexpr std::string_view Prefix = "sm_";
  if (!Name.starts_with(Prefix))
    return std::nullopt;
  Name.remove_prefix(Prefix.size());
  Arch A;
  if (Name.ends_with('a') || Name.ends_with('f')) {
    A.Suffix = Name.back();
    Name.remove_suffix(1);
  }
  const char *Begin = Name.begin(), *End = Name.end();
  auto Parsed = std::from_chars(Begin, End, A.Number);
  if (Parsed.ec != std::errc() || Parsed.ptr != End || A.Number < 10 ||
      A.Number > 999)
    return std::nullopt;
  return A;
}

static bool sameMajorFrom(unsigned First, unsigned Device) {
  return First / 10 == Device / 10 && First <= Device;
}

bool cubinRunsOn(Arch Of, unsigned Device) {
  return Of.Suffix == 'a' ? Of.Number == Device
                          : sameMajorFrom(Of.Number, Device);
}

Result<Arch> archForPtx(Arch Target, Arch Wanted) {
  switch (Target.Suffix) {
  case 'a':
    if (Target.Number == Wanted.Number && Wanted.Suffix != 'f')
      return Target;
    return makeError("PTX for " + Target.name() + " cannot be compiled for " +
                         Wanted.name(),
                     "it runs on that architecture alone");
  case 'f':
    if (sameMajorFrom(Target.Number, Wanted.Number))
      return Wanted.Suffix ? Wanted : Arch{Wanted.Number, 'f'};
    return makeError("PTX for " + Target.name() + " cannot be compiled for " +
                         Wanted.name(),
                     "it runs on that family of architectures alone");
  default:
    if (Target.Number <= Wanted.Number)
      return Wanted;
    return makeError("PTX for " + Target.name() +
                         " cannot be compiled for the older " + Wanted.name(),
                     "leave that architecture out");
  }
}

} // namespace kplan::image
