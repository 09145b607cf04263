//===- OnceGuards.h - Conditions that let code run once -------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_ONCEGUARDS_H
#define KPLAN_SCAN_ONCEGUARDS_H

namespace clang {
class Expr;
class Stmt;
} // namespace clang

namespace kplan::scan {

/// Whether a condition is about something that outlives the call (a static
/// flag, a set of what was done, a limit that is only raised) and that is
/// changed by the condition itself or by what it guards.
bool isOnceGuard(const clang::Expr *Condition, const clang::Stmt *Guarded);

} // namespace kplan::scan

#endif // KPLAN_SCAN_ONCEGUARDS_H
