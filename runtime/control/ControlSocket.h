//===- ControlSocket.h - Where processes are asked to seal ----------------===//
//
// Part of kplan. A process under kplan listens on a Unix socket named by its
// process id, in a folder that only its user can enter: $XDG_RUNTIME_DIR/kplan,
// or /tmp/kplan-UID. Both sides check by SO_PEERCRED whom they talk to. A
// request is one line; the answer is "ok" or "error: why", a newline, and what
// was asked for, up to the end of the connection.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_CONTROL_CONTROLSOCKET_H
#define KPLAN_RUNTIME_CONTROL_CONTROLSOCKET_H

#include "plan/Diagnostic.h"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <sys/un.h>
#include <utility>
#include <vector>

namespace kplan::runtime::control {

inline constexpr size_t LongestRequest = 64;

/// A file descriptor that is closed at the end.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int Number) : Number(Number) {}
  Descriptor(Descriptor &&Other) noexcept
      : Number(std::exchange(Other.Number, -1)) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    swap(Other);
    return *this;
  }
  void swap(Descriptor &Other) noexcept { std::swap(Number, Other.Number); }
  ~Descriptor();

  int get() const { return Number; }
  explicit operator bool() const { return Number >= 0; }

private:
  int Number = -1;
};

/// Folders that may hold sockets, the preferred one first.
std::vector<std::string> folders();

/// Whether a folder is there; an error where it is not this user's alone.
Result<bool> checkFolder(const std::string &Path);

/// FOLDER/PID.sock
std::string socketPath(const std::string &Folder, pid_t Process);

/// An error where the path is too long for one.
Result<sockaddr_un> addressOf(const std::string &Path);

/// Connects to it where somebody listens; empty where nobody does. errno tells.
Descriptor connectTo(const sockaddr_un &Address);

struct Peer {
  pid_t Process = 0;
  uid_t User = 0;
};
/// Who is at the other end; for a listener's end, who made it listen.
Result<Peer> peerOf(int Socket);

/// Whether a peer may ask, or answer: the same user, or root.
bool isTrusted(const Peer &P);

/// Reads to the end of the connection, or up to \p Most bytes.
Result<std::string> readAll(int Socket, size_t Most);
/// Whether all of it was sent. A peer that has gone raises no signal.
bool sendAll(int Socket, std::string_view Text);

} // namespace kplan::runtime::control

#endif // KPLAN_RUNTIME_CONTROL_CONTROLSOCKET_H
