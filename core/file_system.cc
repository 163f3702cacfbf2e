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

template <typename Function, typename... Arguments>
inline absl::Status FileSystem::CallOnPath(Op op, Function function,
                                           std::string_view uri,
                                           Arguments... arguments) const {
  if (ABSL_PREDICT_FALSE(function == nullptr)) return MissingOperation(op, uri);
  const TranslatedPath path(tables(), filesystem_, uri);
  if (ABSL_PREDICT_FALSE(!path.status().ok())) return path.status();
  CallStatus status(tables().status);
  CallPlugin(status, [&] {
    function(&filesystem_, path.c_str(), arguments..., status.get());
  });
  if (ABSL_PREDICT_TRUE(status.ok())) return absl::OkStatus();
  return status.ToError(op, uri);
}

template <typename File, typename Function>
inline absl::StatusOr<std::unique_ptr<File>> FileSystem::Open(
    Op op, Function function, std::string_view uri) const {
  std::unique_ptr<File> file(new (uri) File(tables(), uri));
  const absl::Status status = CallOnPath(op, function, uri, &file->wrapper_);
  if (ABSL_PREDICT_FALSE(!status.ok())) return status;
  file->file_system_ = shared_from_this();
  return file;
}

absl::StatusOr<std::unique_ptr<RandomAccessFile>>
FileSystem::NewRandomAccessFile(std::string_view uri) const {
  return Open<RandomAccessFile>(Op::kFilesystem_new_random_access_file,
                                tables().filesystem.new_random_access_file,
                                uri);
}

absl::StatusOr<std::unique_ptr<WritableFile>> FileSystem::NewWritableFile(
    std::string_view uri) const {
  return Open<WritableFile>(Op::kFilesystem_new_writable_file,
                            tables().filesystem.new_writable_file, uri);
}

absl::StatusOr<std::unique_ptr<WritableFile>> FileSystem::NewAppendableFile(
    std::string_view uri) const {
  return Open<WritableFile>(Op::kFilesystem_new_appendable_file,
                            tables().filesystem.new_appendable_file, uri);
}

absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
FileSystem::NewReadOnlyMemoryRegionFromFile(std::string_view uri) const {
  auto region = Open<ReadOnlyMemoryRegion>(
      Op::kFilesystem_new_read_only_memory_region_from_file,
      tables().filesystem.new_read_only_memory_region_from_file, uri);
  if (!region.ok()) return region;
  const absl::Status status = (*region)->Fetch();
  if (!status.ok()) return status;
  return region;
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

absl::StatusOr<std::vector<std::string>> FileSystem::GetChildren(
    std::string_view uri) const {
  constexpr Op kOp = Op::kFilesystem_get_children;
  const auto get_children = tables().filesystem.get_children;
  if (get_children == nullptr) return MissingOperation(kOp, uri);
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  CallStatus status(tables().status);
  PluginStrings entries(tables());
  CallPlugin(status, [&] {
    entries.count =
        get_children(&filesystem_, path.c_str(), &entries.array, status.get());
  });
  if (!status.ok()) {
    entries.Disown();  // L660: the plugin has freed them.
    return status.ToError(kOp, uri);
  }
  return entries.Take(kOp, uri);
}

absl::Status FileSystem::CreateDir(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_create_dir, tables().filesystem.create_dir,
                    uri);
}

absl::Status FileSystem::DeleteFile(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_delete_file,
                    tables().filesystem.delete_file, uri);
}

absl::Status FileSystem::DeleteDir(std::string_view uri) const {
  return CallOnPath(Op::kFilesystem_delete_dir, tables().filesystem.delete_dir,
                    uri);
}

absl::StatusOr<std::string> FileSystem::TranslateName(
    std::string_view uri) const {
  const TranslatedPath path(tables(), filesystem_, uri);
  if (!path.status().ok()) return path.status();
  return std::string(path.c_str());
}

}  // namespace fsload
