//===- YamlTree.cpp - A YAML document with a place for each node ----------===//

#include "plan/YamlTree.h"

#include "plan/Text.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <streambuf>
#include <tuple>
#include <utility>

namespace kplan {

YamlKind YamlNode::kind() const { return Tree->Records[Index].Kind; }
YamlMark YamlNode::mark() const { return Tree->Records[Index].Mark; }

std::string_view YamlNode::text() const {
  if (!isScalar())
    return {};
  const auto &R = Tree->Records[Index];
  return std::string_view(Tree->Pool).substr(R.First, R.Size);
}

size_t YamlNode::size() const {
  return isSequence() || isMap() ? Tree->Records[Index].Size : 0;
}

YamlItems YamlNode::items() const {
  return {Tree, isSequence() ? Tree->Records[Index].First : YamlTree::None};
}

YamlEntries YamlNode::entries() const {
  return {Tree, isMap() ? Tree->Records[Index].First : YamlTree::None};
}

namespace {

/// Leaves yaml-cpp from within an event; the errors are with the builder.
struct StopParsing {};

/// Hands the text to yaml-cpp piece by piece, and ends it early where yaml-cpp
/// reads far ahead of what it has reported.
class PacedBuffer : public std::streambuf {
public:
  PacedBuffer(std::string_view Text, size_t MaxAhead)
      : Text(Text), MaxAhead(MaxAhead) {}

  void reached(size_t Position) { Reported = std::max(Reported, Position); }
  bool exceeded() const { return Exceeded; }

private:
  int_type underflow() override {
    if (Given == Text.size())
      return traits_type::eof();
    if (Given > Reported && Given - Reported > MaxAhead) {
      Exceeded = true;
      return traits_type::eof();
    }
    size_t Size = std::min(PieceBytes, Text.size() - Given);
    // The get area is never written to: putback only moves the pointer back.
    char *Piece = const_cast<char *>(Text.data()) + Given;
    setg(Piece, Piece, Piece + Size);
    Given += Size;
    return traits_type::to_int_type(*Piece);
  }

  static constexpr size_t PieceBytes = 4096;
  std::string_view Text;
  size_t MaxAhead;
  size_t Given = 0;
  size_t Reported = 0;
  bool Exceeded = false;
};

} // namespace

class YamlTreeBuilder final : public YAML::EventHandler {
public:
  YamlTreeBuilder(std::string_view Text, std::string_view FileName,
                  const YamlLimits &Limits)
      : Text(Text), FileName(FileName), Limits(Limits),
        Buffer(Text, Limits.MaxUnitBytes) {}

  Result<YamlTree> run() {
    parse();
    if (Errors.empty() && BadKey.Line)
      error(BadKey, "a key must be a scalar, not a list or a map");
    if (!Errors.empty())
      return std::move(Errors);
    return std::move(Tree);
  }

private:
  void parse() {
    if (!checkText())
      return;
    std::istream Stream(&Buffer);
    try {
      YAML::Parser Parser(Stream);
      bool Found = Parser.HandleNextDocument(*this);
      if (!checkPace())
        return;
      if (!Found)
        return error({1, 1}, "the file holds nothing but white space and "
                             "comments");
      while (Parser.HandleNextDocument(*this))
        ;
      checkPace();
    } catch (const StopParsing &) {
      return; // the error is noted
    } catch (const YAML::Exception &E) {
      if (checkPace())
        yamlError(E);
    } catch (const std::exception &E) {
      error(Last, std::string("cannot parse: ") + E.what());
    }
  }

  /// What yaml-cpp must not see, or reports badly.
  bool checkText() {
    if (Text.size() > Limits.MaxBytes) {
      error({}, "the file is larger than " + std::to_string(Limits.MaxBytes) +
                    " bytes");
      return false;
    }
    if (Text.empty()) {
      error({}, "the file is empty");
      return false;
    }
    if (auto Bad = findNonText(Text)) {
      error(markAt(*Bad), "not a text file in UTF-8: " +
                              describeByte(static_cast<uint8_t>(Text[*Bad])));
      return false;
    }
    return checkDirectives();
  }

  /// Directives come before the first content, each at the start of a line.
  bool checkDirectives() {
    for (size_t Line = 0; Line < Text.size();) {
      size_t End = std::min(Text.find('\n', Line), Text.size());
      std::string_view Content = Text.substr(Line, End - Line);
      if (Content.starts_with('%')) {
        error(markAt(Line), "YAML directives are not allowed");
        return false;
      }
      size_t First = Content.find_first_not_of(" \t\r");
      if (First != std::string_view::npos && Content[First] != '#')
        return true;
      Line = End + 1;
    }
    return true;
  }

