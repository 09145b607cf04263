//===- Values.cpp - What options take -------------------------------------===//

#include "Values.h"

#include "plan/Text.h"

#include <charconv>
#include <cstdio>
#include <string>

namespace kplan::tool {

template <typename T> static bool parse(const std::string &Text, T &Out) {
  auto Parsed = std::from_chars(Text.data(), Text.data() + Text.size(), Out);
  return Parsed.ec == std::errc() && Parsed.ptr == Text.data() + Text.size();
}

CLI::Validator numberBetween(double Least, double Most) {
  return CLI::Validator(
      [=](std::string &Text) {
        double Value = 0;
        // Written so that "nan" is outside.
        if (parse(Text, Value) && Value >= Least && Value <= Most)
          return std::string();
        char Limits[80];
        std::snprintf(Limits, sizeof Limits,
                      " is no number between %.12g and %.12g", Least, Most);
        return quoteForMessage(Text) + Limits;
      },
      "");
}

CLI::Validator wholeNumber(int Least, const char *What) {
  return CLI::Validator(
      [=](std::string &Text) {
        int Value = 0;
        if (parse(Text, Value) && Value >= Least)
          return std::string();
        return quoteForMessage(Text) + " is no " + What;
      },
      "");
}

CLI::Validator fileName() {
  return CLI::Validator(
      [](std::string &Text) {
        return Text.empty() ? std::string("a file's name is missing")
                            : std::string();
      },
      "");
}

} // namespace kplan::tool
