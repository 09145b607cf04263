//===- Store.h - Images by content, beside their plan ---------------------===//
//
// Part of kplan. The store of a plan is the folder `images` beside it; an image
// is the file images/<hash>.<kind> there. A file is written whole or not at
// all, never changed, and may be written by several processes at once. What is
// read decides what the driver loads, so only what the user or root owns and
// nobody else may write is read, no link is followed, no path leaves the store,
// and the content id must be that of the bytes.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_STORE_H
#define KPLAN_IMAGE_STORE_H

#include "image/File.h"
#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>
#include <string_view>

namespace kplan::image {

class Store {
public:
  static constexpr std::string_view FolderName = "images";

  /// Of a plan in \p PlanFolder, which may be a link; empty: the working
  /// folder. Opens nothing yet.
  explicit Store(std::string PlanFolder);

  /// Keeps an image and says where; does nothing where it is already. Creates
  /// the store's folder, for the user alone. Not flushed to the disk: after a
  /// power failure read() refuses what was lost.
  Result<StoreOrigin> add(ImageKind Kind, std::string_view Id,
                          ByteView Bytes) const;

  /// The bytes whose content id is \p Id.
  Result<ImageBytes> read(const StoreOrigin &From, std::string_view Id) const;
  /// Bytes that something else vouches for, such as a checksum in the plan.
  Result<ImageBytes> readUnverified(const std::string &Path) const;

private:
  /// Opens the file that \p Path names, one folder after the other.
  Result<File> open(const std::string &Path) const;

  std::string PlanFolder;
};

/// "images/9fb7….cubin", for "xxh3:9fb7…".
std::string storePath(ImageKind Kind, std::string_view Id);

/// Whether a text is "xxh3:" and 32 lower-case hexadecimal digits.
bool isContentId(std::string_view Text);

} // namespace kplan::image

#endif // KPLAN_IMAGE_STORE_H