  bool checkPace() {
    if (!Buffer.exceeded())
      return true;
    error(Reached,
          "a scalar, comment or flow collection that starts here or later is "
          "longer than " +
              std::to_string(Limits.MaxUnitBytes) + " bytes",
          "write long lists and maps in block style, one entry a line");
    return false;
  }

  void yamlError(const YAML::Exception &E) {
    YamlMark Mark = E.mark.is_null() ? Last : toMark(E.mark);
    if (E.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR))
      return error(Mark, "aliases are not allowed");
    // At the end of the file yaml-cpp has forgotten the column.
    if (!E.mark.is_null() && static_cast<size_t>(E.mark.pos) >= Text.size())
      return error(markAt(Text.size()), "the file ends too early: " + E.msg);
    error(Mark, "not valid YAML: " + E.msg);
  }

  // Events.

  void OnDocumentStart(const YAML::Mark &M) override {
    if (++Documents > 1)
      fail(note(M), "text after the end of the document (only one is allowed)");
    note(M);
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark &M, const std::string &) override {
    fail(note(M), "anchors are not allowed");
  }
  void OnAlias(const YAML::Mark &M, YAML::anchor_t) override {
    fail(note(M), "aliases are not allowed");
  }

  void OnNull(const YAML::Mark &M, YAML::anchor_t) override {
    YamlMark Mark = note(M);
    if (Skipped)
      return;
    if (atKey())
      fail(Mark, "a key is missing, or is null");
    // Where a value is left out, yaml-cpp gives the place of what follows.
    if (!Open.empty() && isMap(Open.back()))
      Mark = Tree.Records[Open.back().LastChild].Mark;
    add(YamlKind::Null, Mark);
  }

  void OnScalar(const YAML::Mark &M, const std::string &Tag, YAML::anchor_t,
                const std::string &Value) override {
    YamlMark Mark = note(M);
    // yaml-cpp reports quotes as the tag `!`, which can also be written.
    bool Quoted = Tag == "!";
    if ((!Quoted && Tag != "?") || (Quoted && byteAt(M) == '!'))
      fail(Mark, "tags are not allowed");
    if (Skipped)
      return;
    if (Value.find('\0') != std::string::npos)
      fail(Mark, "a scalar holds a NUL character");
    addScalar(Quoted ? YamlKind::Quoted : YamlKind::Plain, Mark, Value);
  }

