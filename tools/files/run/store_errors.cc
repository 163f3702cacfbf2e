#include "tools/files/run/store_errors.h"

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/paths/bucket.h"
#include "core/paths/uri.h"
#include "core/walk/store_names.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// "" if `uri` is in no bucket.
std::string RootOf(std::string_view uri) {
  const Bucket bucket = BucketOf(uri);
  if (bucket.name.empty() ||
      NamesOfStore(ParseUri(uri).scheme).kind != StoreKind::kObjects) {
    return "";
  }
  return std::string(bucket.root) + "/";
}

bool IsMissing(const FileSystem& file_system, const std::string& root) {
  const absl::StatusOr<std::optional<FileStatistics>> found =
      file_system.StatIfExists(root);
  return found.ok() && !found->has_value();
}

absl::Status NoBucket(std::string_view uri) {
  const Bucket bucket = BucketOf(uri);
  return NotFoundError("{}: the {} '{}' does not exist", uri, bucket.word,
                       bucket.name);
}

// The root of the name node of `uri`, which failed with `status`; "" if that is
// no error of a name node.
std::string NameNodeOf(std::string_view uri, const absl::Status& status) {
  const Uri parts = ParseUri(uri);
  if (NamesOfStore(parts.scheme).kind != StoreKind::kDirectories ||
      !absl::IsUnknown(status)) {
    return "";
  }
  return Format("{}://{}/", parts.scheme, parts.host);
}

// UNAVAILABLE if nothing can be said of the root of a name node either. Its
// plugin has one errno for most errors of Hadoop.
absl::Status CheckNameNode(const FileSystem& file_system,
                           const std::string& root) {
  if (!absl::IsUnknown(file_system.Stat(root).status())) {
    return absl::OkStatus();
  }
  const std::string_view host = ParseUri(root).host;
  return absl::UnavailableError(
      host.empty() ? "the name node of Hadoop's configuration does not answer"
                   : Format("the name node '{}' does not answer", host));
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
  const std::string name_node = NameNodeOf(uri, status);
  if (!name_node.empty()) {
    const absl::Status found = FindOut(
        name_node, [&] { return CheckNameNode(file_system, name_node); });
    return found.ok()
               ? status
               : absl::Status(found.code(),
                              Format("{}; {}", std::string(status.message()),
                                     std::string(found.message())));
  }
  const std::string root = RootOf(uri);
  const bool may_be_bucket =
      absl::IsNotFound(status) ||
      (absl::IsInvalidArgument(status) && IsBucketRoot(uri));
  if (root.empty() || (!may_be_bucket && !HasNoWords(status))) return status;
  const absl::Status found = FindOut(root, [&] {
    return may_be_bucket ? CheckBucket(file_system, root)
                         : WordsAbout(file_system, root);
  });
  if (found.ok()) return status;
  if (absl::IsNotFound(found)) return NoBucket(uri);
  return Prepend(uri, found);
}

absl::Status StoreErrors::FindOut(
    const std::string& root, const std::function<absl::Status()>& find_out) {
  const MutexLock lock(mutex_);
  const auto known = roots_.find(root);
  if (known != roots_.end()) return known->second;
  return roots_.emplace(root, find_out()).first->second;
}

}  // namespace fsload
