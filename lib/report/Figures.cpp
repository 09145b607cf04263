//===- Figures.cpp - What a report adds up --------------------------------===//

#include "report/Figures.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <tuple>
#include <utility>

namespace kplan::report {

Figures figuresOf(const Timeline &T) {
  Figures F;
  F.Processes = T.Processes.size();
  F.Calls = T.NumCalls;
  for (const Process &P : T.Processes) {
    for (const Call &C : P.Calls) {
      F.Firsts += C.First;
      if (!C.Stall)
        continue;
      ++F.Stalls;
      F.Stalled += C.Nanoseconds;
      F.Longest = std::max(F.Longest, C.Nanoseconds);
    }
    F.Escapes += P.Escapes.size();
    F.Seals += static_cast<size_t>(
        std::ranges::count_if(P.Seals, [](const Seal &S) { return !S.Ends; }));
    F.Primings += P.Primings.size();
    for (const Priming &R : P.Primings) {
      F.Priming += R.What.Nanoseconds;
      F.Libraries += R.What.Libraries;
      F.Functions += R.What.Functions;
      F.DeviceBytes += R.What.DeviceBytes;
      F.Missing += R.What.Missing;
    }
  }
  return F;
}

std::vector<ComparedUse> compareWaits(const Timeline &Before,
                                      const Timeline *After) {
  std::map<std::pair<std::string_view, std::string_view>, ComparedUse> All;
  auto Count = [&](const Timeline &T, Use ComparedUse::*Side) {
    for (const Process &P : T.Processes)
      for (const Call &C : P.Calls) {
        const std::string &Api = T.Words[C.Api];
        const std::string &Subject = T.Words[C.Subject];
        ComparedUse &Of = All[{Api, Subject}];
        if (Of.Api.empty())
          std::tie(Of.Api, Of.Subject) = std::tie(Api, Subject);
        Use &U = Of.*Side;
        ++U.Count;
        U.Stalls += C.Stall;
        U.Escapes += C.Escape;
        U.Longest = std::max(U.Longest, C.Nanoseconds);
      }
  };
  Count(Before, &ComparedUse::Before);
  if (After)
    Count(*After, &ComparedUse::After);
  std::vector<ComparedUse> Out;
  for (auto &[Key, Of] : All)
    if (Of.Before.Stalls || Of.After.Stalls)
      Out.push_back(std::move(Of));
  std::ranges::stable_sort(Out, std::greater(), [](const ComparedUse &C) {
    return std::max(C.Before.Longest, C.After.Longest);
  });
  return Out;
}

std::vector<StallRow> stallsOf(const Timeline &T) {
  std::vector<StallRow> Rows;
  for (const Process &P : T.Processes)
    for (const Call &C : P.Calls)
      if (C.Stall)
        Rows.push_back({&P, &C});
  std::ranges::stable_sort(Rows, std::greater(), [](const StallRow &R) {
    return R.What->Nanoseconds;
  });
  return Rows;
}

/// Three digits.
static std::string threeDigits(double Number, const char *Unit) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.*f %s",
                Number < 9.995   ? 2
                : Number < 99.95 ? 1
                                 : 0,
                Number, Unit);
  return Text;
}

std::string formatTime(uint64_t Nanoseconds) {
  const auto Number = static_cast<double>(Nanoseconds);
  if (Nanoseconds < 1000)
    return std::to_string(Nanoseconds) + " ns";
  if (Number < 999.5e3)
    return threeDigits(Number * 1e-3, "µs");
  if (Number < 999.5e6)
    return threeDigits(Number * 1e-6, "ms");
  return threeDigits(Number * 1e-9, "s");
}

std::string formatBytes(uint64_t Bytes) {
  const auto Number = static_cast<double>(Bytes);
  if (Bytes < 1000)
    return std::to_string(Bytes) + " bytes";
  if (Number < 999.5e3)
    return threeDigits(Number * 1e-3, "KB");
  if (Number < 999.5e6)
    return threeDigits(Number * 1e-6, "MB");
  return threeDigits(Number * 1e-9, "GB");
}

std::string formatDate(uint64_t NanosecondsSince1970) {
  if (!NanosecondsSince1970)
    return "";
  const auto Seconds = static_cast<time_t>(NanosecondsSince1970 / 1000000000);
  std::tm Parts{};
  char Text[64];
  if (!gmtime_r(&Seconds, &Parts) ||
      !std::strftime(Text, sizeof Text, "%Y-%m-%d %H:%M:%S UTC", &Parts))
    return "";
  return Text;
}

} // namespace kplan::report
