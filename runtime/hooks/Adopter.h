//===- Adopter.h - What is loaded ahead, handed out -----------------------===//
//
// Part of kplan. The observer that keeps the table of loaded code
// (CodeTable.h), answers a load that something was loaded ahead for, and tells
// AutoPrime.h when there may be something to prime. Whatever it does not fully
// understand goes on to the driver.
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

/// Keeps the table of loaded code from here on, also where nothing primes by
/// itself. Allocates nothing.
void keepCode();

/// The table, kept from now on at the latest. Null: it cannot be (any more).
CodeTable *keepCodeTable();

/// What became of the images that were loaded ahead; empty: there were none.
std::string describeAdoption();

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_ADOPTER_H
