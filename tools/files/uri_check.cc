#include "tools/files/uri_check.h"

#include <fmt/format.h>

#include <string_view>

#include "core/uri.h"
#include "tools/files/store_names.h"

namespace fsload {

absl::Status CheckUri(const FileSystem& file_system, const std::string& uri) {
  const Uri parts = ParseUri(uri);
  if (parts.scheme.empty() || !KeepsHost(file_system, uri)) {
    return absl::OkStatus();
  }
  const StoreNames& names = NamesOfStore(parts.scheme);
  if (names.kind == StoreKind::kDirectories) return absl::OkStatus();
  if (parts.host.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{0}: the bucket is missing behind '{1}://'; write "
                    "{1}://BUCKET{2} (an unset variable may have left it out)",
                    uri, parts.scheme, parts.path));
  }
  const size_t empty_part = parts.path.find("//");
  if (empty_part == std::string_view::npos) return absl::OkStatus();
  const bool at_end =
      parts.path.find_first_not_of('/', empty_part) == std::string_view::npos;
  if (!names.merges_slashes && !at_end) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "{}: the path has an empty part, and what has the path without it would "
      "be taken instead; leave out one '/', or use a tool of the store's",
      uri));
}

}  // namespace fsload
