//===- Recording.cpp - What one process left behind -----------------------===//

#include "trace/Recording.h"

#include "plan/FileIO.h"

namespace kplan::trace {

/// 10 million events.
static constexpr size_t LargestRecording = size_t(1) << 30;

Result<std::vector<Event>> parseRecording(std::string_view Text,
                                          const std::string &Path) {
  auto Refuse = [&](size_t Line, std::string Why) {
    Diagnostic D = makeError(std::move(Why));
    D.File = Path;
    D.Line = static_cast<unsigned>(Line);
    return D;
  };
  std::vector<Event> Events;
  size_t Number = 0;
  for (size_t End; (End = Text.find('\n')) != Text.npos;) {
    ++Number;
    auto E = decode(Text.substr(0, End));
    Text.remove_prefix(End + 1);
    if (!E)
      return Refuse(Number, "is no line of a recording");
    auto *Process = std::get_if<ProcessEvent>(&*E);
    if ((Process != nullptr) != (Number == 1))
      return Refuse(Number, "does not begin as a recording");
    if (Process && Process->Version != RecordingVersion)
      return Refuse(Number, "is a recording of version " +
                                std::to_string(Process->Version) +
                                "; this kplan reads version " +
                                std::to_string(RecordingVersion));
    Events.push_back(std::move(*E));
  }
  return Events;
}

Result<std::vector<Event>> readRecording(const std::string &Path) {
  auto Text = readFile(Path, LargestRecording);
  if (!Text)
    return Text.errors();
  return parseRecording(*Text, Path);
}

} // namespace kplan::trace
