// File contents that take no memory: computed from their offset. Appended bytes
// are compared with them and dropped. For files larger than the machine's
// memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace memory_plugin {

// One thread at a time.
class GeneratedContents {
 public:
  static constexpr size_t kPage = 4096;

  // Fills in the page that begins at `offset`; every page is different.
  static void FillPage(uint64_t offset, char* page) {
    std::memset(page, static_cast<int>(offset / kPage % 251), kPage);
    std::memcpy(page, &offset, sizeof(offset));
    std::memcpy(page + kPage - sizeof(offset), &offset, sizeof(offset));
  }

  // Copies up to `n` bytes at `offset` to `buffer`; returns how many. From the
  // first wrong appended byte on, all are null.
  size_t Read(uint64_t offset, size_t n, char* buffer) const {
    const uint64_t end = std::max(offset, std::min(length_, offset + n));
    ForEachPart(offset, end, [&](uint64_t at, const char* part, size_t size) {
      std::memcpy(buffer + (at - offset), part, size);
    });
    const uint64_t right = std::min(end, std::max(offset, right_));
    std::memset(buffer + (right - offset), 0, end - right);
    return end - offset;
  }

  void Append(const char* bytes, size_t n) {
    const uint64_t first = length_;
    length_ += n;
    ForEachPart(
        first, length_, [&](uint64_t at, const char* part, size_t size) {
          const bool right = right_ == at &&
                             std::memcmp(part, bytes + (at - first), size) == 0;
          if (right) right_ += size;
        });
  }

  uint64_t length() const { return length_; }

 private:
  // Splits [begin, end) at page boundaries and calls `visit` with the start of
  // each part and its bytes.
  template <typename Visit>
  static void ForEachPart(uint64_t begin, uint64_t end, Visit visit) {
    char page[kPage];
    while (begin < end) {
      const uint64_t start = begin / kPage * kPage;
      FillPage(start, page);
      const uint64_t stop = std::min(end, start + kPage);
      visit(begin, page + (begin - start), stop - begin);
      begin = stop;
    }
  }

  uint64_t length_ = 0;
  uint64_t right_ = 0;  // length of the correct prefix
};

}  // namespace memory_plugin
