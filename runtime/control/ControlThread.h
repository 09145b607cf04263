//===- ControlThread.h - A thread that listens, and seals in time ---------===//
//
// Part of kplan. Started only where it is asked for (KPLAN_SOCKET,
// KPLAN_SEAL_AFTER), in a process that has called the CUDA driver. It blocks
// every signal, so that the program's handlers run where they did before, and
// calls what it was given, nothing else. It has no life of its own beyond the
// process: a forked child has none until it starts one.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_CONTROL_CONTROLTHREAD_H
#define KPLAN_RUNTIME_CONTROL_CONTROLTHREAD_H

#include "control/ControlSocket.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace kplan::runtime::control {

struct ControlTask {
  bool Listen = false;
  /// Answers a request: "ok\n..." or "error: why\n".
  std::function<std::string(std::string_view)> Answer;
  /// When to call OnTime, once.
  std::optional<std::chrono::duration<double>> After;
  std::function<void()> OnTime;
};

class ControlThread {
public:
  explicit ControlThread(ControlTask Task) : Task(std::move(Task)) {}
  ControlThread(const ControlThread &) = delete;
  ControlThread &operator=(const ControlThread &) = delete;

  /// Makes the socket and starts the thread, which uses this object from then
  /// on: it must live as long as the process. Returns what went wrong.
  std::optional<Diagnostic> start();

  /// When the process ends: takes the socket away, and waits until nothing is
  /// being answered, but not long. In a forked child it does nothing.
  void stop();

  /// In a forked child, which has not the thread: closes its end. Calls nothing
  /// that is unsafe after fork.
  void abandon();

  /// The socket's; empty where there is none.
  const std::string &path() const { return Path; }

private:
  std::optional<Diagnostic> listen();
  void run();
  void serve();
  /// Unless the process ends.
  template <class F> void whileRunning(const F &Do);

  ControlTask Task;
  std::string Path;
  Descriptor Socket;
  pid_t Owner = 0;
  std::timed_mutex Busy;
  bool Stopped = false; ///< Under Busy.
};

} // namespace kplan::runtime::control

#endif // KPLAN_RUNTIME_CONTROL_CONTROLTHREAD_H
