// A file's contents that take no room: they are computed from where they stand,
// and what is appended is compared with that and forgotten. For files larger
// than a machine.
#ifndef FSLOAD_TESTDATA_MEMORY_GENERATED_CONTENTS_H_
#define FSLOAD_TESTDATA_MEMORY_GENERATED_CONTENTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace memory_plugin {

// One thread at a time.
class GeneratedContents {
 public:
  static constexpr size_t kPage = 4096;

  // What a file has in the page that begins at `offset`: each is different from
  // all others.
  static void FillPage(uint64_t offset, char* page) {
    std::memset(page, static_cast<int>(offset / kPage % 251), kPage);
    std::memcpy(page, &offset, sizeof(offset));
    std::memcpy(page + kPage - sizeof(offset), &offset, sizeof(offset));
  }

  // Copies up to `n` bytes at `offset` to `buffer`; yields how many. From the
  // first wrong byte on that was appended, all are nulls.
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
  // Calls `visit` with each part between `begin` and `end` that lies in one
  // page: where it begins, and its bytes.
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
  uint64_t right_ = 0;  // how many bytes are as they are to be, from the first
};

}  // namespace memory_plugin

#endif  // FSLOAD_TESTDATA_MEMORY_GENERATED_CONTENTS_H_
