//===- LoadedImage.cpp - What a load gave to the driver -------------------===//

#include "record/LoadedImage.h"

#include "image/Image.h"
#include "image/LoadOptions.h"
#include "image/Origin.h"
#include "plan/Names.h"

#include <fcntl.h>

using namespace kplan;
using namespace kplan::runtime::record;
using image::OptionClass;

Origin ImageKeeper::originOf(ImageKind Kind, const std::string &Id,
                             image::ByteView Bytes, bool MayBeMapped,
                             std::string &WhyNot) {
  {
    std::lock_guard Guard(Lock);
    if (auto Found = Origins.find(Id); Found != Origins.end())
      return Found->second;
  }
  Origin Where;
  if (auto Range = MayBeMapped ? image::findInMappedFiles(Bytes) : std::nullopt)
    Where = *Range;
  else if (!Keeps)
    return Where;
  else if (auto Stored = Store.add(Kind, Id, Bytes))
    Where = *Stored;
  else {
    WhyNot = Stored.errors()[0].File + ": " + Stored.errors()[0].Message;
    return Where;
  }
  std::lock_guard Guard(Lock);
  return Origins.emplace(Id, Where).first->second;
}

static void write(const Origin &Where, trace::LoadEvent &To) {
  if (auto *Stored = std::get_if<StoreOrigin>(&Where))
    To.Store = Stored->Path;
  if (auto *Range = std::get_if<FileOrigin>(&Where)) {
    To.File = Range->File;
    To.BuildId = Range->BuildId;
    To.Offset = Range->Offset;
    To.Size = Range->Size;
  }
}

void ImageKeeper::describe(const void *Image, trace::LoadEvent &To) {
  auto Identity = image::identifyPointer(Image);
  if (!Identity) {
    To.Unknown = Identity.errors()[0].Message;
    return;
  }
  To.Image = image::contentId(Identity->Bytes);
  To.Kind = nameOf(Identity->Kind);
  To.Wrapper = Identity->WrapperVersion;
  write(originOf(Identity->Kind, To.Image, Identity->Bytes, true, To.Unknown),
        To);
}

void ImageKeeper::describeFile(const char *Path, trace::LoadEvent &To) {
  constexpr off_t LargestFile = off_t(4) << 30;
  image::File From = image::File::open(Path, O_RDONLY | O_NONBLOCK);
  struct stat Status;
  if (!From.valid() || !From.status(Status) || Status.st_size > LargestFile) {
    To.Unknown = std::string(Path) + " cannot be read again";
    return;
  }
  image::ImageBytes Bytes(static_cast<size_t>(Status.st_size));
  if (!From.read(Bytes.data(), Bytes.view().size(), 0)) {
    To.Unknown = std::string(Path) + " cannot be read again";
    return;
  }
  auto Identity = image::identify(Bytes.view());
  if (!Identity) {
    To.Unknown = std::string(Path) + ": " + Identity.errors()[0].Message;
    return;
  }
  To.Image = image::contentId(Identity->Bytes);
  To.Kind = nameOf(Identity->Kind);
  write(originOf(Identity->Kind, To.Image, Identity->Bytes, false, To.Unknown),
        To);
}

static void describeOption(const image::LoadOption *Option, unsigned Number,
                           const void *Value, trace::LoadEvent &To) {
  if (!Option)
    To.Unwritten.push_back("option_" + std::to_string(Number));
  else if (Option->Class == OptionClass::Pointer)
    To.Unwritten.emplace_back(Option->PlanName);
  else if (Option->Class == OptionClass::Semantic) {
    // Integers are passed in place of the pointer; all are 32 bits wide. One
    // option has no value.
    bool HasValue = Number != CU_JIT_TARGET_FROM_CUCONTEXT;
    To.Options.emplace_back(Option->PlanName);
    To.Options.push_back(std::to_string(
        HasValue ? static_cast<uint32_t>(reinterpret_cast<uintptr_t>(Value))
                 : 0));
  }
}

void kplan::runtime::record::describeJitOptions(unsigned Count,
                                                const CUjit_option *Options,
                                                void *const *Values,
                                                trace::LoadEvent &To) {
  for (unsigned I = 0; Options && I < Count; ++I)
    describeOption(image::findJitOption(static_cast<unsigned>(Options[I])),
                   static_cast<unsigned>(Options[I]),
                   Values ? Values[I] : nullptr, To);
}

void kplan::runtime::record::describeLibraryOptions(
    unsigned Count, const CUlibraryOption *Options, trace::LoadEvent &To) {
  for (unsigned I = 0; Options && I < Count; ++I)
    describeOption(image::findLibraryOption(static_cast<unsigned>(Options[I])),
                   static_cast<unsigned>(Options[I]), nullptr, To);
}
