//===- CodeTable.h - The code that is loaded in this process --------------===//
//
// Part of kplan. Loads and unloads are seen: each library and module that is
// alive has an entry here, in the order of loading, whether the
// program loaded it or priming did so ahead of it. The program that loads the
// same image the same way claims what is there:
//
// - the bytes are equal, not only their ids, and so are the semantic options;
// - a copy is claimed once. Unloaded, its entry is gone: the next load gets
//   fresh globals from the driver;
// - a module is claimed in the context that it was loaded in, a green context
//   being its primary's; a library in any;
// - entries die with their context.
//
// Thread-safe; calls no driver.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_CODETABLE_H
#define KPLAN_RUNTIME_CODETABLE_H

#include "CodeHandle.h"
#include "ImageMatch.h"
#include "JitLog.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kplan::runtime {

enum class CodeOwner {
  Program, ///< Loaded by the program.
  Ahead,   ///< Loaded by priming, not claimed.
  Claimed, ///< Loaded by priming, then claimed by the program.
};

/// What decides which code results from an image.
using SemanticOptions = std::map<std::string, int64_t>;

struct CodeEntry {
  uint64_t Serial = 0; ///< In the order of loading; never used again.
  CodeHandle Handle;
  CodeOwner Owner = CodeOwner::Program;
  std::string Image; ///< Content id; empty: not known.
  SemanticOptions Options;
  uint64_t Home = 0; ///< Of a module: see PrimeContext::homeId(). Libraries: 0.
  CUdevice Device = -1; ///< Of a module, and where a library was loaded ahead.
  /// Of one that is loaded ahead, to be compared.
  ImageKind Kind = ImageKind::Cubin;
  std::shared_ptr<const image::ImageBytes> Bytes;
  JitLog Log; ///< What the driver said when priming loaded it.
};

/// What the program gets instead of a load.
struct ClaimedCode {
  CodeHandle Handle;
  JitLog Log;
};

struct CodeCounts {
  uint64_t Loaded = 0;    ///< By priming, ever.
  uint64_t Claimed = 0;   ///< Ever.
  uint64_t Unclaimed = 0; ///< Alive.
};

class CodeTable {
public:
  /// Gives the entry its serial.
  uint64_t add(CodeEntry Entry);

  /// Whether a load with these options could claim anything: a cheap question
  /// to ask before the image is looked at.
  bool mayClaim(Loader By, const SemanticOptions &Options) const;
  /// \param Given what the program hands to the driver.
  /// \param Suits whether what was said while loading can be said again.
  /// \param Home asked for a module only, and only where the bytes are equal.
  std::optional<ClaimedCode>
  claim(Loader By, const GivenImage &Given, const SemanticOptions &Options,
        const std::function<bool(const JitLog &)> &Suits,
        const std::function<uint64_t()> &Home);

  /// The program unloads it. Before the call, since the driver may give the
  /// handle out again at once; put it back where the call fails.
  std::optional<CodeEntry> remove(CodeHandle Handle);
  void putBack(CodeEntry Entry);

  /// A context has ended, or was reset: modules in it are gone, and libraries
  /// that were loaded ahead for its device are taken out and returned.
  std::vector<CodeEntry> forgetHome(uint64_t Home, CUdevice Device);
  /// Takes out what has been loaded ahead since `Serial` and not been claimed.
  std::vector<CodeEntry> takeAhead(uint64_t SinceSerial);

  /// How many copies of an image are alive, whoever loaded them.
  unsigned copies(Loader By, const std::string &Image,
                  const SemanticOptions &Options, uint64_t Home) const;
  /// Entries that matter in a context, in order: all libraries, its modules;
  /// only those after `Serial`. Without bytes and logs.
  std::vector<CodeEntry> list(uint64_t Home, uint64_t AfterSerial = 0) const;
  /// Of the latest entry of all; 0: none.
  uint64_t lastSerial() const;
  CodeCounts counts() const;

  /// While it lives one entry is not removed: remove() of it waits. Short: the
  /// unload that waits would have waited for the device in the driver as well.
  class Pin {
  public:
    Pin(CodeTable &T, uint64_t Serial);
    ~Pin();
    Pin(const Pin &) = delete;
    Pin &operator=(const Pin &) = delete;
    /// False: the entry is gone.
    explicit operator bool() const { return Pinned; }

  private:
    CodeTable &Owner;
    uint64_t Serial;
    bool Pinned;
  };

  /// While it lives nothing is removed at all.
  class Hold {
  public:
    bool has(uint64_t Serial) const;

  private:
    friend class CodeTable;
    explicit Hold(const CodeTable &T) : Lock(T.Mutex), Owner(T) {}
    std::unique_lock<std::mutex> Lock;
    const CodeTable &Owner;
  };
  Hold hold() const { return Hold(*this); }

private:
  mutable std::mutex Mutex;
  std::condition_variable Unpinned;
  std::vector<uint64_t> Pinned;   ///< Serials, one for each pin.
  std::vector<CodeEntry> Entries; ///< By serial.
  uint64_t Last = 0;
  uint64_t Loaded = 0;
  uint64_t Claimed = 0;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_CODETABLE_H
