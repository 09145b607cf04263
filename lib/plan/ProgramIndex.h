//===- ProgramIndex.h - All fragments as one program ----------------------===//
//
// Part of kplan. Gives what is private to a fragment a name of its own, joins
// what several TUs say of one thing (a header's functions are in each of them),
// and knows who calls whom.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PROGRAMINDEX_H
#define KPLAN_PLAN_PROGRAMINDEX_H

#include "plan/Fragment.h"
#include "plan/TermEvaluator.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kplan {

class ProgramIndex {
public:
  struct KernelInfo {
    KernelKey Key;
    std::string Name; ///< Empty: no TU declares it, its symbol is all there is.
    std::set<Use> Uses;
    SourcePosition At; ///< Its declaration; no file: not known.
  };

  /// The order of the fragments has no influence, nor has one that comes twice.
  /// Calls through pointers are followed to `MaxCallees` possibilities.
  ProgramIndex(std::vector<Fragment> Fragments, unsigned MaxCallees);
  ProgramIndex(const ProgramIndex &) = delete; // The evaluator refers to it.
  ProgramIndex &operator=(const ProgramIndex &) = delete;

  /// The kernel that a Kernel term means. What the evaluator finds by name is
  /// added while sites are followed.
  const KernelInfo &kernel(const Term &T) const { return Kernels[T.Number]; }

  /// All that are known, by number.
  const std::deque<KernelInfo> &kernels() const { return Kernels; }

  /// Sites that host code may reach; kernels and functions renumbered.
  std::vector<const FragmentSite *> liveSites() const;
  /// The others: only device code calls their function.
  std::vector<const FragmentSite *> deadSites() const;

  /// The calls of a function by live code.
  const std::vector<const FragmentCall *> &callers(const FunctionId &Id) const;

  /// Whether a function may have callers that no fragment shows.
  bool isAddressTaken(const FunctionId &Id) const;

  Term evaluate(const Term &T) { return Evaluator.evaluate(T); }

  // What goes into the plan as it is.
  std::set<Global> Globals;
  std::set<Producer> Producers;
  /// Of templates that no TU instantiates.
  std::set<TemplateSite> Templates;

private:
  std::map<KernelKey, size_t> KernelIds;
  std::deque<KernelInfo> Kernels;
  std::set<FragmentCall> Calls;
  std::set<FragmentSite> Sites;
  std::map<FunctionId, std::vector<const FragmentCall *>> Callers;
  TermEvaluator Evaluator;

  size_t internKernel(const KernelKey &Key);
  void adopt(Fragment F, size_t Ordinal);
  std::vector<const FragmentSite *> sitesThatAre(bool Dead) const;
  bool isDead(const FunctionId &Id) const;
  void revive();
  void linkCalls(unsigned MaxCallees);
  void linkIndirect(const FragmentCall &C, unsigned MaxCallees);
};

} // namespace kplan

#endif // KPLAN_PLAN_PROGRAMINDEX_H
