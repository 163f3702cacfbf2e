// From URI schemes to what serves them, in memory that is quick to look
// through.
#ifndef FSLOAD_CORE_SCHEME_MAP_H_
#define FSLOAD_CORE_SCHEME_MAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"

namespace fsload {

// Holds pointers, never null, that are not its own. Any number of threads may
// read one that no thread changes.
template <typename T>
class SchemeMap final {
 public:
  using Row = std::pair<std::string, const T*>;

  SchemeMap() { Index(); }

  // What `scheme` has; null where it has nothing. A scheme of up to seven bytes
  // costs no more than a comparison or two.
  const T* Find(std::string_view scheme) const {
    const uint64_t key = Key(scheme);
    for (size_t i = Begin(key);; ++i) {
      const Slot& slot = slots_[i & mask_];
      if (slot.value == nullptr) return nullptr;
      if (slot.key != key) continue;
      if (ABSL_PREDICT_TRUE(scheme.size() <= kExact)) return slot.value;
      if (rows_[slot.row].first == scheme) return slot.value;
    }
  }

  // Adds a scheme that it does not have.
  void Insert(std::string_view scheme, const T* value) {
    rows_.emplace(LowerBound(scheme), scheme, value);
    Index();
  }

  // Takes a scheme out that it has.
  void Erase(std::string_view scheme) {
    rows_.erase(LowerBound(scheme));
    Index();
  }

  // All, sorted by scheme.
  const std::vector<Row>& rows() const { return rows_; }

 private:
  struct Slot {
    uint64_t key = 0;
    const T* value = nullptr;
    size_t row = 0;
  };

  // The most bytes that a key tells all of.
  static constexpr size_t kExact = 7;

  // The first seven bytes, and how many there are.
  static uint64_t Key(std::string_view scheme) {
    const size_t n = std::min(scheme.size(), kExact);
    uint64_t key = std::min<size_t>(scheme.size(), UINT8_MAX);
    key <<= 8 * kExact;
    if (n >= 4) {
      uint32_t first;
      uint32_t last;
      std::memcpy(&first, scheme.data(), sizeof(first));
      std::memcpy(&last, scheme.data() + n - sizeof(last), sizeof(last));
      return key | first | uint64_t{last} << (8 * (n - sizeof(last)));
    }
    for (size_t i = 0; i < n; ++i) {
      key |= uint64_t{static_cast<uint8_t>(scheme[i])} << (8 * i);
    }
    return key;
  }

  // Where to look for a key first.
  static size_t Begin(uint64_t key) {
    return (key * 0x9e3779b97f4a7c15) >> 32;  // Knuth's multiplicative hash
  }

  auto LowerBound(std::string_view scheme) {
    return std::lower_bound(rows_.begin(), rows_.end(), scheme,
                            [](const Row& row, std::string_view wanted) {
                              return row.first < wanted;
                            });
  }

  // Puts all rows into slots, at least half of which stay empty.
  void Index() {
    size_t slots = 4;
    while (slots < 2 * rows_.size()) slots *= 2;
    slots_.assign(slots, Slot());
    mask_ = slots - 1;
    for (size_t row = 0; row < rows_.size(); ++row) {
      const uint64_t key = Key(rows_[row].first);
      size_t i = Begin(key);
      while (slots_[i & mask_].value != nullptr) ++i;
      slots_[i & mask_] = {key, rows_[row].second, row};
    }
  }

  std::vector<Row> rows_;
  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_SCHEME_MAP_H_
