//===- ExitReport.h - What is said at exit --------------------------------===//
//
// Part of kplan. With KPLAN_ON_ESCAPE=warn, a sealed program looks once more
// when it exits and names its escapes on standard error.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_EXITREPORT_H
#define KPLAN_RUNTIME_EXITREPORT_H

namespace kplan::runtime {

/// From the first seal on; later calls do nothing. Handlers run in reverse, so
/// this one runs before the CUDA runtime takes its code away.
void reportEscapesAtExit();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_EXITREPORT_H
