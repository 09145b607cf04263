//===- LoadOptions.h - Looking up options of loads ------------------------===//
//
// Part of kplan. Lookups over LoadOptions.def.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_LOADOPTIONS_H
#define KPLAN_IMAGE_LOADOPTIONS_H

#include <string_view>

namespace kplan::image {

enum class OptionClass { Semantic, Output, Neutral, Pointer };

struct LoadOption {
  std::string_view PlanName;
  unsigned Number;
  OptionClass Class;
};

inline constexpr LoadOption JitOptions[] = {
#define KPLAN_JIT_OPTION(Number, PlanName, Class)                              \
  {PlanName, Number, OptionClass::Class},
#include "image/LoadOptions.def"
};

inline constexpr LoadOption LibraryOptions[] = {
#define KPLAN_LIBRARY_OPTION(Number, PlanName, Class)                          \
  {PlanName, Number, OptionClass::Class},
#include "image/LoadOptions.def"
};

/// By CUjit_option. Null: not known.
constexpr const LoadOption *findJitOption(unsigned Number) {
  for (const LoadOption &Option : JitOptions)
    if (Option.Number == Number)
      return &Option;
  return nullptr;
}

/// By CUlibraryOption. Null: not known.
constexpr const LoadOption *findLibraryOption(unsigned Number) {
  for (const LoadOption &Option : LibraryOptions)
    if (Option.Number == Number)
      return &Option;
  return nullptr;
}

/// By its name in a plan. Null: not known.
constexpr const LoadOption *findJitOption(std::string_view PlanName) {
  for (const LoadOption &Option : JitOptions)
    if (Option.PlanName == PlanName)
      return &Option;
  return nullptr;
}

} // namespace kplan::image

#endif // KPLAN_IMAGE_LOADOPTIONS_H
