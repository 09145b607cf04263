//===- OutputFile.cpp - Files that are written at the end -----------------===//

#include "OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace kplan::tool {

std::optional<Diagnostic> whyNotWritable(const std::string &Path,
                                         const std::string &What) {
  if (Path.empty())
    return std::nullopt;
  const size_t Slash = Path.rfind('/');
  const std::string Folder = Slash == std::string::npos
                                 ? "."
                                 : Path.substr(0, std::max<size_t>(Slash, 1));
  struct stat Status;
  Diagnostic D;
  D.File = Path;
  if (::stat(Path.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode))
    D.Message = "this " + What + " is a folder";
  else if (::access(Folder.c_str(), W_OK) != 0)
    D.Message = "the folder of this " + What +
                " cannot be written to: " + std::strerror(errno);
  else
    return std::nullopt;
  return D;
}

} // namespace kplan::tool
