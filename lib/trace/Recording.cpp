//===- Recording.cpp - What one process left behind -----------------------===//

#include "trace/Recording.h"

#include "plan/FileIO.h"

namespace kplan::trace {

Result<std::vector<std::vector<Event>>>
parseRecordings(std::string_view Text, const std::string &Path) {
  auto Refuse = [&](size_t Line, std::string Why) {
    Diagnostic D = makeError(std::move(Why));
    D.File = Path;
    D.Line = static_cast<unsigned>(Line);
    return D;
  };
  std::vector<std::vector<Event>> Processes;
  size_t Number = 0;
  for (size_t End; (End = Text.find('\n')) != Text.npos;) {
    ++Number;
    auto E = decode(Text.substr(0, End));
    Text.remove_prefix(End + 1);
    if (!E)
      return Refuse(Number, "is no line of a recording");
    auto *Process = std::get_if<ProcessEvent>(&*E);
    if (!Process && Processes.empty())
      return Refuse(Number, "does not begin as a recording");
    if (Process && Process->Version != RecordingVersion)
      return Refuse(Number, "is a recording of version " +
                                std::to_string(Process->Version) +
                                "; this kplan reads version " +
                                std::to_string(RecordingVersion));
    if (Process)
      Processes.emplace_back();
    Processes.back().push_back(std::move(*E));
  }
  return Processes;
}

Result<std::vector<Event>> parseRecording(std::string_view Text,
                                          const std::string &Path) {
  auto Processes = parseRecordings(Text, Path);
  if (!Processes)
    return Processes.errors();
  if (Processes->size() > 1) {
    Diagnostic D = makeError("holds more than one process");
    D.File = Path;
    return D;
  }
  return Processes->empty() ? std::vector<Event>()
                            : std::move(Processes->front());
}

Result<std::vector<Event>> readRecording(const std::string &Path) {
  auto Text = readFile(Path, LargestRecording);
  if (!Text)
    return Text.errors();
  return parseRecording(*Text, Path);
}

Result<std::vector<std::vector<Event>>>
readRecordings(const std::string &Path) {
  auto Text = readFile(Path, LargestRecording);
  if (!Text)
    return Text.errors();
  return parseRecordings(*Text, Path);
}

std::string_view wholeLines(std::string_view Recording) {
  return Recording.substr(0, Recording.rfind('\n') + 1);
}

bool isRecording(std::string_view Text) {
  return Text.starts_with("process version=");
}

} // namespace kplan::trace
