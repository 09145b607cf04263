//===- YamlTree.h - A YAML document with a place for each node ------------===//
//
// Part of kplan. An ordered, immutable tree of the strict subset of YAML that
// plans and fragments are written in. It is built from yaml-cpp's events, not
// from its nodes, which forget places, quotes and duplicate keys.
//
// Whatever the input, parseYaml() returns: it neither throws nor asserts, its
// memory is bounded by a constant times the input and its time is linear.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_YAMLTREE_H
#define KPLAN_PLAN_YAMLTREE_H

#include "plan/Diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace kplan {

/// 1-based; columns count bytes.
struct YamlMark {
  uint32_t Line = 0;
  uint32_t Column = 0;
};

enum class YamlKind : uint8_t {
  Null,   ///< Nothing, `~`, or `null`.
  Plain,  ///< A scalar without quotes: the only kind that can be a number.
  Quoted, ///< A scalar in quotes or a block scalar: always a string.
  Sequence,
  Map
};

/// What is refused as too large. The defaults suit plans and fragments.
struct YamlLimits {
  size_t MaxBytes = size_t(256) << 20;
  /// Levels of nesting; yaml-cpp gives up at 500 with "bad file".
  unsigned MaxDepth = 128;
  /// Bytes of one scalar, comment or outermost flow collection: yaml-cpp holds
  /// the whole of it as tokens before it reports anything.
  size_t MaxUnitBytes = size_t(1) << 20;
  /// Errors that are reported before giving up.
  unsigned MaxErrors = 20;
};

class YamlTree;
class YamlItems;
class YamlEntries;

/// A view of one node; valid as long as its tree stays where it is.
class YamlNode {
public:
  YamlKind kind() const;
  YamlMark mark() const;
  bool isNull() const { return kind() == YamlKind::Null; }
  bool isPlain() const { return kind() == YamlKind::Plain; }
  bool isScalar() const {
    return kind() == YamlKind::Plain || kind() == YamlKind::Quoted;
  }
  bool isSequence() const { return kind() == YamlKind::Sequence; }
  bool isMap() const { return kind() == YamlKind::Map; }

  /// Of a scalar, escapes resolved; empty for other kinds.
  std::string_view text() const;
  /// Items of a sequence, entries of a map; 0 for other kinds.
  size_t size() const;
  /// Of a sequence; empty for other kinds.
  YamlItems items() const;
  /// Of a map, in the order of the file; empty for other kinds. Keys are
  /// scalars and unique.
  YamlEntries entries() const;

private:
  friend class YamlTree;
  friend class YamlTreeBuilder;
  friend class YamlItems;
  friend class YamlEntries;
  YamlNode(const YamlTree *Tree, uint32_t Index) : Tree(Tree), Index(Index) {}
  const YamlTree *Tree;
  uint32_t Index;
};

struct YamlEntry {
  YamlNode Key;
  YamlNode Value;
};

/// A document. Moving it invalidates the views into it.
class YamlTree {
public:
  YamlNode root() const { return {this, 0}; }

private:
  friend class YamlNode;
  friend class YamlItems;
  friend class YamlEntries;
  friend class YamlTreeBuilder;

  static constexpr uint32_t None = UINT32_MAX;
  /// Children form a list; those of a map are key, value, key, value.
  struct Record {
    YamlKind Kind = YamlKind::Null;
    YamlMark Mark;
    uint32_t First = None; ///< Offset in Pool, or first child.
    uint32_t Size = 0;     ///< Bytes, items, or entries.
    uint32_t Next = None;  ///< Next child of the same parent.
  };
  std::vector<Record> Records;
  std::string Pool;
};

class YamlItems {
public:
  class iterator {
  public:
    using value_type = YamlNode;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = YamlNode;
    iterator(const YamlTree *Tree, uint32_t Index) : Tree(Tree), Index(Index) {}
    YamlNode operator*() const { return {Tree, Index}; }
    iterator &operator++() {
      Index = Tree->Records[Index].Next;
      return *this;
    }
    bool operator==(const iterator &Other) const {
      return Index == Other.Index;
    }

  private:
    const YamlTree *Tree;
    uint32_t Index;
  };
  iterator begin() const { return {Tree, First}; }
  iterator end() const { return {Tree, YamlTree::None}; }

private:
  friend class YamlNode;
  YamlItems(const YamlTree *Tree, uint32_t First) : Tree(Tree), First(First) {}
  const YamlTree *Tree;
  uint32_t First;
};

class YamlEntries {
public:
  class iterator {
  public:
    using value_type = YamlEntry;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = YamlEntry;
    iterator(const YamlTree *Tree, uint32_t Index) : Tree(Tree), Index(Index) {}
    YamlEntry operator*() const {
      return {{Tree, Index}, {Tree, Tree->Records[Index].Next}};
    }
    iterator &operator++() {
      Index = Tree->Records[Tree->Records[Index].Next].Next;
      return *this;
    }
    bool operator==(const iterator &Other) const {
      return Index == Other.Index;
    }

  private:
    const YamlTree *Tree;
    uint32_t Index;
  };
  iterator begin() const { return {Tree, First}; }
  iterator end() const { return {Tree, YamlTree::None}; }

private:
  friend class YamlNode;
  YamlEntries(const YamlTree *Tree, uint32_t First)
      : Tree(Tree), First(First) {}
  const YamlTree *Tree;
  uint32_t First;
};

/// Parses one document. Refused, each at its place: what is not UTF-8 text, an
/// empty input, what exceeds the limits, directives, anchors, aliases, tags,
/// keys that are no scalars, duplicate keys, anything after the document, and
/// what is not YAML. `FileName` stands in the errors.
Result<YamlTree> parseYaml(std::string_view Text, std::string_view FileName,
                           const YamlLimits &Limits = {});

} // namespace kplan

#endif // KPLAN_PLAN_YAMLTREE_H
