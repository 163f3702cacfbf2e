#include "tools/files/run/store_errors.h"

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/paths/uri.h"
#include "core/walk/store_names.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// "" if `uri` is in no bucket.
std::string RootOf(std::string_view uri) {
  const Uri parts = ParseUri(uri);
  if (parts.host.empty() ||
      NamesOfStore(parts.scheme).kind != StoreKind::kObjects) {
    return "";
  }
  return Format("{}://{}/", parts.scheme, parts.host);
}

bool IsMissing(const FileSystem& file_system, const std::string& root) {
  const absl::StatusOr<std::optional<FileStatistics>> found =
      file_system.StatIfThere(root);
  return found.ok() && !found->has_value();
}

absl::Status NoBucket(std::string_view uri) {
  return absl::NotFoundError(
      Format("{}: the bucket '{}' does not exist", uri, ParseUri(uri).host));
}

// The AWS SDK's words for an answer without a body, as those to HEAD are.
bool HasNoWords(const absl::Status& status) {
  return absl::StrContains(status.message(), "No response body.");
}

// What the store says of the bucket at `root` when it is asked for a name that
// nothing has, in an answer with a body. OK if it says nothing.
absl::Status WordsAbout(const FileSystem& file_system,
                        const std::string& root) {
  const std::string probe = root + ".fsload-none";
  const absl::Status status = file_system.GetChildren(probe).status();
  if (status.ok() || absl::IsNotFound(status)) return absl::OkStatus();
  const absl::string_view words = status.message();
  return absl::Status(status.code(), absl::StripPrefix(words, probe + ": "));
}

}  // namespace

absl::Status CheckBucket(const FileSystem& file_system, std::string_view uri) {
  const std::string root = RootOf(uri);
  return !root.empty() && IsMissing(file_system, root) ? NoBucket(uri)
                                                       : absl::OkStatus();
}

absl::Status StoreErrors::Explain(const FileSystem& file_system,
                                  std::string_view uri,
                                  const absl::Status& status) {
  const std::string root = RootOf(uri);
  const bool may_be_bucket =
      absl::IsNotFound(status) ||
      (absl::IsInvalidArgument(status) && ParseUri(uri).path.size() <= 1);
  if (root.empty() || (!may_be_bucket && !HasNoWords(status))) return status;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto bucket = buckets_.find(root);
  if (bucket == buckets_.end()) {
    const absl::Status found = may_be_bucket ? CheckBucket(file_system, root)
                                             : WordsAbout(file_system, root);
    bucket = buckets_.emplace(root, found).first;
  }
  if (bucket->second.ok()) return status;
  if (absl::IsNotFound(bucket->second)) return NoBucket(uri);
  return absl::Status(
      bucket->second.code(),
      Format("{}: {}", uri, std::string(bucket->second.message())));
}

}  // namespace fsload
