//===- ResultCache.cpp - Results of earlier scans -------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/ResultCache.h"

#include "plan/FileIO.h"
#include "scan/Paths.h"
#include "scan/Wire.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace fs = std::filesystem;

namespace kplan::scan {

namespace {

/// Changes whenever the meaning of an entry's bytes does.
constexpr std::string_view Layout = "v1";
constexpr std::string_view Suffix = ".unit";
constexpr size_t ChecksumBytes = sizeof(XXH128_canonical_t);

std::string checksum(std::string_view Bytes) {
  XXH128_canonical_t Canonical;
  XXH128_canonicalFromHash(&Canonical,
                           XXH3_128bits(Bytes.data(), Bytes.size()));
  return {reinterpret_cast<const char *>(Canonical.digest), ChecksumBytes};
}

std::string hex(std::string_view Bytes) {
  constexpr std::string_view Digits = "0123456789abcdef";
  std::string Text;
  for (unsigned char Byte : Bytes) {
    Text += Digits[Byte >> 4];
    Text += Digits[Byte & 15];
  }
  return Text;
}

int64_t nanoseconds(const timespec &Time) {
  return Time.tv_sec * int64_t(1'000'000'000) + Time.tv_nsec;
}

std::optional<std::string> readBytes(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return std::nullopt;
  std::string Bytes((std::istreambuf_iterator<char>(File)),
                    std::istreambuf_iterator<char>());
  if (File.bad())
    return std::nullopt;
  return Bytes;
}

} // namespace

bool ResultCache::FileState::sameStat(const FileState &Other) const {
  return Size == Other.Size && Inode == Other.Inode &&
         Modified == Other.Modified && Changed == Other.Changed;
}

ResultCache::ResultCache(std::string Where, const std::string &Program)
    : Folder(std::move(Where)) {
  if (Folder.empty())
    return;
  Folder += "/" + std::string(Layout);
  timespec Now{};
  clock_gettime(CLOCK_REALTIME, &Now);
  Started = nanoseconds(Now);
  const FileState &Self = state(Program);
  Identity = KPLAN_VERSION " " + std::to_string(Self.Size.value_or(0)) + " " +
             std::to_string(Self.Modified);
  std::error_code Error;
  fs::create_directories(Folder, Error);
  if (Error) {
    Problem = makeError("the cache cannot be used: " + Error.message(),
                        "the scan goes on without it");
    Problem->Level = Severity::Warning;
    Problem->File = Folder;
  }
}

ResultCache::FileState ResultCache::FileState::of(const std::string &Path) {
  struct stat Status{};
  if (stat(Path.c_str(), &Status) != 0)
    return {};
  return {static_cast<uint64_t>(Status.st_size), Status.st_ino,
          nanoseconds(Status.st_mtim), nanoseconds(Status.st_ctim)};
}

const ResultCache::FileState &ResultCache::state(const std::string &Path) {
  auto [It, New] = States.try_emplace(Path);
  if (New)
    It->second = FileState::of(Path);
  return It->second;
}

const std::optional<ResultCache::Content> &
ResultCache::content(const std::string &Path) {
  auto [It, New] = Contents.try_emplace(Path);
  if (New)
    if (auto Bytes = readBytes(Path)) {
      const XXH128_hash_t Hash = XXH3_128bits(Bytes->data(), Bytes->size());
      It->second = {Hash.high64, Hash.low64};
    }
  return It->second;
}

bool ResultCache::isUnchanged(const std::string &Path, const FileState &Before,
                              const Content &Hash) {
  const FileState &Now = state(Path);
  if (Now.sameStat(Before))
    return true;
  return Now.Size == Before.Size && content(Path) == Hash;
}

std::string ResultCache::entryPath(const UnitRequest &Request) const {
  const std::string Name =
      hex(checksum(Identity + '\0' + encodeRequest(Request)));
  return Folder + "/" + Name.substr(0, 2) + "/" + Name.substr(2) +
         std::string(Suffix);
}

std::optional<UnitResult> ResultCache::find(const UnitRequest &Request) {
  if (Folder.empty() || Problem)
    return std::nullopt;
  const std::string Path = entryPath(Request);
  const auto Bytes = readBytes(Path);
  if (!Bytes || Bytes->size() < ChecksumBytes)
    return std::nullopt;
  const auto Body =
      std::string_view(*Bytes).substr(0, Bytes->size() - ChecksumBytes);
  if (std::string_view(*Bytes).substr(Body.size()) != checksum(Body))
    return std::nullopt;
  WireReader R(Body);
  std::vector<std::string> Files;
  for (uint64_t N = R.count(); N > 0 && R.good(); --N) {
    Files.push_back(R.text());
    FileState Before;
    Before.Size = R.number();
    Before.Inode = R.number();
    Before.Modified = static_cast<int64_t>(R.number());
    Before.Changed = static_cast<int64_t>(R.number());
    Content Hash;
    Hash.first = R.number();
    Hash.second = R.number();
    if (!R.good() || !isUnchanged(Files.back(), Before, Hash))
      return std::nullopt;
  }
  const std::string Answer = R.text();
  if (!R.complete())
    return std::nullopt;
  auto Result = decodeResult(Answer);
  if (!Result)
    return std::nullopt;
  Result->Dependencies = std::move(Files);
  // Used: not old.
  std::error_code Ignored;
  fs::last_write_time(Path, fs::file_time_type::clock::now(), Ignored);
  return Result;
}

void ResultCache::keep(const UnitRequest &Request, const UnitResult &Result) {
  if (Folder.empty() || Problem || Result.Failed)
    return;
  WireWriter W;
  W.number(Result.Dependencies.size());
  for (const std::string &Path : Result.Dependencies) {
    const FileState Now = FileState::of(Path);
    const auto &Hash = content(Path);
    if (!Now.Size || !Hash || Now.Changed > Started)
      return;
    W.text(Path);
    W.number(*Now.Size);
    W.number(Now.Inode);
    W.number(static_cast<uint64_t>(Now.Modified));
    W.number(static_cast<uint64_t>(Now.Changed));
    W.number(Hash->first);
    W.number(Hash->second);
  }
  UnitResult Bare = Result;
  Bare.Dependencies.clear(); // They are above.
  W.text(encodeResult(Bare));
  std::string Bytes = W.take();
  Bytes += checksum(Bytes);

  const std::string Path = entryPath(Request);
  std::error_code Error;
  fs::create_directories(parentPath(Path), Error);
  if (auto Failure = writeFileAtomically(Path, Bytes)) {
    Problem = std::move(Failure);
    Problem->Level = Severity::Warning;
    Problem->Hint = "the scan goes on without the cache";
  }
}

void ResultCache::removeOld() const {
  if (Folder.empty() || Problem)
    return;
  const auto Oldest =
      fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  std::error_code Error;
  for (fs::recursive_directory_iterator It(Folder, Error), End; It != End;
       It.increment(Error)) {
    std::error_code Gone; // Another scan may tidy up as well.
    if (It->path().extension() == Suffix &&
        fs::last_write_time(It->path(), Gone) < Oldest && !Gone)
      fs::remove(It->path(), Gone);
  }
}

} // namespace kplan::scan
