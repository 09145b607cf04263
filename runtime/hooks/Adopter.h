//===- Adopter.h - What is loaded ahead, handed out -----------------------===//
//
// Part of kplan. The observer of preload mode. It keeps the table of loaded
// code (CodeTable.h), answers a load that something was loaded ahead for, and
// tells AutoPrime.h when there may be something to prime. Whatever it does not
// fully understand goes on to the driver.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_ADOPTER_H
#define KPLAN_RUNTIME_HOOKS_ADOPTER_H

#include "CodeTable.h"

#include <string>

namespace kplan::runtime::hooks {

/// Starts it, and primes the plan in the environment as contexts appear.
/// Allocates nothing.
void adoptAndPrime();

/// The table of loaded code. From the first call on it is kept up to date, also
/// where nothing primes by itself. Null: it cannot be kept (any more).
CodeTable *keepCodeTable();

/// What became of the images that were loaded ahead; empty: there were none.
std::string describeAdoption();

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_ADOPTER_H
