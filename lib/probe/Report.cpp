//===- Report.cpp - What was measured -------------------------------------===//

#include "probe/Report.h"

#include "plan/Text.h"
#include "plan/YamlTree.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

namespace kplan::probe {

static constexpr unsigned FormatVersion = 1;

bool Measurement::measured() const {
  return Verdict == "ok" || Verdict == "host stall" ||
         Verdict == "device stall";
}

static double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  const size_t Middle = Values.size() / 2;
  return Values.size() % 2 ? Values[Middle]
                           : (Values[Middle - 1] + Values[Middle]) / 2;
}

Measurement combine(const std::vector<Measurement> &Runs) {
  Measurement Out;
  for (const Measurement &Each : Runs) {
    const auto Agree = static_cast<unsigned>(
        std::count_if(Runs.begin(), Runs.end(), [&](const Measurement &Other) {
          return Other.Verdict == Each.Verdict;
        }));
    if (Agree <= Out.Agree)
      continue;
    Out = Each;
    Out.Agree = Agree;
  }
  std::vector<double> Host, Done;
  for (const Measurement &Each : Runs)
    if (Each.Verdict == Out.Verdict) {
      Host.push_back(Each.HostMs);
      Done.push_back(Each.DoneMs);
    }
  Out.Runs = static_cast<unsigned>(Runs.size());
  if (!Host.empty()) {
    Out.HostMs = median(Host);
    Out.DoneMs = median(Done);
  }
  return Out;
}

// Out.

static std::string number(double Value) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.4f", Value);
  return Text;
}

std::string reportJson(const Report &R) {
  std::string Out =
      "{\n  \"kplan_probe\": " + std::to_string(FormatVersion) +
      ",\n  \"machine\": {\"gpu\": " + jsonString(R.On.Gpu) +
      ", \"arch\": " + jsonString(R.On.Arch) +
      ", \"sms\": " + std::to_string(R.On.Sms) +
      ", \"devices\": " + std::to_string(R.On.Devices) +
      ", \"driver\": " + jsonString(R.On.Driver) +
      ", \"cuda\": " + jsonString(R.On.Cuda) +
      ", \"simulated\": " + (R.On.Simulated ? "true" : "false") +
      "},\n  \"neighbour\": {\"kernel_ms\": " + number(R.Beside.KernelMs) +
      ", \"sms\": " + std::to_string(R.Beside.Sms) +
      ", \"green_contexts\": " + (R.Beside.Green ? "true" : "false") +
      "},\n  \"rows\": [";
  for (const Measurement &M : R.Rows) {
    Out += &M == R.Rows.data() ? "\n" : ",\n";
    Out += "    {\"row\": " + jsonString(M.Row) +
           ", \"verdict\": " + jsonString(M.Verdict) +
           ", \"runs\": " + std::to_string(M.Runs) +
           ", \"agree\": " + std::to_string(M.Agree);
    if (M.measured())
      Out += ", \"host_ms\": " + number(M.HostMs) +
             ", \"done_ms\": " + number(M.DoneMs);
    if (!M.Note.empty())
      Out += ", \"note\": " + jsonString(M.Note);
    Out += "}";
  }
  return Out + "\n  ]\n}\n";
}

// In. JSON is YAML; what this writes stays within the YAML that plans allow.

namespace {

/// Reads what the comparison and the table need; what it does not know it
/// leaves alone, so that later versions can say more.
class Reader {
public:
  Reader(const std::string &Path, Diagnostic &Error)
      : Path(Path), Error(Error) {}

  bool read(YamlNode Root, Report &Out) {
    unsigned Version = 0;
    for (YamlEntry E : Root.entries())
      if (E.Key.text() == "kplan_probe")
        Version = number<unsigned>(E.Value);
    if (Version != FormatVersion)
      return fail(Root, "this is no result of 'kplan probe --json'");
    for (YamlEntry E : Root.entries()) {
      if (E.Key.text() == "machine")
        readMachine(E.Value, Out.On);
      else if (E.Key.text() == "neighbour")
        readNeighbour(E.Value, Out.Beside);
      else if (E.Key.text() == "rows")
        for (YamlNode Item : E.Value.items())
          if (!readRow(Item, Out))
            return false;
    }
    return true;
  }

private:
  template <typename T> static T number(YamlNode Node) {
    T Value{};
    std::string_view Text = Node.text();
    std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    return Value;
  }

  bool fail(YamlNode At, const std::string &Message) {
    Error.File = Path;
    Error.Line = At.mark().Line;
    Error.Column = At.mark().Column;
    Error.Message = Message;
    return false;
  }

  static void readMachine(YamlNode Node, Machine &Out) {
    for (YamlEntry E : Node.entries()) {
      if (E.Key.text() == "gpu")
        Out.Gpu = E.Value.text();
      else if (E.Key.text() == "arch")
        Out.Arch = E.Value.text();
      else if (E.Key.text() == "driver")
        Out.Driver = E.Value.text();
      else if (E.Key.text() == "cuda")
        Out.Cuda = E.Value.text();
      else if (E.Key.text() == "sms")
        Out.Sms = number<unsigned>(E.Value);
      else if (E.Key.text() == "devices")
        Out.Devices = number<unsigned>(E.Value);
      else if (E.Key.text() == "simulated")
        Out.Simulated = E.Value.text() == "true";
    }
  }

  static void readNeighbour(YamlNode Node, Neighbour &Out) {
    for (YamlEntry E : Node.entries()) {
      if (E.Key.text() == "kernel_ms")
        Out.KernelMs = number<double>(E.Value);
      else if (E.Key.text() == "sms")
        Out.Sms = number<unsigned>(E.Value);
      else if (E.Key.text() == "green_contexts")
        Out.Green = E.Value.text() == "true";
    }
  }

  bool readRow(YamlNode Node, Report &Out) {
    Measurement M;
    for (YamlEntry E : Node.entries()) {
      if (E.Key.text() == "row")
        M.Row = E.Value.text();
      else if (E.Key.text() == "verdict")
        M.Verdict = E.Value.text();
      else if (E.Key.text() == "runs")
        M.Runs = number<unsigned>(E.Value);
      else if (E.Key.text() == "agree")
        M.Agree = number<unsigned>(E.Value);
      else if (E.Key.text() == "host_ms")
        M.HostMs = number<double>(E.Value);
      else if (E.Key.text() == "done_ms")
        M.DoneMs = number<double>(E.Value);
      else if (E.Key.text() == "note")
        M.Note = E.Value.text();
    }
    if (M.Row.empty() || M.Verdict.empty())
      return fail(Node, "this row has no name or no verdict");
    Out.Rows.push_back(std::move(M));
    return true;
  }

  const std::string &Path;
  Diagnostic &Error;
};

} // namespace

Result<Report> readReport(std::string_view Json, const std::string &Path) {
  auto Tree = parseYaml(Json, Path);
  if (!Tree)
    return Tree.errors();
  Report Out;
  Diagnostic Error;
  if (!Reader(Path, Error).read(Tree->root(), Out))
    return Error;
  return Out;
}

std::vector<Difference> compare(const Report &Here, const Report &There) {
  std::map<std::string_view, const Measurement *> ByName;
  for (const Measurement &M : There.Rows)
    ByName[M.Row] = &M;
  std::vector<Difference> Out;
  for (const Measurement &M : Here.Rows) {
    auto Other = ByName.find(M.Row);
    if (Other != ByName.end() && M.measured() && Other->second->measured() &&
        M.Verdict != Other->second->Verdict)
      Out.push_back({M.Row, M.Verdict, Other->second->Verdict});
  }
  return Out;
}

} // namespace kplan::probe
