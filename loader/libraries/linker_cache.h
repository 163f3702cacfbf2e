// The dynamic linker's cache of libraries, /etc/ld.so.cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fsload {

// Immutable. The contents are untrusted: every offset is checked.
class LinkerCache final {
 public:
  // Returns the cache in the file at `path`; empty if there is none or it
  // cannot be read.
  static LinkerCache OfFile(const std::string& path);
  explicit LinkerCache(std::string contents);

  // Returns the path of the library `name` for this kind of machine; none if
  // the cache does not have it. Of several builds it is the one for every
  // processor: those for newer ones have the same symbols.
  std::optional<std::string> Find(std::string_view name) const;

 private:
  std::string_view String(uint32_t offset) const;

  std::string contents_;
  size_t begin_ = 0;    // of the header, the base of string offsets
  size_t entries_ = 0;  // 0: there is no cache
};

}  // namespace fsload
