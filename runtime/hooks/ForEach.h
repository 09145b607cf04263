//===- ForEach.h - Macros over lists of pairs -----------------------------===//
//
// Part of kplan. DriverFunctions.def has lists `(Type, Name), (Type, Name)...`;
// these apply a macro to each pair.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_FOREACH_H
#define KPLAN_RUNTIME_HOOKS_FOREACH_H

// A macro does not expand itself; each rescan takes one step more.
#define KPLAN_RESCAN(...)                                                      \
  KPLAN_RESCAN8(KPLAN_RESCAN8(KPLAN_RESCAN8(__VA_ARGS__)))
#define KPLAN_RESCAN8(...)                                                     \
  KPLAN_RESCAN2(KPLAN_RESCAN2(KPLAN_RESCAN2(__VA_ARGS__)))
#define KPLAN_RESCAN2(...) KPLAN_RESCAN1(KPLAN_RESCAN1(__VA_ARGS__))
#define KPLAN_RESCAN1(...) __VA_ARGS__
#define KPLAN_PARENTHESES ()

/// Macro(Type, Name) for each pair, one after the other.
#define KPLAN_EACH(Macro, ...)                                                 \
  __VA_OPT__(KPLAN_RESCAN(KPLAN_EACH_STEP(Macro, __VA_ARGS__)))
#define KPLAN_EACH_STEP(Macro, Pair, ...)                                      \
  Macro Pair __VA_OPT__(KPLAN_EACH_NEXT KPLAN_PARENTHESES(Macro, __VA_ARGS__))
#define KPLAN_EACH_NEXT() KPLAN_EACH_STEP

/// The same with commas between.
#define KPLAN_LIST(Macro, ...)                                                 \
  __VA_OPT__(KPLAN_RESCAN(KPLAN_LIST_STEP(Macro, __VA_ARGS__)))
#define KPLAN_LIST_STEP(Macro, Pair, ...)                                      \
  Macro Pair __VA_OPT__(, KPLAN_LIST_NEXT KPLAN_PARENTHESES(Macro, __VA_ARGS__))
#define KPLAN_LIST_NEXT() KPLAN_LIST_STEP

#endif // KPLAN_RUNTIME_HOOKS_FOREACH_H
