//===- LoadOptions.cpp - The options of a load, given and made ------------===//

#include "LoadOptions.h"

#include "image/LoadOptions.h"

#include <algorithm>
#include <cstring>

using namespace kplan;
using namespace kplan::runtime;
using image::OptionClass;

namespace {

/// Options are numbers of 32 bits in the place of a pointer.
int64_t numberIn(void *Value) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(Value));
}
void *asValue(uint64_t Number) { return reinterpret_cast<void *>(Number); }

/// More than any log that was seen; the driver cuts off what does not fit.
constexpr size_t LogRoom = 16384;

} // namespace

GivenOptions::GivenOptions(const OptionArrays &Arrays) {
  if ((Arrays.JitCount && (!Arrays.Jit || !Arrays.JitValues)) ||
      (Arrays.LibraryCount && !Arrays.Library)) {
    Understood = false; // The driver may know what to say of it.
    return;
  }
  for (unsigned I = 0; I < Arrays.JitCount; ++I)
    take(static_cast<unsigned>(Arrays.Jit[I]), &Arrays.JitValues[I]);
  for (unsigned I = 0; I < Arrays.LibraryCount; ++I) {
    const image::LoadOption *Known =
        image::findLibraryOption(static_cast<unsigned>(Arrays.Library[I]));
    Understood &= Known && Known->Class == OptionClass::Neutral;
  }
}

void GivenOptions::take(unsigned Option, void **Value) {
  const image::LoadOption *Known = image::findJitOption(Option);
  if (!Known || Known->Class == OptionClass::Pointer) {
    Understood = false;
    return;
  }
  if (Known->Class == OptionClass::Semantic) {
    // One option has no value: what stands in its place means nothing.
    int64_t Number =
        Option == CU_JIT_TARGET_FROM_CUCONTEXT ? 0 : numberIn(*Value);
    Understood &= Semantic.emplace(Known->PlanName, Number).second;
    return;
  }
  switch (static_cast<CUjit_option>(Option)) {
  case CU_JIT_WALL_TIME:
    WallTime = Value;
    break;
  case CU_JIT_INFO_LOG_BUFFER:
    Info.Text = static_cast<char *>(*Value);
    break;
  case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
    Info.Size = Value;
    break;
  case CU_JIT_ERROR_LOG_BUFFER:
    Error.Text = static_cast<char *>(*Value);
    break;
  case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
    Error.Size = Value;
    break;
  case CU_JIT_LOG_VERBOSE:
    Verbose = numberIn(*Value) != 0;
    break;
  default:
    // A neutral option says nothing; an output that is not known here cannot
    // be answered.
    Understood &= Known->Class == OptionClass::Neutral;
  }
}

bool GivenOptions::canAnswer(const JitLog &Log) const {
  if (!Log.Kept && asksForAnything())
    return false;
  // A verbose log is another one than the one that was kept.
  return !(Verbose && Info.Text && !Log.Info.empty());
}

/// A buffer without a size, or the other way round, is nothing to write to.
void GivenOptions::write(const Buffer &To, const std::string &Text) {
  if (!To.Size)
    return;
  size_t Room = To.Text ? static_cast<size_t>(numberIn(*To.Size)) : 0;
  size_t Written = std::min(Text.size(), Room ? Room - 1 : 0);
  if (Room) {
    std::memcpy(To.Text, Text.data(), Written);
    To.Text[Written] = 0;
  }
  *To.Size = asValue(Written);
}

void GivenOptions::answer(const JitLog &Log) const {
  write(Info, Log.Info);
  write(Error, Log.Error);
  if (WallTime)
    std::memcpy(static_cast<void *>(WallTime), &Log.WallMilliseconds,
                sizeof(float));
}

Result<std::unique_ptr<LoadAheadOptions>>
LoadAheadOptions::make(const SemanticOptions &Semantic, ImageKind Kind) {
  auto Made = std::make_unique<LoadAheadOptions>();
  Made->Kind = Kind;
  for (const auto &[Name, Number] : Semantic) {
    const image::LoadOption *Known = image::findJitOption(Name);
    if (!Known || Known->Class != OptionClass::Semantic)
      return makeError("option " + Name + " of the plan is not known");
    Made->add(static_cast<CUjit_option>(Known->Number),
              asValue(static_cast<uint64_t>(Number)));
  }
  if (Kind != ImageKind::Ptx)
    return Made;
  Made->Info.resize(LogRoom);
  Made->Error.resize(LogRoom);
  Made->WallTime = Made->Options.size();
  Made->add(CU_JIT_WALL_TIME, nullptr);
  Made->add(CU_JIT_INFO_LOG_BUFFER, Made->Info.data());
  Made->add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, asValue(LogRoom));
  Made->add(CU_JIT_ERROR_LOG_BUFFER, Made->Error.data());
  Made->add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, asValue(LogRoom));
  return Made;
}

void LoadAheadOptions::add(CUjit_option Option, void *Value) {
  Options.push_back(Option);
  Values.push_back(Value);
}

JitLog LoadAheadOptions::log() const {
  JitLog Log;
  // A fatbin may hold nothing but PTX for this device.
  Log.Kept = Kind != ImageKind::Fatbin;
  if (WallTime == SIZE_MAX)
    return Log;
  Log.Info.assign(Info.data(), strnlen(Info.data(), Info.size()));
  Log.Error.assign(Error.data(), strnlen(Error.data(), Error.size()));
  std::memcpy(&Log.WallMilliseconds,
              static_cast<const void *>(&Values[WallTime]), sizeof(float));
  return Log;
}
