// What is at a path, and changing it.
#include "fsload/c/paths.h"

#include <functional>
#include <string_view>

#include "core/file_system/confirmed_stat.h"
#include "core/paths/bucket.h"
#include "fsload/by_uri.h"
#include "fsload/copy_options.h"
#include "loader/c_api/boundary.h"
#include "loader/c_api/sized.h"
#include "third_party/fmt/format.h"

namespace {

using fsload::AtBoundary;
using fsload::FileSystem;
using fsload::FileSystemFor;
using fsload::RegistryOf;

constexpr size_t kMinStatistics = 32;
constexpr size_t kMinCopyOptions = 32;

// Calls `change` with the file system of `uri` and `uri`.
template <typename Change>
fsload_code OnPath(const char* function, const Change& change,
                   fsload_registry* registry, const char* uri,
                   fsload_error** error) {
  return AtBoundary(error, function, {{"uri", uri}}, [&] {
    const auto file_system = FileSystemFor(registry, uri);
    return file_system.ok() ? std::invoke(change, **file_system, uri)
                            : file_system.status();
  });
}

// Returns whether to look before something is deleted: plugins of stores report
// success for what is missing or of the other kind, and delete nothing.
bool ChecksFirst(const FileSystem& file_system) {
  return !fsload::TablesOf(file_system).traits.is_exact;
}

absl::Status DeleteFile(const FileSystem& file_system, std::string_view uri) {
  if (ChecksFirst(file_system)) {
    const auto found = fsload::StatConfirmed(file_system, uri);
    if (!found.ok() && !absl::IsUnimplemented(found.status())) {
      return found.status();
    }
    if (found.ok() && found->is_directory) {
      return fsload::FailedPreconditionError("{}: is a directory, not a file",
                                             uri);
    }
  }
  return file_system.DeleteFile(uri);
}

// OK for a directory that is empty or, as on stores, not there.
absl::Status CheckEmptyDirectory(const FileSystem& file_system,
                                 std::string_view uri) {
  const auto found = file_system.StatIfExists(uri);
  if (absl::IsUnimplemented(found.status())) return absl::OkStatus();
  if (!found.ok()) return found.status();
  if (!found->has_value()) return absl::OkStatus();
  if (!(*found)->is_directory) {
    return fsload::FailedPreconditionError("{}: is a file, not a directory",
                                           uri);
  }
  const auto names = file_system.GetChildren(uri);
  if (!names.ok() || names->empty()) return names.status();
  return fsload::FailedPreconditionError("{}: the directory is not empty", uri);
}

absl::Status DeleteDirectory(const FileSystem& file_system,
                             std::string_view uri) {
  absl::Status status;
  if (ChecksFirst(file_system)) status = CheckEmptyDirectory(file_system, uri);
  return status.ok() ? file_system.DeleteDir(uri) : status;
}

absl::Status Stat(fsload_registry* registry, const char* uri,
                  fsload_statistics* statistics) {
  const absl::Status status =
      fsload::CheckSize("fsload_statistics", statistics, kMinStatistics);
  if (!status.ok()) return status;
  const auto file_system = FileSystemFor(registry, uri);
  if (!file_system.ok()) return file_system.status();
  const absl::StatusOr<fsload::FileStatistics> found =
      fsload::StatConfirmed(**file_system, uri);
  if (!found.ok()) return found.status();
  fsload_statistics filled = {};
  filled.length = found->length;
  filled.modified_ns = found->mtime_nsec;
  filled.is_directory = found->is_directory ? 1 : 0;
  fsload::FillSized(&filled, sizeof(filled), statistics);
  return status;
}

// Whether something is there. NOT_FOUND takes a second answer, as plugins
// report it for servers that fail. By URI the answer for an unknown scheme
// would be the same as for a missing file.
absl::Status FileExists(fsload_registry* registry, const char* uri,
                        int* exists) {
  const auto file_system = FileSystemFor(registry, uri);
  if (!file_system.ok()) return file_system.status();
  const absl::Status status = (*file_system)->FileExists(uri);
  if (status.ok()) *exists = 1;
  if (!absl::IsNotFound(status)) return status;
  const auto found = (*file_system)->StatIfExists(uri);
  const bool is_unknown = absl::IsUnimplemented(found.status());
  if (!found.ok() && !is_unknown) return found.status();
  *exists = !is_unknown && found->has_value() ? 1 : 0;
  return absl::OkStatus();
}

bool IsRoot(const char* uri) {
  return fsload::BucketOf(uri).path.find_first_not_of('/') ==
         std::string_view::npos;
}

absl::Status Rename(fsload_registry* registry, const char* source,
                    const char* target) {
  for (const char* const uri : {source, target}) {
    const absl::Status status = FileSystemFor(registry, uri).status();
    if (!status.ok()) return status;
  }
  return fsload::RenameFile(source, target, RegistryOf(registry));
}

absl::StatusOr<fsload::CopyOptions> CopyOptionsOf(
    const char* source, const fsload_copy_options* given) {
  fsload_copy_options copy = {};
  const absl::Status copied =
      fsload::CopySized("fsload_copy_options", given, kMinCopyOptions, copy);
  if (!copied.ok()) return copied;
  if (copy.reserved != 0) {
    return fsload::InvalidArgumentError(
        "fsload_copy_options.reserved must be 0; was the program built for a "
        "later fsload?");
  }
  fsload::CopyOptions options;
  options.overwrite = copy.keep_existing == 0;
  if (copy.after_block == nullptr) return options;
  options.after_block = [source, copy](int64_t bytes) {
    return copy.after_block(copy.data, bytes) == 0
               ? absl::OkStatus()
               : fsload::CancelledError(
                     "{}: the copy was cancelled by its caller", source);
  };
  return options;
}

absl::Status Copy(fsload_registry* registry, const char* source,
                  const char* target, const fsload_copy_options* given) {
  const auto options = CopyOptionsOf(source, given);
  if (!options.ok()) return options.status();
  const auto from = FileSystemFor(registry, source);
  if (!from.ok()) return from.status();
  const auto to = FileSystemFor(registry, target);
  if (!to.ok()) return to.status();
  return (*from)->CopyFileAs(source, **to, target, *options);
}

}  // namespace

