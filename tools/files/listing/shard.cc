#include "tools/files/listing/shard.h"

#include <charconv>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr size_t kMaxShards = 1'000'000;

// The number that `text` consists of; 0 if it is not a number.
size_t Number(std::string_view text) {
  size_t number = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result parsed =
      std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? number : 0;
}

}  // namespace

absl::StatusOr<Shard> ParseShard(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const Shard shard = {Number(text.substr(0, slash)),
                         Number(text.substr(slash + 1))};
    if (shard.index >= 1 && shard.index <= shard.count &&
        shard.count <= kMaxShards) {
      return shard;
    }
  }
  return InvalidArgumentError(
      "'{}' is not a shard; write I/N with I from 1 to N, such as 2/5", text);
}

}  // namespace fsload
