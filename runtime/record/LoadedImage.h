//===- LoadedImage.h - What a load gave to the driver ---------------------===//
//
// Part of kplan. Identifies an image, finds where its bytes can be had again or
// keeps them in the store, and sorts the options of the load.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_LOADEDIMAGE_H
#define KPLAN_RUNTIME_RECORD_LOADEDIMAGE_H

#include "image/Store.h"
#include "plan/Plan.h"
#include "trace/Event.h"

#include <cuda.h>
#include <map>
#include <mutex>
#include <string>

namespace kplan::runtime::record {

class ImageKeeper {
public:
  /// \param PlanFolder where the store is; empty: nothing is kept.
  explicit ImageKeeper(const std::string &PlanFolder)
      : Keeps(!PlanFolder.empty()), Store(PlanFolder) {}

  /// An image that the driver has taken from memory, still there.
  void describe(const void *Image, trace::LoadEvent &To);
  /// One that it has read from a file. The file may go, so that it is kept.
  void describeFile(const char *Path, trace::LoadEvent &To);

private:
  Origin originOf(ImageKind Kind, const std::string &Id, image::ByteView Bytes,
                  bool MayBeMapped, std::string &WhyNot);

  const bool Keeps;
  const image::Store Store;
  std::mutex Lock;
  std::map<std::string, Origin> Origins; ///< By content id.
};

void describeJitOptions(unsigned Count, const CUjit_option *Options,
                        void *const *Values, trace::LoadEvent &To);
void describeLibraryOptions(unsigned Count, const CUlibraryOption *Options,
                            trace::LoadEvent &To);

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_LOADEDIMAGE_H
