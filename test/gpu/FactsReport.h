//===- FactsReport.h - Rows, each in a process of its own -----------------===//
//
// A first use happens once in a process, so each row runs in a fresh one; the
// parent holds no context and makes the table and the JSON lines.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TEST_GPU_FACTSREPORT_H
#define KPLAN_TEST_GPU_FACTSREPORT_H

#include "FactsBench.h"

#include <sys/wait.h>
#include <unistd.h>

namespace facts {

struct Row {
  const char *Name;
  const char *Expected; ///< "ok", "host stall", "device stall", "?".
  void (*Body)(Bench &);
};

inline int measureRow(const Row &R, double HoldMs, bool Green) {
  Bench B(HoldMs, Green);
  R.Body(B);
  CHECK(cuCtxSetCurrent(B.Primary));
  CHECK(cuCtxSynchronize());
  std::printf("\n@\t%.4f\t%.4f\t%s\t%s\n", B.Result.HostMs, B.Result.DoneMs,
              name(B.Result.What), B.Note.c_str());
  std::fflush(stdout);
  _exit(0); // what the row left behind dies with the process
}

struct Outcome {
  bool Measured = false;
  std::string HostMs, DoneMs, Verdict, Note;
};

inline Outcome runRow(const char *Self, size_t Index, double HoldMs,
                      bool Green) {
  std::string Command = "exec timeout 60 '" + std::string(Self) + "' --row " +
                        std::to_string(Index) + " --hold-ms " +
                        std::to_string(HoldMs) + (Green ? " --green" : "") +
                        " 2>&1";
  Outcome Result;
  std::fflush(stdout);
  FILE *Child = popen(Command.c_str(), "r");
  if (!Child)
    return Result;
  std::string Text;
  char Buffer[4096];
  while (size_t Count = std::fread(Buffer, 1, sizeof Buffer, Child))
    Text.append(Buffer, Count);
  int Status = pclose(Child);
  size_t At = Text.rfind("\n@\t");
  if (Status != 0 || At == std::string::npos) {
    Result.Note = "not measured, exit status " +
                  std::to_string(WIFEXITED(Status) ? WEXITSTATUS(Status) : -1);
    if (size_t Error = Text.find("error: "); Error != std::string::npos)
      Result.Note += ", " + Text.substr(Error, Text.find('\n', Error) - Error);
    return Result;
  }
  std::string *Fields[] = {&Result.HostMs, &Result.DoneMs, &Result.Verdict,
                           &Result.Note};
  size_t Begin = At + 3;
  for (std::string *Field : Fields) {
    size_t End = Text.find_first_of("\t\n", Begin);
    *Field = Text.substr(Begin, End - Begin);
    Begin = End + 1;
  }
  Result.Measured = true;
  return Result;
}

inline void writeJson(FILE *File, const Row &R, const Outcome &O) {
  std::string Note;
  for (char C : O.Note) {
    if (C == '"' || C == '\\')
      Note += '\\';
    if (static_cast<unsigned char>(C) >= ' ')
      Note += C;
  }
  std::fprintf(File,
               "{\"row\": \"%s\", \"expected\": \"%s\", \"host_ms\": %s, "
               "\"done_ms\": %s, \"verdict\": \"%s\", \"note\": \"%s\"}\n",
               R.Name, R.Expected, O.Measured ? O.HostMs.c_str() : "null",
               O.Measured ? O.DoneMs.c_str() : "null", O.Verdict.c_str(),
               Note.c_str());
  std::fflush(File);
}

inline void printDevice(bool Green) {
  // No context is made: this process holds nothing beside the rows'.
  int Driver = 0;
  CHECK(cuInit(0));
  CHECK(cuDriverGetVersion(&Driver));
  char Name[128];
  CHECK(cuDeviceGetName(Name, sizeof Name, 0));
  const char *Loading = std::getenv("CUDA_MODULE_LOADING");
  std::printf(
      "%s, driver API %d.%d, CUDA_MODULE_LOADING=%s, %s context current\n\n",
      Name, Driver / 1000, Driver % 1000 / 10, Loading ? Loading : "(unset)",
      Green ? "green" : "primary");
}

/// The program: one row (--row, used by itself) or all of them.
inline int runRows(const Row *Rows, size_t RowCount, int Count,
                   char **Arguments) {
  double HoldMs = 150;
  const char *Only = "", *JsonPath = nullptr;
  long Index = -1;
  bool Green = false;
  for (int I = 1; I < Count; ++I) {
    std::string_view Option = Arguments[I];
    const char *Value = I + 1 < Count ? Arguments[I + 1] : nullptr;
    if (Option == "--list") {
      for (size_t I = 0; I < RowCount; ++I)
        std::printf("%s\n", Rows[I].Name);
      return 0;
    }
    if (Option == "--green")
      Green = true;
    else if (Option == "--json" && Value)
      JsonPath = Value, ++I;
    else if (Option == "--hold-ms" && Value)
      HoldMs = std::atof(Value), ++I;
    else if (Option == "--only" && Value)
      Only = Value, ++I;
    else if (Option == "--row" && Value)
      Index = std::atol(Value), ++I;
    else {
      std::fprintf(stderr,
                   "usage: %s [--green] [--json FILE] [--hold-ms N] "
                   "[--only PREFIX] [--list]\n",
                   Arguments[0]);
      return 2;
    }
  }
  if (Index >= 0 && static_cast<size_t>(Index) < RowCount)
    return measureRow(Rows[Index], HoldMs, Green);

  FILE *Json = JsonPath ? std::fopen(JsonPath, "w") : nullptr;
  if (JsonPath && !Json) {
    std::fprintf(stderr, "facts: error: cannot write %s\n", JsonPath);
    return 2;
  }
  char Self[4096] = "";
  if (readlink("/proc/self/exe", Self, sizeof Self - 1) < 0) {
    std::fprintf(stderr, "facts: error: cannot read /proc/self/exe\n");
    return 2;
  }
  printDevice(Green);
  std::printf("%-58s %10s %10s  %-13s %-13s %s\n", "call", "host ms",
              "B done ms", "verdict", "expected", "");
  int AsExpected = 0, Differ = 0, Open = 0, Failed = 0;
  for (size_t I = 0; I < RowCount; ++I) {
    const Row &R = Rows[I];
    if (std::strncmp(R.Name, Only, std::strlen(Only)) != 0)
      continue;
    Outcome O = runRow(Self, I, HoldMs, Green);
    const bool IsOpen = std::strcmp(R.Expected, "?") == 0;
    const bool Differs = O.Measured && !IsOpen && O.Verdict != R.Expected;
    Failed += !O.Measured;
    Differ += Differs;
    Open += O.Measured && IsOpen;
    AsExpected += O.Measured && !IsOpen && !Differs;
    std::printf("%-58s %10s %10s  %-13s %-13s %s%s\n", R.Name, O.HostMs.c_str(),
                O.DoneMs.c_str(), O.Verdict.c_str(), R.Expected,
                Differs ? "DIFFERS; " : "", O.Note.c_str());
    std::fflush(stdout);
    if (Json)
      writeJson(Json, R, O);
  }
  if (Json)
    std::fclose(Json);
  std::printf("\n%d rows as expected, %d differ, %d open questions measured, "
              "%d not measured\n",
              AsExpected, Differ, Open, Failed);
  return Failed ? 2 : Differ ? 1 : 0;
}

} // namespace facts

#endif // KPLAN_TEST_GPU_FACTSREPORT_H
