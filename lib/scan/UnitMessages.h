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
/// The fragment goes through the strict reader: what a dying worker left
/// behind never enters a plan.
Result<UnitResult> decodeResult(std::string_view Bytes,
                                const std::string &Name);

} // namespace kplan::scan

#endif // KPLAN_SCAN_UNITMESSAGES_H
