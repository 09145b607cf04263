//===- PlanCache.h - Compiled plans, kept by content ----------------------===//
//
// Part of kplan. Reading a large YAML plan takes seconds; its compiled form,
// milliseconds. The first process that reads a plan keeps the compiled form in
// a folder of the user, named by the content id of the text, and the next one
// takes it from there. Anything that is not as it should be (another owner,
// a link, damage, no space) is as if nothing were kept, and said with
// KPLAN_VERBOSE only. The folder may be deleted at any time.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PLANCACHE_H
#define KPLAN_RUNTIME_PLANCACHE_H

#include "plan/Plan.h"

#include <optional>
#include <string>
#include <string_view>

namespace kplan::runtime {

class PlanCache {
public:
  /// \param Folder empty: nothing is kept or found.
  explicit PlanCache(std::string Folder) : Folder(std::move(Folder)) {}

  bool isOn() const { return !Folder.empty(); }

  /// What is executed of the plan whose text has the content id \p Id.
  std::optional<Plan> find(const std::string &Id) const;

  /// Keeps a compiled plan: whole or not at all. Creates the folder, for the
  /// user alone.
  void keep(const std::string &Id, std::string_view Compiled) const;

private:
  std::string Folder;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PLANCACHE_H
