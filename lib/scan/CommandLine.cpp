//===- CommandLine.cpp ----------------------------------------------------===//

#include "scan/CommandLine.h"

#include <algorithm>

namespace kplan::scan {

namespace {

bool isSpace(char C) {
  return C == ' ' || C == '\t' || C == '\n' || C == '\r' || C == '\f' ||
         C == '\v';
}

bool isSafeInShell(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') ||
         std::string_view("%+,-./:=@_^").find(C) != std::string_view::npos;
}

/// Collects words; a word may be empty when it was quoted.
class WordList {
public:
  void add(char C) {
    Word += C;
    Open = true;
  }
  /// A quote: the word exists even if nothing follows.
  void open() { Open = true; }
  bool isOpen() const { return Open; }
  const std::string &current() const { return Word; }
  void discard() {
    Word.clear();
    Open = false;
  }
  void end() {
    if (Open)
      Words.push_back(std::move(Word));
    discard();
  }
  std::vector<std::string> take() {
    end();
    return std::move(Words);
  }
  bool empty() const { return Words.empty() && !Open; }

private:
  std::vector<std::string> Words;
  std::string Word;
  bool Open = false;
};

/// Reads one POSIX shell command line.
class ShellSplitter {
public:
  explicit ShellSplitter(std::string_view Line) : Line(Line) {}

  std::vector<std::vector<std::string>> run() {
    while (At < Line.size())
      step();
    endCommand();
    if (Commands.empty())
      Commands.emplace_back();
    return std::move(Commands);
  }

private:
  void step() {
    char C = Line[At++];
    if (C == '\n' || C == ';' || C == '|')
      return endCommand();
    if (C == '&') {
      // `2>&1` is one redirection, not a command's end.
      return peek('>') ? redirect() : endCommand();
    }
    if (isSpace(C))
      return endWord();
    if (C == '\'')
      return singleQuoted();
    if (C == '"')
      return doubleQuoted();
    if (C == '\\') {
      if (At < Line.size() && Line[At] == '\n')
        ++At;
      else if (At < Line.size())
        Words.add(Line[At++]);
      return;
    }
    if (C == '>' || C == '<')
      return redirect();
    if (C == '#' && !Words.isOpen()) {
      At = std::min(Line.find('\n', At), Line.size());
      return;
    }
    Words.add(C);
  }

  bool peek(char C) const { return At < Line.size() && Line[At] == C; }

  void singleQuoted() {
    Words.open();
    while (At < Line.size() && Line[At] != '\'')
      Words.add(Line[At++]);
    ++At;
  }

  void doubleQuoted() {
    Words.open();
    while (At < Line.size() && Line[At] != '"') {
      if (Line[At] == '\\' && At + 1 < Line.size() &&
          std::string_view("$`\"\\\n").find(Line[At + 1]) !=
              std::string_view::npos) {
        ++At;
        if (Line[At] == '\n') {
          ++At;
          continue;
        }
      }
      Words.add(Line[At++]);
    }
    ++At;
  }

  void redirect() {
    const std::string &Word = Words.current();
    if (Word.find_first_not_of("0123456789") == std::string::npos)
      Words.discard(); // the descriptor of `2>file`
    else
      endWord();
    while (peek('>') || peek('<') || peek('&'))
      ++At;
    SkipNext = true;
  }

  void endWord() {
    if (SkipNext && Words.isOpen()) {
      Words.discard();
      SkipNext = false;
      return;
    }
    Words.end();
  }

  void endCommand() {
    endWord();
    SkipNext = false;
    if (Words.empty())
      return;
    Commands.push_back(Words.take());
    Words = WordList();
  }

  std::string_view Line;
  size_t At = 0;
  bool SkipNext = false;
  WordList Words;
  std::vector<std::vector<std::string>> Commands;
};

} // namespace

std::string quoteForShell(std::string_view Word) {
  if (!Word.empty() && std::all_of(Word.begin(), Word.end(), isSafeInShell))
    return std::string(Word);
  std::string Quoted = "'";
  for (char C : Word) {
    if (C == '\'')
      Quoted += "'\\''";
    else
      Quoted += C;
  }
  return Quoted + "'";
}

std::string joinForShell(const std::vector<std::string> &Words) {
  std::string Line;
  for (const std::string &Word : Words) {
    if (!Line.empty())
      Line += ' ';
    Line += quoteForShell(Word);
  }
  return Line;
}

std::vector<std::vector<std::string>> splitShell(std::string_view Line) {
  return ShellSplitter(Line).run();
}

std::vector<std::string> splitResponseFile(std::string_view Text) {
  WordList Words;
  char Quote = 0;
  for (size_t At = 0; At < Text.size(); ++At) {
    char C = Text[At];
    if (C == '\\' && At + 1 < Text.size()) {
      Words.add(Text[++At]);
    } else if (Quote) {
      if (C == Quote)
        Quote = 0;
      else
        Words.add(C);
    } else if (C == '\'' || C == '"') {
      Quote = C;
      Words.open();
    } else if (isSpace(C)) {
      Words.end();
    } else {
      Words.add(C);
    }
  }
  return Words.take();
}

std::vector<std::string> splitNvccOptionsFile(std::string_view Text) {
  WordList Words;
  bool Quoted = false;
  for (size_t At = 0; At < Text.size(); ++At) {
    char C = Text[At];
    if (C == '\\' && At + 1 < Text.size()) {
      if (Text[++At] != '"')
        Words.add(Text[At]);
    } else if (C == '"') {
      Quoted = !Quoted;
      Words.open();
    } else if (isSpace(C) && !Quoted) {
      Words.end();
    } else {
      Words.add(C);
    }
  }
  return Words.take();
}

std::vector<std::string> splitNvccEnvironment(std::string_view Text) {
  WordList Words;
  bool Quoted = false;
  for (char C : Text) {
    if (C == '"')
      Quoted = !Quoted;
    if (isSpace(C) && !Quoted)
      Words.end();
    else
      Words.add(C);
  }
  return Words.take();
}

std::vector<std::string> splitNvccList(std::string_view Value) {
  std::vector<std::string> Items(1);
  bool Quoted = false;
  for (size_t At = 0; At < Value.size(); ++At) {
    char C = Value[At];
    if (C == '\\' && At + 1 < Value.size()) {
      Items.back() += Value[++At];
    } else if (C == ',' && !Quoted) {
      Items.emplace_back();
    } else {
      if (C == '"')
        Quoted = !Quoted;
      Items.back() += C;
    }
  }
  return Items;
}

} // namespace kplan::scan
