//===- PageData.cpp - A timeline for the page's script --------------------===//

#include "report/PageData.h"

#include "plan/Demangle.h"
#include "plan/Text.h"

#include <algorithm>
#include <map>

namespace kplan::report {

static const Stream *find(const Process &P, uint64_t Number) {
  auto Found = std::ranges::find(P.Streams, Number, &Stream::Number);
  return Found == P.Streams.end() ? nullptr : &*Found;
}

std::string nameOfStream(const Process &P, uint64_t Number) {
  const Stream *S = find(P, Number);
  std::string Name = S && S->Default ? "default stream " : "stream ";
  Name += std::to_string(Number);
  if (S && P.Devices.size() > 1)
    Name += " of device " + std::to_string(S->Device);
  return Name;
}

std::string nameOfThread(const Thread &T) {
  return T.Name.empty() ? std::to_string(T.Number)
                        : T.Name + " (" + std::to_string(T.Number) + ")";
}

namespace {

/// One member of an object after the other.
class ObjectWriter {
public:
  explicit ObjectWriter(std::string &To) : To(To) { To += '{'; }
  std::string &member(const char *Name) {
    To += First ? "\"" : ",\"";
    First = false;
    To += Name;
    return To += "\":";
  }
  void text(const char *Name, std::string_view Value) {
    member(Name) += jsonString(Value);
  }
  void number(const char *Name, uint64_t Value) {
    member(Name) += std::to_string(Value);
  }
  void end() { To += '}'; }

private:
  std::string &To;
  bool First = true;
};

template <class List, class Write>
void writeList(std::string &To, const List &Items, Write Each) {
  To += '[';
  bool First = true;
  for (const auto &Item : Items) {
    if (!First)
      To += ',';
    First = false;
    Each(Item);
  }
  To += ']';
}

/// Calls of all processes, in order, with what stands in the whole page.
struct PageCall {
  const Call *Of;
  size_t Process;
  size_t FirstThread; ///< The process' place among all threads.
  uint32_t Stream;    ///< Among all streams, from 1; 0: none.
};

class DataWriter {
public:
  explicit DataWriter(const Timeline &T) : T(T) {}
  std::string write(const std::string &Label);

private:
  void gather();
  uint32_t streamOf(size_t Process, uint64_t Number);
  void writeCalls(std::string &To);
  void writeExtras(std::string &To);

