//===- Environment.cpp - The KPLAN_* variables ----------------------------===//

#include "Environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

using namespace kplan::runtime;

namespace {

std::string_view variable(const char *Name) {
  const char *Value = secure_getenv(Name);
  return Value ? Value : "";
}

bool isOn(std::string_view Value) { return !Value.empty() && Value != "0"; }
/// For what is on unless it is switched off.
bool isOff(std::string_view Value) { return Value == "0"; }

/// Where compiled plans are kept.
std::string cacheFolder() {
  std::string_view Given = variable("KPLAN_CACHE");
  if (Given == "off" || Given == "0")
    return {};
  if (!Given.empty())
    return std::string(Given);
  // Neither means anything where it is not absolute.
  if (std::string_view Xdg = variable("XDG_CACHE_HOME"); Xdg.starts_with('/'))
    return std::string(Xdg) + "/kplan";
  if (std::string_view Home = variable("HOME"); Home.starts_with('/'))
    return std::string(Home) + "/.cache/kplan";
  return {};
}

} // namespace

Environment kplan::runtime::readEnvironment() {
  Environment E;
  E.Disabled = isOn(variable("KPLAN_DISABLE"));
  E.Verbose = isOn(variable("KPLAN_VERBOSE"));
  E.Plan = variable("KPLAN_PLAN");
  E.CacheFolder = cacheFolder();
  E.Attributes = !isOff(variable("KPLAN_ATTRIBUTES"));
  E.LocalMemory = !isOff(variable("KPLAN_LOCAL_MEMORY"));
  if (std::string_view Threads = variable("KPLAN_THREADS"); !Threads.empty()) {
    auto [End, Error] = std::from_chars(
        Threads.data(), Threads.data() + Threads.size(), E.Threads);
    if (Error != std::errc() || End != Threads.data() + Threads.size())
      E.Complaint = "KPLAN_THREADS=" + std::string(Threads) +
                    " is no number: kplan chooses";
  }

  std::string_view OnEscape = variable("KPLAN_ON_ESCAPE");
  if (OnEscape == "warn") {
    E.OnEscape = EscapeAction::Warn;
  } else if (OnEscape == "abort") {
    E.OnEscape = EscapeAction::Warn;
    E.Complaint = "KPLAN_ON_ESCAPE=abort needs driver hooks, which link mode "
                  "does not have: escapes are reported at exit instead";
  } else if (!OnEscape.empty() && OnEscape != "count") {
    E.Complaint = "KPLAN_ON_ESCAPE=" + std::string(OnEscape) +
                  " is not count or warn: escapes are counted";
  }
  return E;
}

const Environment &kplan::runtime::environment() {
  // Never destroyed: exit handlers of the program may still call.
  static const Environment *E = new Environment(readEnvironment());
  return *E;
}
