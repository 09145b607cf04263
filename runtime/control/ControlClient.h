//===- ControlClient.h - Ask another process ------------------------------===//
//
// Part of kplan. What `kplan seal PID` does.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_CONTROL_CONTROLCLIENT_H
#define KPLAN_RUNTIME_CONTROL_CONTROLCLIENT_H

#include "plan/Diagnostic.h"

#include <string>
#include <sys/types.h>

namespace kplan::runtime::control {

/// Sends a request to a process and returns what it answers. An error says why
/// there is no answer, or that the process refused.
Result<std::string> ask(pid_t Process, const std::string &Request);

} // namespace kplan::runtime::control

#endif // KPLAN_RUNTIME_CONTROL_CONTROLCLIENT_H