  const Timeline &T;
  std::vector<PageCall> Calls;
  std::vector<size_t> FirstThreads;
  std::vector<std::pair<size_t, uint64_t>> Streams; ///< Process and number.
  std::map<std::pair<size_t, uint64_t>, uint32_t> StreamPlaces;
};

} // namespace

uint32_t DataWriter::streamOf(size_t Process, uint64_t Number) {
  if (!Number)
    return 0;
  auto [Place, New] = StreamPlaces.try_emplace({Process, Number}, 0);
  if (New) {
    Streams.emplace_back(Process, Number);
    Place->second = static_cast<uint32_t>(Streams.size());
  }
  return Place->second;
}

void DataWriter::gather() {
  size_t Threads = 0;
  for (size_t I = 0; I < T.Processes.size(); ++I) {
    const Process &P = T.Processes[I];
    FirstThreads.push_back(Threads);
    for (const Stream &S : P.Streams)
      streamOf(I, S.Number);
    for (const Call &C : P.Calls) {
      for (uint32_t Number : C.InFlight)
        streamOf(I, Number);
      Calls.push_back({&C, I, Threads, streamOf(I, C.Stream)});
    }
    Threads += P.Threads.size();
  }
  std::ranges::stable_sort(Calls, {},
                           [](const PageCall &C) { return C.Of->Begin; });
}

void DataWriter::writeCalls(std::string &To) {
  ObjectWriter Columns(To);
  auto Column = [&](const char *Name, auto Value) {
    Columns.member(Name);
    writeList(To, Calls,
              [&](const PageCall &C) { To += std::to_string(Value(C)); });
  };
  Column("thread",
         [](const PageCall &C) { return C.FirstThread + C.Of->Thread; });
  Column("stream", [](const PageCall &C) { return C.Stream; });
  uint64_t Last = 0;
  Column("begin", [&](const PageCall &C) {
    return C.Of->Begin - std::exchange(Last, C.Of->Begin);
  });
  Column("ns", [](const PageCall &C) { return C.Of->Nanoseconds; });
  Column("api", [](const PageCall &C) { return C.Of->Api; });
  Column("subject", [](const PageCall &C) { return C.Of->Subject; });
  Column("purpose", [](const PageCall &C) { return C.Of->Purpose; });
  Column("flags", [](const PageCall &C) {
    return (C.Of->First ? FirstFlag : 0U) | (C.Of->Stall ? StallFlag : 0U) |
           (C.Of->Behind ? BehindFlag : 0U) | (C.Of->Escape ? EscapeFlag : 0U);
  });
  Columns.end();
}

/// What few calls have.
void DataWriter::writeExtras(std::string &To) {
  ObjectWriter All(To);
  for (size_t I = 0; I < Calls.size(); ++I) {
    const Call &C = *Calls[I].Of;
    if (!C.Error && C.InFlight.empty())
      continue;
    All.member(std::to_string(I).c_str());
    ObjectWriter Extra(To);
    if (C.Error)
      Extra.text("error", T.Words[C.Error]);
    if (!C.InFlight.empty()) {
      Extra.member("inFlight");
      writeList(To, C.InFlight, [&](uint32_t Number) {
        To += std::to_string(streamOf(Calls[I].Process, Number));
      });
    }
    Extra.end();
  }
  All.end();
}

std::string DataWriter::write(const std::string &Label) {
  gather();
  std::string Json;
  ObjectWriter Page(Json);
  Page.text("label", Label);
  Page.number("duration", T.Duration);
  Page.member("names");
  writeList(Json, T.Words.all(),
            [&](const std::string &Name) { Json += jsonString(Name); });
  // What a symbol stands for, where that is another text.
  Page.member("readable");
  ObjectWriter Readable(Json);
  for (size_t I = 0; I < T.Words.all().size(); ++I)
    if (std::string Name = demangle(T.Words.all()[I]); Name != T.Words.all()[I])
      Readable.text(std::to_string(I).c_str(), Name);
  Readable.end();

  auto ProcessName = [&](const Process &P) {
    return P.programName() + " (" + std::to_string(P.Id) + ")";
  };
  Page.member("threads") += '[';
  bool First = true;
  for (const Process &P : T.Processes)
    for (const Thread &Of : P.Threads) {
      Json += First ? "" : ",";
      First = false;
      ObjectWriter Row(Json);
      Row.text("name", nameOfThread(Of));
      Row.text("process", ProcessName(P));
      Row.end();
    }
  Json += ']';
  Page.member("streams");
  writeList(Json, Streams, [&](const auto &S) {
    const Process &P = T.Processes[S.first];
    ObjectWriter Row(Json);
    Row.text("name", nameOfStream(P, S.second));
    Row.text("process", ProcessName(P));
    Row.end();
  });
  Page.member("calls");
  writeCalls(Json);
  Page.member("extra");
  writeExtras(Json);

  Page.member("primings") += '[';
  First = true;
  for (size_t I = 0; I < T.Processes.size(); ++I)
    for (const Priming &P : T.Processes[I].Primings) {
      Json += First ? "" : ",";
      First = false;
      ObjectWriter Row(Json);
      Row.number("begin", P.Begin);
      Row.number("ns", P.What.Nanoseconds);
      Row.number("thread", FirstThreads[I] + P.Thread);
      Row.number("libraries", P.What.Libraries);
      Row.number("functions", P.What.Functions);
      Row.number("missing", P.What.Missing);
      Row.end();
    }
  Json += ']';
  Page.member("seals") += '[';
  First = true;
  for (const Process &P : T.Processes)
    for (const Seal &S : P.Seals) {
      Json += First ? "" : ",";
      First = false;
      ObjectWriter Row(Json);
      Row.number("at", S.At);
      Row.number("ends", S.Ends);
      Row.end();
    }
  Json += ']';
  Page.end();
  return Json;
}

std::string pageData(const Timeline &T, const std::string &Label) {
  std::string Json = DataWriter(T).write(Label);
  // What would end the element, or begin a comment in it.
  std::string Safe;
  Safe.reserve(Json.size());
  for (char C : Json)
    if (C == '<')
      Safe += "\\u003c";
    else
      Safe += C;
  return Safe;
}

} // namespace kplan::report
