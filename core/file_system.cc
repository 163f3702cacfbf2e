#include "core/file_system.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/file_cleanup.h"
#include "core/plugin_call.h"
#include "core/plugin_strings.h"
#include "core/translated_path.h"

namespace fsload {

absl::StatusOr<std::shared_ptr<FileSystem>> FileSystem::Create(
    OpTables tables, std::string scheme, std::string owner,
    TF_Filesystem state) {
  const std::shared_ptr<FileSystem> created(new FileSystem(
      std::move(tables), std::move(scheme), std::move(owner), state));
  CallStatus status(created->tables().status);
  CallPlugin(status, [&] {
    created->tables().filesystem.init(&created->filesystem_, status.get());
  });
  if (!status.ok()) {
    return status.ToError(Op::kFilesystem_init, created->scheme() + "://");
  }
  created->initialized_ = true;
  return created;
}

FileSystem::~FileSystem() {
  if (!initialized_) return;
  CleanUpFile(tables(), Op::kFilesystem_cleanup, scheme_ + "://",
              [&] { tables().filesystem.cleanup(&filesystem_); });
  cleanup_notice_->Notify();
}

absl::StatusOr<std::unique_ptr<RandomAccessFile>>
FileSystem::NewRandomAccessFile(std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.NewRandomAccessFile({path.c_str(), uri}, shared_from_this());
}

absl::StatusOr<std::unique_ptr<WritableFile>> FileSystem::NewWritableFile(
    std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.NewWritableFile({path.c_str(), uri}, shared_from_this());
}

absl::StatusOr<std::unique_ptr<WritableFile>> FileSystem::NewAppendableFile(
    std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.NewAppendableFile({path.c_str(), uri}, shared_from_this());
}

absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
FileSystem::NewReadOnlyMemoryRegionFromFile(std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.NewReadOnlyMemoryRegionFromFile({path.c_str(), uri},
                                              shared_from_this());
}

absl::Status FileSystem::FileExists(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_path_exists,
                    tables().filesystem.path_exists, uri);
}

absl::StatusOr<FileStatistics> FileSystem::Stat(std::string_view uri) const {
  FileStatistics statistics = {};
  const absl::Status status = CallOnPath(
      Op::kFilesystem_stat, tables().filesystem.stat, uri, &statistics);
  if (ABSL_PREDICT_FALSE(!status.ok())) return status;
  return statistics;
}

absl::StatusOr<bool> FileSystem::IsDirectory(std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.IsDirectory({path.c_str(), uri});
}

absl::StatusOr<int64_t> FileSystem::GetFileSize(std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.GetFileSize({path.c_str(), uri});
}

absl::StatusOr<std::vector<std::string>> FileSystem::GetChildren(
    std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return ops_.GetChildren({path.c_str(), uri});
}

absl::StatusOr<std::vector<std::string>> FileSystem::GetMatchingPaths(
    std::string_view pattern) const {
  constexpr Op kOp = Op::kFilesystem_get_matching_paths;
  const absl::Status offered = ops_.Offers(kOp, pattern);
  if (!offered.ok()) return offered;
  if (pattern.find('\0') != std::string_view::npos) {
    return absl::InvalidArgumentError(CallMessage(
        kOp, pattern.substr(0, pattern.find('\0')),
        "the pattern has a null byte in it, where a plugin would cut it off"));
  }
  const auto get_matching_paths = tables().filesystem.get_matching_paths;
  if (get_matching_paths == nullptr) {
    return GetMatchingPathsByDefault(ops_, pattern);
  }
  CallStatus status(tables().status);
  PluginStrings entries(tables());
  CallPlugin(status, [&] {
    entries.count =
        get_matching_paths(&filesystem_, std::string(pattern).c_str(),
                           &entries.array, status.get());
  });
  if (!status.ok()) {
    entries.Disown();  // L699: the plugin has freed them.
    return status.ToError(kOp, pattern);
  }
  return entries.Take(kOp, pattern);
}

absl::Status FileSystem::CreateDir(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_create_dir, tables().filesystem.create_dir,
                    uri);
}

