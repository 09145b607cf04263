//===- UnitMessages.h - What a scan and its workers tell each other -------===//
//
// Part of kplan. A request is all that a worker needs to know, an answer all
// that it found out.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_UNITMESSAGES_H
#define KPLAN_SCAN_UNITMESSAGES_H

#include "plan/Diagnostic.h"
#include "scan/Command.h"
#include "scan/ScanUnit.h"

#include <optional>
#include <string>
#include <string_view>

namespace kplan::scan {

struct UnitRequest {
  ClangCommand Command;
  UnitOptions Options;
};

std::string encodeRequest(const UnitRequest &Request);
std::optional<UnitRequest> decodeRequest(std::string_view Bytes);

std::string encodeResult(const UnitResult &Result);
/// Strict: what a dying worker left behind never enters a plan.
std::optional<UnitResult> decodeResult(std::string_view Bytes);

} // namespace kplan::scan

#endif // KPLAN_SCAN_UNITMESSAGES_H
