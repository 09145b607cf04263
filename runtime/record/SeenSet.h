//===- SeenSet.h - What has been seen, without a lock ---------------------===//
//
// Part of kplan. A traced program's launches ask on every call whether this one
// is new; the answer costs a hash and a load. Of fixed size: what does not fit
// is new every time, which costs time and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_SEENSET_H
#define KPLAN_RUNTIME_RECORD_SEENSET_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kplan::runtime::record {

/// Spreads the bits of a number (the finaliser of SplitMix64).
constexpr uint64_t mix(uint64_t Number) {
  Number = (Number ^ Number >> 30) * 0xBF58476D1CE4E5B9;
  Number = (Number ^ Number >> 27) * 0x94D049BB133111EB;
  return Number ^ Number >> 31;
}

/// Keys are numbers whose bits are spread, other than 0 and ~0.
class SeenSet {
public:
  constexpr SeenSet() = default;

  bool contains(uint64_t Key) const {
    for (size_t I = 0; I < Probes; ++I) {
      uint64_t There = Places[(Key + I) % Size].load(std::memory_order_relaxed);
      if (There == Key)
        return true;
      if (There == Empty)
        return false;
    }
    return false;
  }

  /// False: it was there already. Several threads that add the same key at once
  /// may all be told true.
  bool insert(uint64_t Key) {
    if (contains(Key))
      return false;
    for (size_t I = 0; I < Probes; ++I) {
      std::atomic<uint64_t> &Place = Places[(Key + I) % Size];
      uint64_t There = Place.load(std::memory_order_relaxed);
      if ((There == Empty || There == Erased) &&
          Place.compare_exchange_strong(There, Key))
        return true;
      if (There == Key)
        return false;
    }
    return true;
  }

  void erase(uint64_t Key) {
    for (size_t I = 0; I < Probes; ++I) {
      uint64_t There = Key;
      Places[(Key + I) % Size].compare_exchange_strong(There, Erased);
      if (There == Empty)
        return;
    }
  }

  /// What other threads add meanwhile may stay.
  void clear() {
    for (std::atomic<uint64_t> &Place : Places)
      Place.store(Empty, std::memory_order_relaxed);
  }

private:
  static constexpr size_t Size = size_t(1) << 16;
  static constexpr size_t Probes = 32;
  static constexpr uint64_t Empty = 0, Erased = ~uint64_t(0);
  std::atomic<uint64_t> Places[Size] = {};
};

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_SEENSET_H
