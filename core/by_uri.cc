#include "core/by_uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "core/uri.h"

namespace fsload {
namespace {

// Yields what `call` makes of the file system for `uri`, or why there is none.
template <typename Call>
inline auto On(Registry& registry, std::string_view uri, Call&& call)
    -> decltype(call(*static_cast<const FileSystem*>(nullptr))) {
  const std::string_view scheme = ParseUri(uri).scheme;
  const Registry::Pinned pinned = registry.Pin(scheme);
  if (ABSL_PREDICT_FALSE(!pinned)) return registry.NoSuchScheme(scheme);
  return call(*pinned.get());
}

}  // namespace

absl::StatusOr<std::unique_ptr<RandomAccessFile>> NewRandomAccessFile(
    std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.NewRandomAccessFile(uri); });
}

absl::StatusOr<std::unique_ptr<WritableFile>> NewWritableFile(
    std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.NewWritableFile(uri); });
}

absl::StatusOr<std::unique_ptr<WritableFile>> NewAppendableFile(
    std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.NewAppendableFile(uri); });
}

absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
NewReadOnlyMemoryRegionFromFile(std::string_view uri, Registry& registry) {
  return On(registry, uri, [&](const FileSystem& fs) {
    return fs.NewReadOnlyMemoryRegionFromFile(uri);
  });
}

absl::Status FileExists(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.FileExists(uri); });
}

bool FilesExist(const std::vector<std::string>& uris,
                std::vector<absl::Status>* statuses, Registry& registry) {
  const bool one_scheme =
      std::all_of(uris.begin(), uris.end(), [&](const std::string& uri) {
        return ParseUri(uri).scheme == ParseUri(uris.front()).scheme;
      });
  if (one_scheme && !uris.empty()) {
    const std::string_view scheme = ParseUri(uris.front()).scheme;
    const Registry::Pinned pinned = registry.Pin(scheme);
    if (pinned) return pinned->FilesExist(uris, statuses);
  }
  std::vector<absl::Status> answers;
  bool all = true;
  for (const std::string& uri : uris) {
    answers.push_back(FileExists(uri, registry));
    all &= answers.back().ok();
  }
  if (statuses != nullptr) *statuses = std::move(answers);
  return all;
}

absl::StatusOr<FileStatistics> Stat(std::string_view uri, Registry& registry) {
  return On(registry, uri, [&](const FileSystem& fs) { return fs.Stat(uri); });
}

absl::StatusOr<bool> IsDirectory(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.IsDirectory(uri); });
}

absl::StatusOr<int64_t> GetFileSize(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.GetFileSize(uri); });
}

absl::StatusOr<std::vector<std::string>> GetChildren(std::string_view uri,
                                                     Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.GetChildren(uri); });
}

absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
    std::string_view pattern, Registry& registry) {
  return On(registry, pattern,
            [&](const FileSystem& fs) { return fs.GetMatchingPaths(pattern); });
}

absl::Status CreateDir(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.CreateDir(uri); });
}

absl::Status RecursivelyCreateDir(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.RecursivelyCreateDir(uri); });
}

absl::Status DeleteFile(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.DeleteFile(uri); });
}

absl::Status DeleteDir(std::string_view uri, Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.DeleteDir(uri); });
}

absl::Status DeleteRecursively(std::string_view uri, Undeleted* undeleted,
                               Registry& registry) {
  if (undeleted != nullptr) *undeleted = {0, 1};
  return On(registry, uri, [&](const FileSystem& fs) {
    return fs.DeleteRecursively(uri, undeleted);
  });
}

absl::Status RenameFile(std::string_view src, std::string_view dst,
                        Registry& registry) {
  return On(registry, src, [&](const FileSystem& from) {
    return On(registry, dst, [&](const FileSystem& to) {
      if (&from == &to) return from.RenameFile(src, dst);
      return absl::UnimplementedError(
          fmt::format("rename_file({}): wanted one scheme, found '{}' and "
                      "'{}'; copy the file and delete the original",
                      src, from.scheme(), to.scheme()));
    });
  });
}

absl::Status CopyFile(std::string_view src, std::string_view dst,
                      Registry& registry) {
  return On(registry, src, [&](const FileSystem& from) {
    return On(registry, dst, [&](const FileSystem& to) {
      return from.CopyFileTo(src, to, dst);
    });
  });
}

absl::StatusOr<std::string> TranslateName(std::string_view uri,
                                          Registry& registry) {
  return On(registry, uri,
            [&](const FileSystem& fs) { return fs.TranslateName(uri); });
}

}  // namespace fsload