absl::Status FileSystem::RecursivelyCreateDir(std::string_view uri) const {
  constexpr Op kOp = Op::kFilesystem_recursively_create_dir;
  if (ops_.Has(kOp)) {
    return CallOnPath(kOp, tables().filesystem.recursively_create_dir, uri);
  }
  const absl::Status offered = ops_.Offers(kOp, uri);
  if (!offered.ok()) return offered;
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return RecursivelyCreateDirByDefault(ops_, {path.c_str(), uri});
}

absl::Status FileSystem::DeleteFile(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_delete_file,
                    tables().filesystem.delete_file, uri);
}

absl::Status FileSystem::DeleteDir(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_delete_dir, tables().filesystem.delete_dir,
                    uri);
}

absl::Status FileSystem::DeleteRecursively(std::string_view uri,
                                           Undeleted* undeleted) const {
  constexpr Op kOp = Op::kFilesystem_delete_recursively;
  Undeleted ignored;
  Undeleted& left = undeleted == nullptr ? ignored : *undeleted;
  left = {0, 1};
  if (ops_.Has(kOp)) {
    const absl::Status status =
        CallOnPath(kOp, tables().filesystem.delete_recursively, uri,
                   &left.files, &left.directories);
    if (status.ok()) left = {};  // L479: real plugins leave them unset.
    return status;
  }
  const absl::Status offered = ops_.Offers(kOp, uri);
  if (!offered.ok()) return offered;
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return DeleteRecursivelyByDefault(ops_, {path.c_str(), uri}, left);
}

template <typename Call>
inline absl::Status FileSystem::CallOnPaths(std::string_view src,
                                            std::string_view dst,
                                            Call call) const {
  const TranslatedPath from(tables(), filesystem_, src);
  if (!from.status().ok()) return from.status();
  const TranslatedPath to(tables(), filesystem_, dst);
  if (!to.status().ok()) return to.status();
  return call(PathArgument(from.c_str(), src), PathArgument(to.c_str(), dst));
}

absl::Status FileSystem::RenameFile(std::string_view src,
                                    std::string_view dst) const {
  constexpr Op kOp = Op::kFilesystem_rename_file;
  const absl::Status offered = ops_.Offers(kOp, src);
  if (!offered.ok()) return offered;
  return CallOnPaths(src, dst, [&](PathArgument from, PathArgument to) {
    return ops_.Has(kOp) ? ops_.RenameFile(from, to)
                         : RenameFileByDefault(ops_, from, to);
  });
}

absl::Status FileSystem::CopyFile(std::string_view src,
                                  std::string_view dst) const {
  constexpr Op kOp = Op::kFilesystem_copy_file;
  const absl::Status offered = ops_.Offers(kOp, src);
  if (!offered.ok()) return offered;
  return CallOnPaths(src, dst, [&](PathArgument from, PathArgument to) {
    return ops_.Has(kOp) ? ops_.CopyFile(from, to)
                         : CopyFileByDefault({ops_, from}, {ops_, to});
  });
}

absl::Status FileSystem::CopyFileTo(std::string_view src,
                                    const FileSystem& target,
                                    std::string_view dst) const {
  if (&target == this) return CopyFile(src, dst);
  const TranslatedPath from(tables(), filesystem_, src);
  if (!from.status().ok()) return from.status();
  const TranslatedPath to(target.tables(), target.filesystem_, dst);
  if (!to.status().ok()) return to.status();
  return CopyFileByDefault({ops_, {from.c_str(), src}},
                           {target.ops_, {to.c_str(), dst}});
}

absl::StatusOr<std::string> FileSystem::TranslateName(
    std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return std::string(path.c_str());
}

absl::Status FileSystem::FlushCaches() const {
  constexpr Op kOp = Op::kFilesystem_flush_caches;
  const auto flush_caches = tables().filesystem.flush_caches;
  if (flush_caches == nullptr) return absl::OkStatus();  // L718
  CallStatus status(tables().status);
  CallPlugin(status, [&] { flush_caches(&filesystem_); });
  return status.ok() ? absl::OkStatus() : status.ToError(kOp, Root());
}

}  // namespace fsload
