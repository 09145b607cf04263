//===- Call.h - Around every entry point of the stand-in driver -----------===//
//
// Part of kplan's tests. call() takes the lock, fails the call where
// KPLAN_STANDIN_FAIL asks for it, checks cuInit, and writes the line of
// KPLAN_STANDIN_LOG. effect() does what Model.def says of the call.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_STANDIN_CALL_H
#define KPLAN_STANDIN_CALL_H

#include "State.h"

#include <functional>
#include <string>

namespace standin {

enum class Waits { Never, Untouched, Touched, Always, Eager };
struct Effect {
  Waits When = Waits::Never;
  bool Loads = false;
};
/// The row of Model.def; the default for a call that has none.
Effect effectOf(const std::string &Function);

class Call {
public:
  Call(const char *Function, State &S, Lock &L)
      : Function(Function), S(S), L(L) {}

  const char *const Function;
  State &S;
  Lock &L;
  std::string Subject; ///< Symbols and the like, for the log.

  /// Waits and loads as Model.def says, for a library and maybe a kernel of it.
  void effect(Device &On, Library *In = nullptr, Kernel *K = nullptr);
  /// Makes the library resident; says whether it was not.
  bool touch(Device &On, Library &In);
};

using Body = std::function<CUresult(Call &)>;

/// \p NeedsInit: CUDA_ERROR_NOT_INITIALIZED before cuInit.
CUresult call(const char *Function, const Body &Do, bool NeedsInit = true);

/// As call(), in the current context's device.
CUresult callOnDevice(const char *Function,
                      const std::function<CUresult(Call &, Device &)> &Do);

} // namespace standin

#endif // KPLAN_STANDIN_CALL_H
