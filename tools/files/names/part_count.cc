#include "tools/files/names/part_count.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"
#include "loader/aliases/plugin_environment.h"
#include "loader/known_plugins/known_plugins.h"
#include "third_party/fmt/format.h"

namespace fsload {

absl::Status CheckPartCount(std::string_view uri, int64_t bytes) {
  const std::string_view scheme = ParseUri(uri).scheme;
  const KnownParts parts = PartsOf(SchemeInPlugin(scheme));
  if (parts.variable == nullptr) return absl::OkStatus();
  const PluginEnvironment environment = PluginEnvironment::Of(scheme);
  const std::optional<std::string> set = environment.Value(parts.variable);
  int64_t part = 0;
  if (!set.has_value() || !absl::SimpleAtoi(*set, &part) || part <= 0) {
    part = parts.own_bytes;
  }
  if (PartsFor(bytes, part) <= parts.most) return absl::OkStatus();
  return FailedPreconditionError(
      "{}: {} bytes take more than {} parts of {} bytes, and the store accepts "
      "no more; set {}={}{} and try again",
      uri, bytes, parts.most, part, parts.variable, PartBytesFor(bytes, parts),
      environment.Origin(parts.variable));
}

}  // namespace fsload
