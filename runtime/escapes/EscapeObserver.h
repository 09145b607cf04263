//===- EscapeObserver.h - Escapes under the hooks -------------------------===//
//
// Part of kplan. An observer of driver calls that counts loads which nobody
// answered before it, first uses, and frees that wait, in the sealed phase. Add
// it behind the observers that answer calls: what they answer is no escape.
//
// Before the seal it only keeps what is resident where (FirstUses.h). A call of
// which it is known that it uses nothing new costs one hashed lookup.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_ESCAPEOBSERVER_H
#define KPLAN_RUNTIME_ESCAPES_ESCAPEOBSERVER_H

#include "escapes/Sealing.h"

namespace kplan::runtime {

/// Starts it; allocates nothing. With \p Launches launches are hooked as well.
void addEscapeObserver(bool Launches);

/// The watch of a process whose calls are observed.
EscapeWatch &observedEscapes();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_ESCAPEOBSERVER_H
