#include "fsload/file_system.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/calls/op_call.h"
#include "core/calls/plugin_call.h"
#include "core/calls/plugin_strings.h"
#include "core/calls/uri_call.h"
#include "core/copies/caught_callbacks.h"
#include "core/copies/confirmed_lookup.h"
#include "core/copies/copies.h"
#include "core/defaults/defaults.h"
#include "core/defaults/untested_delete_dir.h"
#include "core/file_system/plugin_file_system.h"
#include "core/files/open_op.h"
#include "third_party/fmt/format.h"

namespace fsload {

FileSystem::~FileSystem() = default;

absl::StatusOr<std::unique_ptr<RandomAccessFile>>
FileSystem::NewRandomAccessFile(std::string_view uri) const {
  return kNewRandomAccessFile.OpenOwnUri(ops(), uri, this);
}

absl::StatusOr<std::unique_ptr<WritableFile>> FileSystem::NewWritableFile(
    std::string_view uri) const {
  return kNewWritableFile.OpenOwnUri(ops(), uri, this);
}

absl::StatusOr<std::unique_ptr<WritableFile>> FileSystem::NewAppendableFile(
    std::string_view uri) const {
  return kNewAppendableFile.OpenOwnUri(ops(), uri, this);
}

absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
FileSystem::NewReadOnlyMemoryRegionFromFile(std::string_view uri) const {
  return kNewReadOnlyMemoryRegionFromFile.OpenOwnUri(ops(), uri, this);
}

absl::Status FileSystem::FileExists(std::string_view uri) const {
  return OnOwnUri(ops(), Op::kFilesystem_path_exists, uri,
                  [&](size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return FileExistsOn(ops(), uri, scheme_bytes);
                  });
}

absl::StatusOr<FileStatistics> FileSystem::Stat(std::string_view uri) const {
  return OnOwnUri(ops(), Op::kFilesystem_stat, uri,
                  [&](size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return StatOn(ops(), uri, scheme_bytes);
                  });
}

absl::StatusOr<std::optional<FileStatistics>> FileSystem::StatIfExists(
    std::string_view uri, StatEffort effort) const {
  const auto look = [&](std::string_view looked_for) {
    return WithPath(ops(), Op::kFilesystem_stat, looked_for,
                    [&](const PathArgument& path) {
                      return FindConfirmed(ops(), path, effort);
                    });
  };
  auto found = look(uri);
  // "f/" is nothing if "f" is a file, which the confirmation has found.
  const size_t end = uri.find_last_not_of('/') + 1;
  if (absl::IsUnavailable(found.status()) && end > 0 && end < uri.size()) {
    const auto file = look(uri.substr(0, end));
    if (file.ok() && file->has_value() && !(*file)->is_directory) {
      return std::nullopt;
    }
  }
  return found;
}

absl::StatusOr<bool> FileSystem::IsDirectory(std::string_view uri) const {
  return WithPath(
      ops(), Op::kFilesystem_is_directory, uri,
      [&](const PathArgument& path) { return ops().IsDirectory(path); });
}

absl::StatusOr<int64_t> FileSystem::GetFileSize(std::string_view uri) const {
  return WithPath(
      ops(), Op::kFilesystem_get_file_size, uri,
      [&](const PathArgument& path) { return ops().GetFileSize(path); });
}

absl::StatusOr<std::vector<std::string>> FileSystem::GetChildren(
    std::string_view uri) const {
  return WithPath(
      ops(), Op::kFilesystem_get_children, uri,
      [&](const PathArgument& path) { return ops().GetChildren(path); });
}

absl::StatusOr<std::vector<std::string>> FileSystem::GetMatchingPaths(
    std::string_view pattern) const {
  constexpr Op kOp = Op::kFilesystem_get_matching_paths;
  absl::Status status = ops().Serves(kOp, pattern);
  if (status.ok()) status = ops().CheckSupported(kOp, pattern);
  if (!status.ok()) return status;
  if (pattern.find('\0') != std::string_view::npos) {
    return NullByteIn(kOp, "pattern", pattern);
  }
  if (!ops().Has(kOp)) return GetMatchingPathsByDefault(ops(), pattern);
  PluginStrings entries(tables());
  status = CallOp<kOp>(
      tables(), pattern, [&](auto get_matching_paths, TF_Status* to_set) {
        entries.count = get_matching_paths(&ops().filesystem(),
                                           std::string(pattern).c_str(),
                                           &entries.array, to_set);
      });
  if (status.ok()) return entries.Take(kOp, pattern);
  entries.Disown();  // L699: the plugin has freed them.
  return status;
}

absl::Status FileSystem::CreateDir(std::string_view uri) const {
  return CallOnOwnUri<Op::kFilesystem_create_dir>(ops(), uri);
}

absl::Status FileSystem::RecursivelyCreateDir(std::string_view uri) const {
  constexpr Op kOp = Op::kFilesystem_recursively_create_dir;
  return WithPath(ops(), kOp, uri, [&](const PathArgument& path) {
    return ops().CallOr<kOp>(
        [&] { return RecursivelyCreateDirByDefault(ops(), path); }, path);
  });
}

absl::Status FileSystem::DeleteFile(std::string_view uri) const {
  return CallOnOwnUri<Op::kFilesystem_delete_file>(ops(), uri);
}

absl::Status FileSystem::DeleteDir(std::string_view uri) const {
  constexpr Op kOp = Op::kFilesystem_delete_dir;
  const PluginTraits& traits = tables().traits;
  if (!traits.is_untested || traits.refuses_changes) {
    return CallOnOwnUri<kOp>(ops(), uri);
  }
  return WithPath(ops(), kOp, uri, [&](const PathArgument& path) {
    return DeleteDirSafely(ops(), path);
  });
}

absl::Status FileSystem::DeleteRecursively(std::string_view uri,
                                           Undeleted* undeleted) const {
  constexpr Op kOp = Op::kFilesystem_delete_recursively;
  Undeleted ignored;
  Undeleted& left = undeleted == nullptr ? ignored : *undeleted;
  constexpr uint64_t kUnset = UINT64_MAX;  // L479: real plugins leave them.
  left = {kUnset, kUnset};
  const absl::Status status =
      WithPath(ops(), kOp, uri, [&](const PathArgument& path) {
        return ops().CallOr<kOp>(
            [&] { return DeleteRecursivelyByDefault(ops(), path, left); }, path,
            &left.files, &left.directories);
      });
  if (left.files == kUnset) left.files = 0;
  if (left.directories == kUnset) left.directories = status.ok() ? 0 : 1;
  if (!status.ok() || (left.files == 0 && left.directories == 0)) {
    return status;
  }
  return absl::DataLossError(CallMessage(
      kOp, uri,
      Format("the plugin reported success, but also that something is left "
             "(files: {}, directories: {})",
             left.files, left.directories)));
}

absl::Status FileSystem::RenameFile(std::string_view src, std::string_view dst,
                                    const CopyOptions& options) const {
  constexpr Op kOp = Op::kFilesystem_rename_file;
  const CaughtCallbacks callbacks(options, kOp, dst);
  const CallScope::Mark mark(tables().status);
  const CallScope scope(mark);
  const absl::Status served = ops().Serves(kOp, dst);
  if (!served.ok()) return served;
  return WithPath(ops(), kOp, src, [&](const PathArgument& from) {
    return WithPath(ops(), kOp, dst, [&](const PathArgument& to) {
      if (std::string_view(from.canonical) == to.canonical) {
        return absl::OkStatus();
      }
      const auto by_default = [&] {
        return RenameFileByDefault(ops(), from, to, callbacks.options());
      };
      return CanMoveBetween(tables().traits, from, to)
                 ? ops().CallOr<kOp>(by_default, from, to.canonical)
                 : by_default();
    });
  });
}

absl::Status FileSystem::CopyFile(std::string_view src,
                                  std::string_view dst) const {
  constexpr Op kOp = Op::kFilesystem_copy_file;
  const absl::Status served = ops().Serves(kOp, dst);
  if (!served.ok()) return served;
  return WithPath(ops(), kOp, src, [&](const PathArgument& from) {
    return WithPath(ops(), kOp, dst, [&](const PathArgument& to) {
      const auto by_default = [&] {
        return CopyFileByDefault({ops(), from}, {ops(), to});
      };
      return CanMoveBetween(tables().traits, from, to)
                 ? ops().CallOr<kOp>(by_default, from, to.canonical)
                 : by_default();
    });
  });
}

absl::Status FileSystem::CopyFileTo(std::string_view src,
                                    const FileSystem& target,
                                    std::string_view dst) const {
  if (&target == this) return CopyFile(src, dst);
  const absl::Status served =
      target.ops().Serves(Op::kFilesystem_new_writable_file, dst);
  if (!served.ok()) return served;
  return WithPath(
      ops(), Op::kFilesystem_new_random_access_file, src,
      [&](const PathArgument& from) {
        return WithPath(
            target.ops(), Op::kFilesystem_new_writable_file, dst,
            [&](const PathArgument& to) {
              return CopyFileByDefault({ops(), from}, {target.ops(), to});
            });
      });
}

absl::Status FileSystem::CopyFileAs(std::string_view src,
                                    const FileSystem& target,
                                    std::string_view dst,
                                    const CopyOptions& options) const {
  const CaughtCallbacks callbacks(options, Op::kFilesystem_copy_file, dst);
  // A callback must not retire either file system: that would wait for this
  // copy.
  const CallScope::Mark reading(ops().tables().status);
  const CallScope reads(reading);
  const CallScope::Mark writing(target.ops().tables().status);
  const CallScope writes(writing);
  const bool within = &target == this;
  const Op read = within ? Op::kFilesystem_copy_file
                         : Op::kFilesystem_new_random_access_file;
  const Op write =
      within ? Op::kFilesystem_copy_file : Op::kFilesystem_new_writable_file;
  const absl::Status served = target.ops().Serves(write, dst);
  if (!served.ok()) return served;
  return WithPath(ops(), read, src, [&](const PathArgument& from) {
    return WithPath(target.ops(), write, dst, [&](const PathArgument& to) {
      return CopyToPath({ops(), from}, {target.ops(), to}, callbacks.options());
    });
  });
}

absl::StatusOr<std::string> FileSystem::TranslateName(
    std::string_view uri) const {
  return WithPath(ops(), Op::kFilesystem_translate_name, uri,
                  [&](const PathArgument& path) {
                    return absl::StatusOr<std::string>(path.canonical);
                  });
}

absl::Status FileSystem::FlushCaches() const {
  ops().listing_cache().Forget();
  // L718: nothing to do for a plugin without it.
  return CallOp<Op::kFilesystem_flush_caches>(
      tables(), Root(), [&](auto flush_caches, TF_Status*) {
        flush_caches(&ops().filesystem());
      });
}

}  // namespace fsload
