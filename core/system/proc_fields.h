// The lines "Name: value" of files in /proc.
#pragma once

#include <cstdint>
#include <string_view>

namespace fsload {

// One reading of such a file. Allocates nothing, as memory may be exhausted.
class ProcFields final {
 public:
  // Reads `path`, as "/proc/self/status"; has no fields if that fails.
  explicit ProcFields(const char* path);

  // Returns the value of `name`, cut if it is long; "" if there is none. The
  // first line is not read: in "status" it is what a process calls itself, in
  // one line.
  std::string_view Text(std::string_view name) const;

  // Returns the number there; 0 if there is none.
  uint64_t Number(std::string_view name) const;

  // Returns it in bytes, where the kernel counts in KiB.
  uint64_t Bytes(std::string_view name) const { return 1024 * Number(name); }

 private:
  char text_[8192] = {};  // ends with a null byte
};

}  // namespace fsload