fsload_code fsload_check_uri(fsload_registry* registry, const char* uri,
                             fsload_error** error) {
  const auto nothing = [](const FileSystem&, const char*) {
    return absl::OkStatus();
  };
  return OnPath("fsload_check_uri", nothing, registry, uri, error);
}

fsload_code fsload_stat(fsload_registry* registry, const char* uri,
                        fsload_statistics* statistics, fsload_error** error) {
  return AtBoundary(error, "fsload_stat",
                    {{"uri", uri}, {"statistics", statistics}},
                    [&] { return Stat(registry, uri, statistics); });
}

fsload_code fsload_exists(fsload_registry* registry, const char* uri,
                          int* exists, fsload_error** error) {
  return AtBoundary(error, "fsload_exists", {{"uri", uri}, {"exists", exists}},
                    [&] { return FileExists(registry, uri, exists); });
}

fsload_code fsload_is_root(const char* uri, int* is_root,
                           fsload_error** error) {
  return AtBoundary(error, "fsload_is_root",
                    {{"uri", uri}, {"is_root", is_root}}, [&] {
                      *is_root = IsRoot(uri) ? 1 : 0;
                      return absl::OkStatus();
                    });
}

fsload_code fsload_create_directory(fsload_registry* registry, const char* uri,
                                    fsload_error** error) {
  return OnPath("fsload_create_directory", &FileSystem::CreateDir, registry,
                uri, error);
}

fsload_code fsload_create_directories(fsload_registry* registry,
                                      const char* uri, fsload_error** error) {
  return OnPath("fsload_create_directories", &FileSystem::RecursivelyCreateDir,
                registry, uri, error);
}

fsload_code fsload_delete_file(fsload_registry* registry, const char* uri,
                               fsload_error** error) {
  return OnPath("fsload_delete_file", &DeleteFile, registry, uri, error);
}

fsload_code fsload_delete_directory(fsload_registry* registry, const char* uri,
                                    fsload_error** error) {
  return OnPath("fsload_delete_directory", &DeleteDirectory, registry, uri,
                error);
}

fsload_code fsload_delete_recursively(fsload_registry* registry,
                                      const char* uri, uint64_t* files,
                                      uint64_t* directories,
                                      fsload_error** error) {
  // What is left if the deletion does not even start.
  fsload::Undeleted left = {0, 1};
  const auto remove = [&](const FileSystem& file_system, const char* path) {
    return file_system.DeleteRecursively(path, &left);
  };
  const fsload_code code =
      OnPath("fsload_delete_recursively", remove, registry, uri, error);
  if (files != nullptr) *files = left.files;
  if (directories != nullptr) *directories = left.directories;
  return code;
}

fsload_code fsload_rename(fsload_registry* registry, const char* source,
                          const char* target, fsload_error** error) {
  return AtBoundary(error, "fsload_rename",
                    {{"source", source}, {"target", target}},
                    [&] { return Rename(registry, source, target); });
}

fsload_code fsload_copy(fsload_registry* registry, const char* source,
                        const char* target, const fsload_copy_options* options,
                        fsload_error** error) {
  return AtBoundary(error, "fsload_copy",
                    {{"source", source}, {"target", target}},
                    [&] { return Copy(registry, source, target, options); });
}

fsload_code fsload_flush_caches(fsload_registry* registry, const char* uri,
                                fsload_error** error) {
  const auto flush = [](const FileSystem& file_system, const char*) {
    return file_system.FlushCaches();
  };
  return OnPath("fsload_flush_caches", flush, registry, uri, error);
}
