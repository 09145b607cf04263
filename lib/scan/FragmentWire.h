//===- FragmentWire.h - Fragments between a scan and its workers ----------===//
//
// Part of kplan. The compact form of a fragment. A file of fragments, which
// people may look at, is YAML (plan/Fragment.h).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_FRAGMENTWIRE_H
#define KPLAN_SCAN_FRAGMENTWIRE_H

#include "plan/Fragment.h"
#include "scan/Wire.h"

namespace kplan::scan {

void encode(WireWriter &W, const Fragment &F);

/// What cannot be a fragment makes the reader fail.
Fragment decodeFragment(WireReader &R);

} // namespace kplan::scan

#endif // KPLAN_SCAN_FRAGMENTWIRE_H
