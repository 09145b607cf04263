//===- LiveCode.h - Which code is still there -----------------------------===//
//
// Part of kplan. What is registered and what is loaded, in one: to ask about
// code by the name that it keeps, while it cannot go away.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LIVECODE_H
#define KPLAN_RUNTIME_LIVECODE_H

#include "CodeTable.h"
#include "Registry.h"

#include <optional>

namespace kplan::runtime {

class LiveCode {
public:
  /// \param Loaded null where that is not seen.
  explicit LiveCode(const Registry &Registered,
                    const CodeTable *Loaded = nullptr)
      : Registered(Registered), Loaded(Loaded) {}

  /// While it lives, no code is taken away: those who do so wait.
  class Hold {
  public:
    explicit Hold(const LiveCode &Of) : Registered(Of.Registered.hold()) {
      if (Of.Loaded)
        Loaded.emplace(Of.Loaded->hold());
    }
    bool has(CodeId Id) const {
      if (Id.From == CodeId::Kind::Registered)
        return Registered.has(Id.Serial);
      return Loaded && Loaded->has(Id.Serial);
    }

  private:
    Registry::Hold Registered;
    std::optional<CodeTable::Hold> Loaded;
  };

private:
  const Registry &Registered;
  const CodeTable *Loaded;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LIVECODE_H
