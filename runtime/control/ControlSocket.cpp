//===- ControlSocket.cpp - Where processes are asked to seal --------------===//

#include "control/ControlSocket.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime::control;

namespace {

Diagnostic systemError(std::string What) {
  return makeError(std::move(What) + ": " +
                   std::generic_category().message(errno));
}

} // namespace

Descriptor::~Descriptor() {
  if (Number >= 0)
    ::close(Number);
}

std::vector<std::string> kplan::runtime::control::folders() {
  std::vector<std::string> Paths;
  const char *Runtime = secure_getenv("XDG_RUNTIME_DIR");
  if (Runtime && Runtime[0] == '/')
    Paths.push_back(std::string(Runtime) + "/kplan");
  Paths.push_back("/tmp/kplan-" + std::to_string(::geteuid()));
  return Paths;
}

Result<bool> kplan::runtime::control::checkFolder(const std::string &Path) {
  struct stat Found;
  if (::lstat(Path.c_str(), &Found) != 0) {
    if (errno == ENOENT)
      return false;
    return systemError(Path);
  }
  if (!S_ISDIR(Found.st_mode))
    return makeError(Path + " is not a folder");
  if (Found.st_uid != ::geteuid())
    return makeError(Path + " belongs to another user");
  if (Found.st_mode & 077)
    return makeError(Path + " can be entered by others",
                     "chmod 700 " + Path + ", or remove it");
  return true;
}

std::string kplan::runtime::control::socketPath(const std::string &Folder,
                                                pid_t Process) {
  return Folder + "/" + std::to_string(Process) + ".sock";
}

Result<sockaddr_un>
kplan::runtime::control::addressOf(const std::string &Path) {
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  if (Path.size() >= sizeof(Address.sun_path))
    return makeError(Path + " is too long for the name of a socket");
  std::memcpy(Address.sun_path, Path.c_str(), Path.size() + 1);
  return Address;
}

Descriptor kplan::runtime::control::connectTo(const sockaddr_un &Address) {
  Descriptor Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!Socket ||
      ::connect(Socket.get(), reinterpret_cast<const sockaddr *>(&Address),
                sizeof(Address)) != 0)
    return {};
  return Socket;
}

Result<Peer> kplan::runtime::control::peerOf(int Socket) {
  ucred Credentials = {};
  socklen_t Size = sizeof(Credentials);
  if (::getsockopt(Socket, SOL_SOCKET, SO_PEERCRED, &Credentials, &Size) != 0)
    return systemError("the other end of the socket is not known");
  return Peer{Credentials.pid, Credentials.uid};
}

bool kplan::runtime::control::isTrusted(const Peer &P) {
  return P.User == ::geteuid() || P.User == 0;
}

Result<std::string> kplan::runtime::control::readAll(int Socket, size_t Most) {
  std::string Text;
  char Part[4096];
  while (Text.size() < Most) {
    ssize_t Count =
        ::recv(Socket, Part, std::min(sizeof(Part), Most - Text.size()), 0);
    if (Count == 0)
      break;
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return systemError("no answer");
    Text.append(Part, static_cast<size_t>(Count));
  }
  return Text;
}

bool kplan::runtime::control::sendAll(int Socket, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Count = ::send(Socket, Text.data(), Text.size(), MSG_NOSIGNAL);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Text.remove_prefix(static_cast<size_t>(Count));
  }
  return true;
}
