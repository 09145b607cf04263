//===- ResponseFile.cpp ---------------------------------------------------===//

#include "scan/ResponseFile.h"

#include "scan/CommandLine.h"
#include "scan/NvccOptions.h"
#include "scan/Paths.h"

#include <algorithm>
#include <optional>

namespace kplan::scan {

namespace {

/// Against files that fan out, not only against cycles.
constexpr size_t MaxArguments = 1 << 20;

class Expander {
public:
  Expander(const std::string &Directory, ResponseSyntax Syntax,
           const HostSystem &System)
      : Directory(Directory), Syntax(Syntax), System(System) {}

  bool expand(const std::vector<std::string> &Arguments) {
    return Syntax == ResponseSyntax::Nvcc ? expandNvcc(Arguments)
                                          : expandGnu(Arguments);
  }

  std::vector<std::string> Expanded;
  std::optional<Diagnostic> Error;

private:
  bool expandGnu(const std::vector<std::string> &Arguments) {
    return std::all_of(
        Arguments.begin(), Arguments.end(),
        [&](const std::string &Argument) { return expandOne(Argument); });
  }

  bool expandOne(const std::string &Argument) {
    if (Argument.size() > 1 && Argument[0] == '@') {
      std::string Path = absolutePath(Argument.substr(1), Directory);
      if (System.isFile(Path))
        return enter(Path, splitResponseFile);
    }
    return add(Argument);
  }

  bool expandNvcc(const std::vector<std::string> &Arguments) {
    size_t At = 0;
    for (const NvccArgument &Argument : parseNvccArguments(Arguments)) {
      size_t Count = Argument.SeparateValue ? 2 : 1;
      if (Argument.K == NvccArgument::Option &&
          Argument.Which->Action == NvccAction::OptionsFile) {
        for (const std::string &Name : Argument.Values)
          if (!enter(absolutePath(Name, Directory), splitNvccOptionsFile))
            return false;
      } else if (Argument.K == NvccArgument::Input) {
        if (!expandOne(Arguments[At]))
          return false;
      } else {
        // Copied as written: it is parsed again with what the files hold.
        for (size_t Word = At; Word < At + Count; ++Word)
          if (!add(Arguments[Word]))
            return false;
      }
      At += Count;
    }
    return true;
  }

  template <typename Splitter> bool enter(std::string Path, Splitter Split) {
    if (std::find(Open.begin(), Open.end(), Path) != Open.end())
      return fail("options file '" + Path + "' includes itself");
    std::optional<std::string> Text = System.read(Path);
    if (!Text)
      return fail("cannot read options file '" + Path + "'",
                  "build the project first: build systems write such files "
                  "when they configure or build");
    Open.push_back(Path);
    bool Done = expand(Split(*Text));
    Open.pop_back();
    return Done;
  }

  bool add(std::string Argument) {
    if (Expanded.size() >= MaxArguments)
      return fail("options files expand to too many arguments");
    Expanded.push_back(std::move(Argument));
    return true;
  }

  bool fail(std::string Message, std::string Hint = {}) {
    Error = makeError(std::move(Message), std::move(Hint));
    return false;
  }

  const std::string &Directory;
  ResponseSyntax Syntax;
  const HostSystem &System;
  std::vector<std::string> Open; ///< Files being read, outermost first.
};

} // namespace

Result<std::vector<std::string>>
expandResponseFiles(const std::vector<std::string> &Arguments,
                    const std::string &Directory, ResponseSyntax Syntax,
                    const HostSystem &System) {
  Expander E(Directory, Syntax, System);
  if (!E.expand(Arguments))
    return *E.Error;
  return std::move(E.Expanded);
}

} // namespace kplan::scan
