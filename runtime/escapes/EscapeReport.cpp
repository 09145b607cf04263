//===- EscapeReport.cpp - Escapes as text and JSON ------------------------===//

#include "escapes/EscapeReport.h"

#include "plan/Text.h"

#include <array>
#include <cstdio>

using namespace kplan;
using namespace kplan::runtime;

namespace {

std::string milliseconds(double Value) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%.3f", Value);
  return Text;
}

/// How many entries there are of each kind, by count.
std::array<uint64_t, 3> countByKind(const EscapeLog &Log) {
  std::array<uint64_t, 3> Counts{};
  for (const Escape &E : Log.entries())
    Counts[static_cast<size_t>(E.Kind)] += E.Count;
  return Counts;
}

/// One JSON object, member by member, on one line.
class JsonObject {
public:
  JsonObject &add(std::string_view Name, std::string Value) {
    Text += First ? "{" : ", ";
    First = false;
    Text += jsonString(Name) + ": " + std::move(Value);
    return *this;
  }
  JsonObject &text(std::string_view Name, std::string_view Value) {
    return add(Name, jsonString(Value));
  }
  JsonObject &number(std::string_view Name, int64_t Value) {
    return add(Name, std::to_string(Value));
  }
  /// Negative stands for unknown.
  JsonObject &time(std::string_view Name, double Value) {
    return add(Name, Value < 0 ? "null" : milliseconds(Value));
  }
  std::string take() { return std::move(Text += First ? "{}" : "}"); }

private:
  std::string Text;
  bool First = true;
};

std::string entryAsJson(const Escape &E) {
  JsonObject O;
  O.text("kind", escapeKindName(E.Kind))
      .text("api", E.Api)
      .text("symbol", E.Symbol)
      .text("image", E.Image)
      .number("device", E.Device)
      .number("thread", E.Thread)
      .time("since_seal_ms", E.SinceSeal)
      .time("host_ms", E.HostMs)
      .number("count", static_cast<int64_t>(E.Count))
      .text("text", describe(E));
  return O.take();
}

std::string headline(const EscapeSituation &S, const EscapeLog &Log) {
  if (!S.Seals)
    return "the process was never sealed: nothing was counted";
  if (!Log.total())
    return "no escapes after the seal";
  auto Counts = countByKind(Log);
  std::string Line = std::to_string(Log.total()) +
                     (Log.total() == 1 ? " escape" : " escapes") +
                     " after the seal (";
  bool First = true;
  for (EscapeKind K : {EscapeKind::Load, EscapeKind::Touch, EscapeKind::Free}) {
    uint64_t Count = Counts[static_cast<size_t>(K)];
    if (!Count)
      continue;
    Line +=
        (First ? "" : ", ") + std::to_string(Count) + " " + escapeKindName(K);
    First = false;
  }
  return Line + "):";
}

} // namespace

std::string kplan::runtime::describe(const Escape &E) {
  std::string Line = escapeKindName(E.Kind);
  if (!E.Symbol.empty())
    Line += " " + E.Symbol;
  else if (E.Image.empty() && E.Kind == EscapeKind::Touch)
    Line += " (name unknown)";
  if (!E.Image.empty())
    Line += (E.Symbol.empty() ? " " : " of ") + E.Image;
  if (*E.Api)
    Line += std::string(" by ") + E.Api;
  if (E.Device >= 0)
    Line += " on device " + std::to_string(E.Device);
  if (E.Thread)
    Line += ", thread " + std::to_string(E.Thread);
  if (E.SinceSeal >= 0)
    Line += ", " + milliseconds(E.SinceSeal) + " ms after the seal";
  if (E.HostMs >= 0)
    Line += std::string(E.Count > 1 ? ", longest " : ", took ") +
            milliseconds(E.HostMs) + " ms";
  if (E.Count > 1)
    Line += ", " + std::to_string(E.Count) + " times";
  return Line;
}

std::string kplan::runtime::escapesAsText(const EscapeSituation &S,
                                          const EscapeLog &Log) {
  std::string Text = headline(S, Log);
  for (const Escape &E : Log.entries())
    Text += "\n  " + describe(E);
  if (Log.dropped())
    Text +=
        "\n  ... and " + std::to_string(Log.dropped()) + " that are not listed";
  for (const std::string &Line : S.Limits)
    Text += "\nnote: " + Line;
  return Text;
}

std::string kplan::runtime::escapesAsJson(const EscapeSituation &S,
                                          const EscapeLog &Log) {
  auto Counts = countByKind(Log);
  JsonObject ByKind;
  for (EscapeKind K : {EscapeKind::Load, EscapeKind::Touch, EscapeKind::Free})
    ByKind.number(escapeKindName(K),
                  static_cast<int64_t>(Counts[static_cast<size_t>(K)]));

  auto list = [](const auto &Items, auto AsJson) {
    std::string Text = "[";
    bool First = true;
    for (const auto &Item : Items) {
      Text += (First ? "\n    " : ",\n    ") + AsJson(Item);
      First = false;
    }
    return Text + (First ? "]" : "\n  ]");
  };
  auto line = [](std::string_view Name, const std::string &Value) {
    return "  " + jsonString(Name) + ": " + Value;
  };
  return "{\n" + line("kplan", jsonString(KPLAN_VERSION)) + ",\n" +
         line("process", std::to_string(S.Process)) + ",\n" +
         line("program", jsonString(S.Program)) + ",\n" +
         line("sealed", S.Sealed ? "true" : "false") + ",\n" +
         line("seals", std::to_string(S.Seals)) + ",\n" +
         line("launches_hooked", S.Launches ? "true" : "false") + ",\n" +
         line("summary", jsonString(headline(S, Log))) + ",\n" +
         line("total", std::to_string(Log.total())) + ",\n" +
         line("counts", ByKind.take()) + ",\n" +
         line("not_listed", std::to_string(Log.dropped())) + ",\n" +
         line("limits",
              list(S.Limits,
                   [](const std::string &L) { return jsonString(L); })) +
         ",\n" + line("escapes", list(Log.entries(), entryAsJson)) + "\n}\n";
}
