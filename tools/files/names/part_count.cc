#include "tools/files/names/part_count.h"

#include "absl/strings/numbers.h"
#include "compat/environment.h"
#include "core/paths/uri.h"
#include "loader/known_plugins/known_plugins.h"
#include "third_party/fmt/format.h"

namespace fsload {

absl::Status CheckPartCount(std::string_view uri, int64_t bytes) {
  const KnownParts parts = PartsOf(ParseUri(uri).scheme);
  if (parts.variable == nullptr) return absl::OkStatus();
  const char* const set = EnvironmentVariable(parts.variable);
  int64_t part = 0;
  if (set == nullptr || !absl::SimpleAtoi(set, &part) || part <= 0) {
    part = parts.own_bytes;
  }
  if (PartsFor(bytes, part) <= parts.most) return absl::OkStatus();
  return FailedPreconditionError(
      "{}: {} bytes take more than {} parts of {} bytes, and the store accepts "
      "no more; set {}={} and try again",
      uri, bytes, parts.most, part, parts.variable, PartBytesFor(bytes, parts));
}

}  // namespace fsload
