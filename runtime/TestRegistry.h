//===- TestRegistry.h - A registry that ends ------------------------------===//
//
// Part of kplan. A Registry is never destroyed; one of a test's own is, and
// gives its memory back.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_TESTREGISTRY_H
#define KPLAN_RUNTIME_TESTREGISTRY_H

#include "Registry.h"

namespace kplan::runtime {

class TestRegistry : public Registry {
public:
  ~TestRegistry() {
    for (const RegisteredImage &I : snapshot())
      remove(I.Handle);
  }
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_TESTREGISTRY_H
