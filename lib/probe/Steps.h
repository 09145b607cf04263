//===- Steps.h - Steps that several rows share ----------------------------===//
//
// Part of kplan; private to lib/probe. The library under test is Text::Program,
// loaded lazily from a cubin: nothing has touched it before a row does.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_STEPS_H
#define KPLAN_PROBE_STEPS_H

#include "probe/Bench.h"

#define CU(Name, ...) KPLAN_PROBE_CALL(B, Name, __VA_ARGS__)

namespace kplan::probe {

CUlibrary loadLibrary(Bench &B, Text Which = Text::Program);
CUkernel kernelOf(Bench &B, CUlibrary In, const char *Name);
/// Loads the library and finds a kernel of it; touches nothing.
CUkernel kernel(Bench &B, const char *Name);
/// Makes its library resident and loads its function.
CUfunction load(Bench &B, CUkernel Of);
CUfunction loadByName(Bench &B, const char *Name);
/// One thread on B's stream, with the mapped word and 0 as arguments. A kernel
/// can stand for its function.
void launch(Bench &B, CUfunction Function);
void launch(Bench &B, CUkernel Of);
/// Loads a small kernel on the primary context, launches it, waits for it.
CUmodule launchCure(Bench &B, Text Which);
/// Says in the note whether the library is resident now: the first touch of
/// another kernel of it would wait.
void noteResidency(Bench &B, CUlibrary Of);
unsigned functionsLoaded(Bench &B, CUmodule In);
/// A function of a module, not loaded by asking for it.
CUfunction listedFunction(Bench &B, CUmodule In, std::string_view Name);
const char *nameOf(Verdict V);
std::string megabytes(size_t Before, size_t After);

} // namespace kplan::probe

#endif // KPLAN_PROBE_STEPS_H
