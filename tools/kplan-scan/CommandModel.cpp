//===- CommandModel.cpp - kplan-scan's command line, as data --------------===//

#include "CommandModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

#include <algorithm>

namespace cl = llvm::cl;

namespace kplan::scan {

static cli::ValueKind kindOf(llvm::StringRef Value) {
  if (Value == "file" || Value == "plan")
    return cli::ValueKind::File;
  return Value == "folder" ? cli::ValueKind::Folder : cli::ValueKind::Text;
}

static cli::Option optionOf(const cl::Option &O) {
  cli::Option Out;
  Out.Names = {(O.ArgStr.size() == 1 ? "-" : "--") + O.ArgStr.str()};
  if (O.getValueExpectedFlag() == cl::ValueRequired) {
    Out.Kind = kindOf(O.ValueStr);
    // "file", or an example as "sm_90".
    const bool IsName = llvm::all_of(O.ValueStr, llvm::isAlpha);
    Out.Value = O.ValueStr.empty() ? "VALUE"
                : IsName           ? O.ValueStr.upper()
                                   : O.ValueStr.str();
  }
  Out.Help = O.HelpStr.str();
  return Out;
}

cli::Command commandOf(const char *Overview, const char *Notes) {
  cli::Command Out;
  Out.Name = "kplan-scan";
  Out.Summary = "Write a plan of what CUDA sources use";
  Out.Description = Overview;
  Out.Notes = Notes;
  Out.Operands = {{"PATH", cli::ValueKind::File,
                   "Folders and files to scan; what follows -- is clang's",
                   false, true}};
  for (const auto &Entry : cl::getRegisteredOptions())
    if (const cl::Option *O = Entry.second;
        O->getOptionHiddenFlag() == cl::NotHidden && O->hasArgStr())
      Out.Options.push_back(optionOf(*O));
  // They are registered in no order.
  std::ranges::sort(Out.Options, {},
                    [](const cli::Option &O) { return O.Names.front(); });
  return Out;
}

} // namespace kplan::scan
