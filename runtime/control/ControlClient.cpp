//===- ControlClient.cpp - Ask another process ----------------------------===//

#include "control/ControlClient.h"

#include "control/ControlSocket.h"

#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <sys/time.h>

using namespace kplan;
using namespace kplan::runtime::control;

namespace {

constexpr size_t LongestAnswer = 64 << 20;
/// A process that is stopped, or deep in the driver, must not hold us for ever.
constexpr time_t SecondsForAnswer = 60;

std::string nameOf(pid_t Process) {
  return "process " + std::to_string(Process);
}

Diagnostic notListening(pid_t Process) {
  if (::kill(Process, 0) != 0 && errno == ESRCH)
    return makeError("there is no " + nameOf(Process));
  return makeError(
      nameOf(Process) + " does not listen to kplan",
      "start it by 'kplan run' or with KPLAN_SOCKET=1; it listens from its "
      "first call of the CUDA driver on");
}

/// Of the process itself, whoever else may have left a socket of that name.
Result<Descriptor> connectToProcess(pid_t Process) {
  for (const std::string &Folder : folders()) {
    auto IsThere = checkFolder(Folder);
    if (!IsThere)
      return IsThere.errors();
    if (!*IsThere)
      continue;
    auto Address = addressOf(socketPath(Folder, Process));
    if (!Address)
      continue; // Nobody listens there either.
    Descriptor Socket = connectTo(*Address);
    if (!Socket)
      continue;
    auto Other = peerOf(Socket.get());
    if (!Other)
      return Other.errors();
    if (!isTrusted(*Other) || Other->Process != Process)
      return makeError("the socket of " + nameOf(Process) +
                       " belongs to process " + std::to_string(Other->Process) +
                       " of user " + std::to_string(Other->User));
    return Socket;
  }
  return notListening(Process);
}

} // namespace

Result<std::string> kplan::runtime::control::ask(pid_t Process,
                                                 const std::string &Request) {
  auto Socket = connectToProcess(Process);
  if (!Socket)
    return Socket.errors();
  timeval Limit = {SecondsForAnswer, 0};
  ::setsockopt(Socket->get(), SOL_SOCKET, SO_RCVTIMEO, &Limit, sizeof(Limit));
  if (!sendAll(Socket->get(), Request + "\n"))
    return makeError(nameOf(Process) + " went away");
  ::shutdown(Socket->get(), SHUT_WR);

  auto Answer = readAll(Socket->get(), LongestAnswer);
  if (!Answer)
    return makeError(nameOf(Process) + ": " + Answer.errors().front().Message);
  size_t End = Answer->find('\n');
  if (End == Answer->npos)
    return makeError(nameOf(Process) + " went away");
  std::string Status = Answer->substr(0, End);
  if (Status == "ok")
    return Answer->substr(End + 1);
  constexpr std::string_view Error = "error: ";
  if (Status.starts_with(Error))
    Status.erase(0, Error.size());
  return makeError(nameOf(Process) + ": " + Status);
}
