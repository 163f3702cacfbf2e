// Maps URI schemes to pointers, for fast lookup.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"

namespace fsload {

// Holds non-null pointers that it does not own. Concurrent reads are safe while
// no thread changes it.
template <typename T>
class SchemeMap final {
 public:
  using Row = std::pair<std::string, const T*>;

  SchemeMap() { Index(); }

  // Returns the value for `scheme`; null if there is none.
  const T* Find(std::string_view scheme) const {
    return Find(scheme, scheme.size());
  }

  // Does the same for the scheme in the first `scheme_bytes` bytes of `text`.
  // One of up to kExact bytes costs a comparison or two, and is fastest if the
  // text continues after it.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const T* Find(std::string_view text,
                                             size_t scheme_bytes) const {
    if (ABSL_PREDICT_FALSE(scheme_bytes > kExact)) {
      return FindLong({text.data(), scheme_bytes});
    }
    const uint64_t key = Key(text, scheme_bytes);
    for (size_t i = Begin(key);; ++i) {
      const Slot& slot = slots_[i & mask_];
      if (ABSL_PREDICT_TRUE(slot.key == key)) return slot.value;
      if (slot.value == nullptr) return nullptr;
    }
  }

  // Adds a new scheme.
  void Insert(std::string_view scheme, const T* value) {
    rows_.emplace(rows_.begin() + LowerBound(scheme), scheme, value);
    Index();
  }

  // Removes a scheme that it has.
  void Erase(std::string_view scheme) {
    rows_.erase(rows_.begin() + LowerBound(scheme));
    Index();
  }

  // Returns all, sorted by scheme.
  const std::vector<Row>& rows() const { return rows_; }

 private:
  // How many bytes fit completely in a key.
  static constexpr size_t kExact = 7;
  static constexpr uint64_t kNoKey = UINT64_MAX;

  struct Slot {
    uint64_t key = kNoKey;
    const T* value = nullptr;
  };

  // Returns the first `n` bytes of `text`, up to kExact, and their number.
  ABSL_ATTRIBUTE_ALWAYS_INLINE static uint64_t Key(std::string_view text,
                                                   size_t n) {
    uint64_t bytes = 0;
    if (ABSL_PREDICT_TRUE(text.size() >= sizeof(bytes))) {
      std::memcpy(&bytes, text.data(), sizeof(bytes));
    } else if (n != 0) {
      std::memcpy(&bytes, text.data(), n);
    }
    const uint64_t in_scheme = (uint64_t{1} << (8 * n)) - 1;
    return uint64_t{n} << (8 * kExact) | (bytes & in_scheme);
  }

  ABSL_ATTRIBUTE_NOINLINE const T* FindLong(std::string_view scheme) const {
    const auto row = rows_.begin() + LowerBound(scheme);
    return row == rows_.end() || row->first != scheme ? nullptr : row->second;
  }

  // Returns the first slot to look in for a key.
  static size_t Begin(uint64_t key) {
    return (key * 0x9e3779b97f4a7c15) >> 32;  // Knuth's multiplicative hash
  }

  // Returns how many rows come before that of `scheme`.
  ptrdiff_t LowerBound(std::string_view scheme) const {
    return std::lower_bound(rows_.begin(), rows_.end(), scheme,
                            [](const Row& row, std::string_view wanted) {
                              return row.first < wanted;
                            }) -
           rows_.begin();
  }

  // Puts the rows with short schemes into slots, half of which stay empty.
  void Index() {
    size_t slots = 4;
    while (slots < 2 * rows_.size()) slots *= 2;
    slots_.assign(slots, Slot());
    mask_ = slots - 1;
    for (const Row& row : rows_) {
      if (row.first.size() > kExact) continue;
      const uint64_t key = Key(row.first, row.first.size());
      size_t i = Begin(key);
      while (slots_[i & mask_].value != nullptr) ++i;
      slots_[i & mask_] = {key, row.second};
    }
  }

  std::vector<Row> rows_;
  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

}  // namespace fsload
