//===- Environment.cpp - The KPLAN_* variables ----------------------------===//

#include "Environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

using namespace kplan::runtime;

namespace {

constexpr double MostSeconds = 1e8; // three years

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

std::optional<double> parseSeconds(std::string_view Text) {
  double Seconds = 0;
  const char *End = Text.data() + Text.size();
  auto Parsed = std::from_chars(Text.data(), End, Seconds);
  if (Parsed.ec != std::errc() || Parsed.ptr != End || !(Seconds >= 0) ||
      Seconds > MostSeconds)
    return std::nullopt;
  return Seconds;
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
      E.Complaints.push_back("KPLAN_THREADS=" + std::string(Threads) +
                             " is no number: kplan chooses");
  }

  E.Report = variable("KPLAN_REPORT");
  E.Socket = isOn(variable("KPLAN_SOCKET"));

  std::string_view OnEscape = variable("KPLAN_ON_ESCAPE");
  if (OnEscape == "warn")
    E.OnEscape = EscapeAction::Warn;
  else if (OnEscape == "abort")
    E.OnEscape = EscapeAction::Abort;
  else if (!OnEscape.empty() && OnEscape != "count")
    E.Complaints.push_back("KPLAN_ON_ESCAPE=" + std::string(OnEscape) +
                           " is not count, warn or abort: escapes are counted");

  if (std::string_view After = variable("KPLAN_SEAL_AFTER"); !After.empty()) {
    E.SealAfter = parseSeconds(After);
    if (!E.SealAfter)
      E.Complaints.push_back("KPLAN_SEAL_AFTER=" + std::string(After) +
                             " is no number of seconds: it is not sealed");
  }
  return E;
}

const Environment &kplan::runtime::environment() {
  // Never destroyed: exit handlers of the program may still call.
  static const Environment *E = new Environment(readEnvironment());
  return *E;
}
