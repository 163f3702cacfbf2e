#include "core/walk/uri_check.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "core/glob/utf8_character.h"
#include "core/paths/bucket.h"
#include "core/paths/uri.h"
#include "core/walk/store_names.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool HasDots(std::string_view path) {
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part == "." || part == "..") return true;
    path.remove_prefix(std::min(part.size() + 1, path.size()));
  }
  return false;
}

// Whether `uri` names an account without a container, or nothing.
bool NamesNoBucket(const std::string& uri) {
  const Bucket bucket = BucketOf(uri);
  return bucket.name.empty() &&
         (bucket.path == "/" || !ParseUri(uri).host.empty());
}

// How to write the URI of a bucket: "s3://BUCKET", "az://account/CONTAINER".
std::string FormOf(const std::string& uri) {
  const Uri parts = ParseUri(uri);
  const std::string_view host = NamesOfStore(parts.scheme).host;
  const std::string_view bucket = BucketOf(uri).word;
  return Format(
      "{}://{}{}", parts.scheme,
      parts.host.empty() ? absl::AsciiStrToUpper(std::string(host))
                         : std::string(parts.host),
      host == bucket ? "" : "/" + absl::AsciiStrToUpper(std::string(bucket)));
}

}  // namespace

absl::Status CheckNameIsText(const FileSystem& file_system,
                             const std::string& uri) {
  // The plugin is asked last, because nearly all names are text.
  if (NamesOfStore(ParseUri(uri).scheme).kind != StoreKind::kObjects ||
      IsUtf8(uri) || !KeepsHost(file_system, uri)) {
    return absl::OkStatus();
  }
  return InvalidArgumentError(
      "{}: the name is not UTF-8, and the store may treat several such names "
      "as one; rename the file",
      uri);
}

absl::Status CheckUri(const FileSystem& file_system, const std::string& uri) {
  const Uri parts = ParseUri(uri);
  if (parts.scheme.empty()) return absl::OkStatus();
  const bool is_store = KeepsHost(file_system, uri);
  // "posix://localhost/a/.." is a local path.
  const bool may_have_dots =
      parts.host.empty() || (!is_store && parts.host == "localhost");
  if (!may_have_dots && HasDots(parts.path)) {
    return InvalidArgumentError(
        "{}: the path contains '.' or '..', which stores treat as names and "
        "servers as directories; write the path without them",
        uri);
  }
  if (!is_store) return absl::OkStatus();
  const StoreNames& names = NamesOfStore(parts.scheme);
  if (names.kind == StoreKind::kDirectories) {
    if (parts.path.substr(0, 2) != "//") return absl::OkStatus();
    return InvalidArgumentError(
        "{}: the path begins with '//', and Hadoop takes what follows for a "
        "host; remove one '/'",
        uri);
  }
  if (names.kind == StoreKind::kObjects && NamesNoBucket(uri)) {
    const Bucket bucket = BucketOf(uri);
    return InvalidArgumentError(
        "{0}: no {1} is named, and the {2} plugin cannot list {1}s; write {3}, "
        "or list them with `{4}`",
        bucket.root, bucket.word, parts.scheme, FormOf(uri),
        names.bucket_lister);
  }
  if (names.kind == StoreKind::kObjects &&
      parts.host.find_first_of("*?[\\") != std::string_view::npos) {
    return InvalidArgumentError(
        "{}: a bucket cannot be a pattern, as the {} plugin cannot list "
        "buckets; write {}://BUCKET{}",
        uri, parts.scheme, parts.scheme, parts.path);
  }
  if (parts.host.empty() && !names.host.empty()) {
    return InvalidArgumentError(
        "{0}: no {1} is named after '{2}://'; write "
        "{2}://{3}{4} (an unset variable may have left it out)",
        uri, names.host, parts.scheme,
        absl::AsciiStrToUpper(std::string(names.host)), parts.path);
  }
  const absl::Status name = CheckNameIsText(file_system, uri);
  if (!name.ok()) return name;
  const size_t empty_part = parts.path.find("//");
  if (empty_part == std::string_view::npos) return absl::OkStatus();
  const bool at_end =
      parts.path.find_first_not_of('/', empty_part) == std::string_view::npos;
  if (!names.merges_slashes && !at_end) return absl::OkStatus();
  return InvalidArgumentError(
      "{}: the path has an empty component, and the path without it would be "
      "used instead; remove one '/', or use the store's own tools",
      uri);
}

}  // namespace fsload
