//===- Text.h - Small helpers for text ------------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_TEXT_H
#define KPLAN_PLAN_TEXT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan {

/// Length of the valid UTF-8 sequence at `Position`; 0: there is none.
size_t utf8Length(std::string_view Text, size_t Position);

/// Position of the first byte that has no business in a text file: a control
/// character other than tab and line ends, or what is not UTF-8.
std::optional<size_t> findNonText(std::string_view Text);

/// "byte 0x00".
std::string describeByte(uint8_t Byte);

/// 'text', shortened and with control characters escaped, for a message.
std::string quoteForMessage(std::string_view Text);

/// In JSON's quotes. Bytes that are not UTF-8 become U+FFFD.
std::string jsonString(std::string_view Text);

/// "a, b or c".
std::string joinAlternatives(const std::vector<std::string_view> &Words);

/// The word that was probably meant; empty where none is near.
std::string_view nearest(std::string_view Word,
                         const std::vector<std::string_view> &Words);

} // namespace kplan

#endif // KPLAN_PLAN_TEXT_H
