//===- YamlWriter.h - YAML out, the same bytes every time -----------------===//
//
// Part of kplan. Writes the subset of YAML that parseYaml() reads, in the style
// of docs/plan-format.md: block style with lists not indented, or flow style on
// one line. What is written plain and what is quoted depends on the text alone.
//
// The caller nests begin and end properly and calls key() before each value of
// a map; nothing is checked.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_YAMLWRITER_H
#define KPLAN_PLAN_YAMLWRITER_H

#include "plan/YamlTree.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kplan {

class YamlWriter {
public:
  /// Inside flow style everything is flow style.
  enum class Style { Block, Flow };

  void beginMap(Style S = Style::Block) { begin(true, S); }
  void endMap() { end(); }
  void beginSequence(Style S = Style::Block) { begin(false, S); }
  void endSequence() { end(); }
  void key(std::string_view Key);

  /// A name: plain where every YAML reader takes that for this string, quoted
  /// elsewhere.
  void word(std::string_view Text);
  /// Source text: always in double quotes. Bytes that are not UTF-8 become
  /// U+FFFD.
  void quoted(std::string_view Text);
  void integer(int64_t Number);
  void unsignedInteger(uint64_t Number);
  void hexInteger(uint64_t Number);
  /// Finite; decimal, as short as reads back the same.
  void real(double Number);
  void boolean(bool B);
  /// YAML on one line, as flowText() makes it; not checked.
  void raw(std::string_view FlowText);

  /// The document, ended by a newline; the writer is empty afterwards.
  std::string take();

private:
  struct Frame {
    bool Map;
    bool Flow;
    bool Inline; ///< The first entry goes on the line that is already begun.
    unsigned Indent;
    size_t Count;
  };

  void begin(bool Map, Style S);
  void end();
  void startEntry();
  void startValue();
  bool inFlow() const { return !Frames.empty() && Frames.back().Flow; }
  bool inMap() const { return !Frames.empty() && Frames.back().Map; }

  std::string Out;
  std::vector<Frame> Frames;
};

/// A node as YAML on one line. Plain scalars stay plain unless flow style
/// forbids it. Parsing the result and writing it again gives the same text.
std::string flowText(YamlNode Node);

} // namespace kplan

#endif // KPLAN_PLAN_YAMLWRITER_H
