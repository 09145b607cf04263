//===- Json.h - JSON out --------------------------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_JSON_H
#define KPLAN_TOOLS_KPLAN_JSON_H

#include "plan/YamlTree.h"

#include <string>

namespace kplan::tool {

/// A node as JSON, indented. Plain scalars that are numbers, booleans or null
/// in JSON are that, and hexadecimal integers become decimal; everything else
/// is a string.
std::string jsonText(YamlNode Node);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_JSON_H
