//===- SecureFile.h - Read a file that only its user could have written ---===//
//
// Part of kplan. A plan decides what a process loads, so it is read only from a
// regular file, not through a link, that belongs to the user or root and that
// nobody else may write.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_SECUREFILE_H
#define KPLAN_RUNTIME_SECUREFILE_H

#include "plan/Diagnostic.h"

#include <string>

namespace kplan::runtime {

Result<std::string> readSecureFile(const std::string &Path);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_SECUREFILE_H
