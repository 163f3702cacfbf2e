// File contents as they were appended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace memory_plugin {

// One thread at a time.
class StoredContents {
 public:
  // Copies up to `n` bytes at `offset` to `buffer`; returns how many.
  size_t Read(uint64_t offset, size_t n, char* buffer) const {
    return offset < bytes_.size() ? bytes_.copy(buffer, n, offset) : 0;
  }

  void Append(const char* bytes, size_t n) { bytes_.append(bytes, n); }
  uint64_t length() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

}  // namespace memory_plugin
