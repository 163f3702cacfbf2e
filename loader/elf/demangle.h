// Demangles the names of C++ functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

// Demangles names from untrusted files: a short name can expand to gigabytes.
// One thread at a time.
class Demangler final {
 public:
  // Makes one whose names expand to `max_bytes` in all, at most.
  explicit Demangler(uint64_t max_bytes = uint64_t{1} << 28)
      : bytes_left_(max_bytes) {}

  // Returns `name` demangled; unchanged if it is not a mangled name, or too
  // expensive.
  std::string Demangle(const std::string& name);

 private:
  uint64_t bytes_left_;
};

// Returns `text` made safe for a terminal: names in a file may contain any
// bytes.
std::string Printable(std::string_view text);

}  // namespace fsload
