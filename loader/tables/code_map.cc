#include "loader/tables/code_map.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/system/descriptor.h"
#include "core/system/read_all.h"

namespace fsload {

std::optional<CodeMap> CodeMap::Read() {
  const Descriptor file = OpenToRead("/proc/self/maps");
  std::string text;
  if (!file.ok() || !ReadAll(file.get(), SIZE_MAX, text)) return std::nullopt;
  return Parse(text);
}

// One line: "7f00a000-7f00b000 r-xp 00001000 08:01 1234  /usr/lib/x.so". Others
// are ignored.
CodeMap CodeMap::Parse(std::string_view maps) {
  CodeMap map;
  while (!maps.empty()) {
    const size_t length = std::min(maps.find('\n'), maps.size());
    const char* const line_end = maps.data() + length;
    Range range = {};
    const auto begin = std::from_chars(maps.data(), line_end, range.begin, 16);
    const bool dash =
        begin.ec == std::errc() && begin.ptr != line_end && *begin.ptr == '-';
    const auto end =
        dash ? std::from_chars(begin.ptr + 1, line_end, range.end, 16) : begin;
    constexpr ptrdiff_t kExecute = 3;  // of " rwxp"
    if (dash && end.ec == std::errc() && line_end - end.ptr > kExecute &&
        end.ptr[kExecute] == 'x') {
      map.ranges_.push_back(range);
    }
    maps.remove_prefix(std::min(length + 1, maps.size()));
  }
  return map;
}

bool CodeMap::Contains(const void* address) const {
  const uintptr_t wanted = reinterpret_cast<uintptr_t>(address);
  const auto range = std::upper_bound(
      ranges_.begin(), ranges_.end(), wanted,
      [](uintptr_t key, const Range& each) { return key < each.end; });
  return range != ranges_.end() && range->begin <= wanted;
}

}  // namespace fsload