  void OnSequenceStart(const YAML::Mark &M, const std::string &Tag,
                       YAML::anchor_t, YAML::EmitterStyle::value) override {
    start(YamlKind::Sequence, M, Tag);
  }
  void OnMapStart(const YAML::Mark &M, const std::string &Tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    start(YamlKind::Map, M, Tag);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

  void start(YamlKind Kind, const YAML::Mark &M, const std::string &Tag) {
    YamlMark Mark = note(M);
    if (Tag != "?")
      fail(Mark, "tags are not allowed");
    if (Open.size() + Skipped >= Limits.MaxDepth)
      fail(Mark, "nested more than " + std::to_string(Limits.MaxDepth) +
                     " levels deep");
    if (Skipped || atKey()) {
      // To yaml-cpp a flow collection that the file breaks off is a key; what
      // it says at the end of the file is the better message.
      if (!BadKey.Line)
        BadKey = Mark;
      ++Skipped;
      return;
    }
    uint32_t Index = add(Kind, Mark);
    Open.push_back({Index, YamlTree::None, 0});
  }

  void end() {
    if (Skipped) {
      if (--Skipped == 0)
        addScalar(YamlKind::Plain, BadKey, {}); // keeps keys and values in step
      return;
    }
    if (isMap(Open.back()))
      checkDuplicates(Open.back().Index);
    Open.pop_back();
  }

  // The tree.

  struct OpenNode {
    uint32_t Index;
    uint32_t LastChild;
    uint32_t Children;
  };

  bool isMap(const OpenNode &N) const {
    return Tree.Records[N.Index].Kind == YamlKind::Map;
  }
  bool atKey() const {
    return !Open.empty() && isMap(Open.back()) && Open.back().Children % 2 == 0;
  }

  uint32_t add(YamlKind Kind, YamlMark Mark) {
    auto Index = static_cast<uint32_t>(Tree.Records.size());
    YamlTree::Record R;
    R.Kind = Kind;
    R.Mark = Mark;
    Tree.Records.push_back(R);
    if (Open.empty())
      return Index;
    OpenNode &Parent = Open.back();
    if (Parent.LastChild == YamlTree::None)
      Tree.Records[Parent.Index].First = Index;
    else
      Tree.Records[Parent.LastChild].Next = Index;
    Parent.LastChild = Index;
    ++Parent.Children;
    if (!isMap(Parent))
      ++Tree.Records[Parent.Index].Size;
    return Index;
  }

  void addScalar(YamlKind Kind, YamlMark Mark, const std::string &Value) {
    bool IsKey = atKey();
    auto &R = Tree.Records[add(Kind, Mark)];
    R.First = static_cast<uint32_t>(Tree.Pool.size());
    R.Size = static_cast<uint32_t>(Value.size());
    Tree.Pool += Value;
    if (IsKey)
      ++Tree.Records[Open.back().Index].Size;
  }

  void checkDuplicates(uint32_t Map) {
    Keys.clear();
    for (YamlEntry E : YamlNode(&Tree, Map).entries())
      Keys.emplace_back(E.Key.text(), E.Key.mark());
    // Equal keys in the order of the file.
    std::sort(Keys.begin(), Keys.end(), [](const auto &A, const auto &B) {
      return std::tie(A.first, A.second.Line, A.second.Column) <
             std::tie(B.first, B.second.Line, B.second.Column);
    });
    for (size_t I = 1; I < Keys.size(); ++I)
      if (Keys[I].first == Keys[I - 1].first) {
        error(Keys[I].second, "duplicate key " + quoteForMessage(Keys[I].first),
              "it is already given at line " +
                  std::to_string(Keys[I - 1].second.Line));
        if (Errors.size() >= Limits.MaxErrors)
          throw StopParsing();
      }
  }

  // Places and errors.

  static YamlMark toMark(const YAML::Mark &M) {
    return {static_cast<uint32_t>(M.line + 1),
            static_cast<uint32_t>(M.column + 1)};
  }

  YamlMark note(const YAML::Mark &M) {
    Last = toMark(M);
    // What follows too long a unit are events of a text that was broken off.
    if (!Buffer.exceeded()) {
      Buffer.reached(static_cast<size_t>(M.pos));
      Reached = Last;
    }
    return Last;
  }

  char byteAt(const YAML::Mark &M) const {
    auto Position = static_cast<size_t>(M.pos);
    return Position < Text.size() ? Text[Position] : '\0';
  }

  YamlMark markAt(size_t Position) const {
    std::string_view Before = Text.substr(0, Position);
    size_t LineStart = Before.rfind('\n') + 1; // npos + 1 is 0
    return {static_cast<uint32_t>(
                std::count(Before.begin(), Before.end(), '\n') + 1),
            static_cast<uint32_t>(Position - LineStart + 1)};
  }

  void error(YamlMark Mark, std::string Message, std::string Hint = {}) {
    Diagnostic D;
    D.File = FileName;
    D.Line = Mark.Line;
    D.Column = Mark.Column;
    D.Message = std::move(Message);
    D.Hint = std::move(Hint);
    Errors.push_back(std::move(D));
  }

  [[noreturn]] void fail(YamlMark Mark, std::string Message) {
    error(Mark, std::move(Message));
    throw StopParsing();
  }

  std::string_view Text;
  std::string_view FileName;
  const YamlLimits &Limits;
  PacedBuffer Buffer;
  YamlTree Tree;
  std::vector<OpenNode> Open;
  std::vector<std::pair<std::string_view, YamlMark>> Keys; ///< Scratch.
  std::vector<Diagnostic> Errors;
  YamlMark Last{1, 1};    ///< Of the last event.
  YamlMark Reached{1, 1}; ///< ... before a unit that is too long.
  YamlMark BadKey;        ///< The first key that is no scalar.
  unsigned Skipped = 0;   ///< Open collections within such a key.
  unsigned Documents = 0;
};

Result<YamlTree> parseYaml(std::string_view Text, std::string_view FileName,
                           const YamlLimits &Limits) {
  // A byte order mark says UTF-8 and nothing else.
  if (Text.starts_with("\xEF\xBB\xBF"))
    Text.remove_prefix(3);
  return YamlTreeBuilder(Text, FileName, Limits).run();
}

} // namespace kplan
