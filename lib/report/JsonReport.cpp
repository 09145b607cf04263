//===- JsonReport.cpp - A report's figures for programs -------------------===//

#include "report/Figures.h"
#include "report/HtmlReport.h"

#include "plan/Text.h"

namespace kplan::report {

namespace {

/// Members, one behind the other; names come from this file.
class Object {
public:
  Object &text(const char *Name, std::string_view Value) {
    return raw(Name, jsonString(Value));
  }
  Object &number(const char *Name, uint64_t Value) {
    return raw(Name, std::to_string(Value));
  }
  Object &boolean(const char *Name, bool Value) {
    return raw(Name, Value ? "true" : "false");
  }
  Object &raw(const char *Name, const std::string &Value) {
    Text += Text.empty() ? "{" : ", ";
    Text += '"' + std::string(Name) + "\": " + Value;
    return *this;
  }
  std::string str() const { return Text.empty() ? "{}" : Text + "}"; }

private:
  std::string Text;
};

std::string list(const std::vector<std::string> &Items, const char *Indent) {
  std::string Text = "[";
  for (const std::string &Item : Items)
    Text += (Text.size() > 1 ? ",\n" : "\n") + std::string(Indent) + Item;
  return Text + "]";
}

} // namespace

static std::string useObject(const Use &U) {
  return Object()
      .number("count", U.Count)
      .number("stalls", U.Stalls)
      .number("escapes", U.Escapes)
      .number("longest_ns", U.Longest)
      .str();
}

static std::string stallObject(const Timeline &T, const StallRow &Row) {
  const Call &C = *Row.What;
  Object O;
  O.number("process", Row.In->Id)
      .number("thread", Row.In->Threads[C.Thread].Number)
      .text("api", T.Words[C.Api])
      .text("subject", T.Words[C.Subject])
      .number("begin_ns", C.Begin)
      .number("ns", C.Nanoseconds);
  if (C.Stream)
    O.number("stream", C.Stream);
  std::string Streams;
  for (uint32_t Number : C.InFlight)
    Streams += (Streams.empty() ? "" : ", ") + std::to_string(Number);
  return O.raw("in_flight", "[" + Streams + "]")
      .boolean("behind_other_thread", C.Behind)
      .boolean("escape", C.Escape)
      .str();
}

static std::string sideObject(const Side &S) {
  const Figures F = figuresOf(*S.T);
  std::vector<std::string> Stalls;
  for (const StallRow &Row : stallsOf(*S.T))
    Stalls.push_back(stallObject(*S.T, Row));
  return Object()
      .text("label", S.Label)
      .text("file", S.File)
      .boolean("simulated", S.T->isSimulated())
      .number("duration_ns", S.T->Duration)
      .number("processes", F.Processes)
      .number("calls", F.Calls)
      .number("first_uses", F.Firsts)
      .number("stalls", F.Stalls)
      .number("stalled_ns", F.Stalled)
      .number("longest_stall_ns", F.Longest)
      .number("seals", F.Seals)
      .number("escapes", F.Escapes)
      .number("primings", F.Primings)
      .number("priming_ns", F.Priming)
      .number("device_bytes", F.DeviceBytes)
      .raw("stall_list", list(Stalls, "    "))
      .str();
}

std::string jsonReport(const ReportInput &In) {
  std::vector<std::string> Sides, Waits;
  for (const Side &S : In.Sides)
    Sides.push_back(sideObject(S));
  if (!In.Sides.empty())
    for (const ComparedUse &C : compareWaits(
             *In.Sides[0].T, In.Sides.size() > 1 ? In.Sides[1].T : nullptr)) {
      Object O;
      O.text("api", C.Api)
          .text("subject", C.Subject)
          .raw(In.Sides.size() > 1 ? "before" : "recorded",
               useObject(C.Before));
      if (In.Sides.size() > 1)
        O.raw("after", useObject(C.After));
      Waits.push_back(O.str());
    }
  return "{\"kplan\": " + jsonString(KPLAN_VERSION) +
         ",\n\"clock\": \"CLOCK_MONOTONIC of the host, nanoseconds since the "
         "first recorded moment\",\n\"recordings\": " +
         list(Sides, "  ") + ",\n\"waits\": " + list(Waits, "  ") + "}\n";
}

} // namespace kplan::report
