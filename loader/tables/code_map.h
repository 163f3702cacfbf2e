// Which addresses of this process are executable code.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fsload {

// One reading of /proc/self/maps; it misses code that is mapped later. Unlike
// dladdr it tells code from data, and unlike dl_iterate_phdr it knows code
// outside any library.
class CodeMap final {
 public:
  // Returns none if /proc is missing or cannot be read. About 0.1 ms.
  static std::optional<CodeMap> Read();

  // Parses `maps`, the text of such a file.
  static CodeMap Parse(std::string_view maps);

  bool Contains(const void* address) const;

 private:
  struct Range {
    uintptr_t begin, end;
  };
  std::vector<Range> ranges_;  // sorted, as the kernel lists them
};

}  // namespace fsload
