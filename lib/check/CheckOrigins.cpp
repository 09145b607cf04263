//===- CheckOrigins.cpp - Images against the files they came from ---------===//

#include "check/Check.h"
#include "check/Finding.h"
#include "image/Compiled.h"
#include "image/Image.h"
#include "image/Mapping.h"
#include "image/Origin.h"
#include "image/Store.h"

#include <fcntl.h>
#include <optional>

namespace kplan::check {

using image::ProgramCode;

namespace {

class OriginChecker {
public:
  OriginChecker(const Subject &Of, const std::vector<ProgramCode> &Programs,
                Findings &Out)
      : Of(Of), Programs(Programs), Out(Out) {}

  void check(const Image &I) {
    if (const auto *File = std::get_if<FileOrigin>(&I.Origin))
      checkFile(I, *File);
    else if (const auto *Store = std::get_if<StoreOrigin>(&I.Origin))
      checkStored(image::Store(Of.Folder).read(*Store, I.Id));
    checkCompiled(I.Compiled);
  }

  void checkCompiled(const std::vector<CompiledImage> &Compiled) {
    for (const CompiledImage &C : Compiled)
      checkStored(image::readCompiled(C, Of.Folder));
  }

private:
  void checkStored(const Result<image::ImageBytes> &Bytes) {
    if (Bytes)
      ++Out.OriginsSound;
    else
      Out.List.insert(Out.List.end(), Bytes.errors().begin(),
                      Bytes.errors().end());
  }

  /// The file itself, or one of its name.
  std::optional<std::string> find(const FileOrigin &Origin) const {
    struct stat Status;
    if (::stat(Origin.File.c_str(), &Status) == 0)
      return Origin.File;
    for (const ProgramCode &Program : Programs)
      if (baseName(Program.Path) == baseName(Origin.File))
        return Program.Path;
    return std::nullopt;
  }

  const std::string &buildIdOf(const std::string &Path) {
    auto [It, New] = BuildIds.try_emplace(Path);
    if (New)
      It->second = image::readBuildId(Path);
    return It->second;
  }

  void checkFile(const Image &I, const FileOrigin &Origin) {
    auto Path = find(Origin);
    if (!Path) {
      ++Out.OriginsAbsent;
      return;
    }
    auto Changed = [&](const std::string &Why) {
      // A library with a hundred images has changed once.
      if (Reported.emplace(*Path, true).second)
        add(Out, Of, *Path + " has changed: " + Why, "trace the program again");
    };
    if (!Origin.BuildId.empty() && buildIdOf(*Path) != Origin.BuildId)
      return Changed("its build id is " +
                     (buildIdOf(*Path).empty() ? "gone" : buildIdOf(*Path)) +
                     ", the plan has " + Origin.BuildId);
    image::Mapping Whole(image::File::open(*Path, O_RDONLY | O_NONBLOCK));
    auto Bytes = Whole.view().slice(Origin.Offset, Origin.Size);
    if (!Bytes || image::contentId(*Bytes) != I.Id)
      return Changed("image " + I.Id + " is not where the plan says");
    ++Out.OriginsSound;
  }

  const Subject &Of;
  const std::vector<ProgramCode> &Programs;
  Findings &Out;
  std::map<std::string, std::string> BuildIds;
  std::map<std::string, bool> Reported;
};

} // namespace

void checkOrigins(const Subject &Of, const std::vector<ProgramCode> &Programs,
                  Findings &Out) {
  OriginChecker Checker(Of, Programs, Out);
  for (const Image &I : Of.Plan.Images)
    Checker.check(I);
  for (const Module &M : Of.Plan.Modules)
    Checker.checkCompiled(M.Compiled);
}

} // namespace kplan::check
