#include "tools/files/transfer/store_directories.h"

#include <optional>

#include "absl/status/statusor.h"
#include "core/file_system/plugin_file_system.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

std::string WithSlash(const std::string& uri) {
  return std::string(WithoutTrailingSlashes(uri)) + '/';
}

absl::Status MakeObject(const FileSystem& file_system, const std::string& uri) {
  const std::string name = WithSlash(uri);
  const absl::StatusOr<std::string> key = file_system.TranslateName(name);
  // Without the '/' it would be a file.
  if (!key.ok() || key->empty() || key->back() != '/') return key.status();
  return CloseEmpty(file_system.NewWritableFile(name));
}

absl::Status NoDirectory(const std::string& uri) {
  return FailedPreconditionError("{}: a file is in the place of the directory",
                                 uri);
}

// By one answer of the plugin.
absl::Status CheckPlainly(const FileSystem& file_system,
                          const std::string& uri) {
  const absl::StatusOr<FileStatistics> found = file_system.Stat(uri);
  if (!found.ok()) return found.status();
  return found->is_directory ? absl::OkStatus() : NoDirectory(uri);
}

}  // namespace

absl::Status CloseEmpty(absl::StatusOr<std::unique_ptr<WritableFile>> opened) {
  if (!opened.ok()) return opened.status();
  absl::Status status = (*opened)->Append("");
  status.Update((*opened)->Close());
  return status;
}

absl::Status CheckDirectoryIsThere(const FileSystem& file_system,
                                   const std::string& uri) {
  absl::StatusOr<std::optional<FileStatistics>> found =
      file_system.StatIfExists(uri);
  if (!found.ok()) return found.status();
  // Some plugins find an empty directory only by the name of its object, which
  // they may report as a file.
  if (!found->has_value()) {
    found = file_system.StatIfExists(WithSlash(uri));
    if (!found.ok() || found->has_value()) return found.status();
    return NotFoundError("{}: there is no such directory", uri);
  }
  return (*found)->is_directory ? absl::OkStatus() : NoDirectory(uri);
}

absl::Status EnsureDirectory(const FileSystem& file_system,
                             const std::string& uri, DirectoryWas before) {
  const bool needs_one_answer = before == DirectoryWas::kNothing &&
                                PrefersReadToStat(TablesOf(file_system).traits);
  absl::Status status = needs_one_answer
                            ? CheckPlainly(file_system, uri)
                            : CheckDirectoryIsThere(file_system, uri);
  if (!absl::IsNotFound(status)) return status;
  status = MakeObject(file_system, uri);
  if (!status.ok()) return status;
  status = CheckDirectoryIsThere(file_system, uri);
  if (!absl::IsNotFound(status)) return status;
  return UnimplementedError(
      "{}: the plugin reported success, but the directory does not exist; the "
      "store may not keep empty directories",
      uri);
}

}  // namespace fsload
