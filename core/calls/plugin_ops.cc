#include "core/calls/plugin_ops.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calls/plugin_strings.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Brings the names of children into the contract's form (L654).
void NormalizeNames(std::vector<std::string_view>& names) {
  for (std::string_view& name : names) {
    while (!name.empty() && name.back() == '/') name.remove_suffix(1);
  }
  const auto leads_nowhere = [](std::string_view name) {
    return name.empty() || name == "." || name == "..";
  };
  names.erase(std::remove_if(names.begin(), names.end(), leads_nowhere),
              names.end());
}

absl::StatusOr<std::vector<std::string>> Copies(
    const absl::StatusOr<std::vector<std::string_view>>& names) {
  if (!names.ok()) return names.status();
  return std::vector<std::string>(names->begin(), names->end());
}

}  // namespace

bool IsEntryName(std::string_view name) {
  return name.find('/') == std::string_view::npos;
}

absl::Status NotAnEntryName(std::string_view folder, std::string_view name) {
  return absl::InternalError(
      CallMessage(Op::kFilesystem_get_children, folder,
                  Format("the plugin listed '{}', which is not a valid "
                         "name; it is not followed",
                         name)));
}

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<FileStatistics> WithoutNegativeLength(
    FileStatistics statistics, std::string_view uri) {
  if (!statistics.is_directory) {
    return Unusable(Op::kFilesystem_stat, uri, "a length of 0 or more",
                    Format("{}", statistics.length));
  }
  statistics.length = 0;
  return statistics;
}

size_t PluginOps::OwnSchemeBytesOf(std::string_view uri) const {
  const std::string_view scheme = SchemeOf(uri);
  return scheme.empty() || scheme == scheme_ ? scheme.size() : kOtherScheme;
}

absl::Status PluginOps::OtherScheme(Op op, std::string_view uri) const {
  const std::string_view scheme = SchemeOf(uri);
  return absl::InvalidArgumentError(CallMessage(
      op, uri,
      Format("the URI has scheme '{}', but this file system serves {}; use "
             "the file system of '{}'",
             scheme, scheme_.empty() ? "local paths" : Format("'{}'", scheme_),
             scheme)));
}

absl::Status PluginOps::PathExists(const PathArgument& path) const {
  return Call<Op::kFilesystem_path_exists>(path);
}

absl::StatusOr<FileStatistics> PluginOps::Stat(const PathArgument& path) const {
  FileStatistics statistics = {};
  const absl::Status status = Call<Op::kFilesystem_stat>(path, &statistics);
  if (ABSL_PREDICT_FALSE(!status.ok())) return status;
  if (ABSL_PREDICT_FALSE(statistics.length < 0)) {
    return WithoutNegativeLength(statistics, path.shown);
  }
  return statistics;
}

absl::StatusOr<bool> PluginOps::IsDirectory(const PathArgument& path) const {
  constexpr Op kOp = Op::kFilesystem_is_directory;
  if (!Has(kOp)) {
    const absl::StatusOr<FileStatistics> statistics = Stat(path);
    if (!statistics.ok()) return statistics.status();
    return statistics->is_directory;
  }
  bool answer = false;
  const absl::Status status = CallOp<kOp>(
      tables_, path.shown, [&](auto is_directory, TF_Status* to_set) {
        answer = is_directory(&filesystem_, path.canonical, to_set);
      });
  if (status.ok()) return answer;
  // L592: real plugins deviate and return FAILED_PRECONDITION for a file.
  if (absl::IsFailedPrecondition(status)) return false;
  return status;
}

absl::StatusOr<int64_t> PluginOps::GetFileSize(const PathArgument& path) const {
  constexpr Op kOp = Op::kFilesystem_get_file_size;
  if (!Has(kOp)) {
    const absl::StatusOr<FileStatistics> statistics = Stat(path);
    if (!statistics.ok()) return statistics.status();
    if (!statistics->is_directory) return statistics->length;
    return NotAFile(kOp, path.shown);
  }
  int64_t bytes = -1;
  const absl::Status status = CallOp<kOp>(
      tables_, path.shown, [&](auto get_file_size, TF_Status* to_set) {
        bytes = get_file_size(&filesystem_, path.canonical, to_set);
      });
  if (!status.ok()) return status;
  if (bytes >= 0) return bytes;
  return Unusable(kOp, path.shown, "a size of 0 or more", Format("{}", bytes));
}

absl::StatusOr<std::vector<std::string>> PluginOps::GetChildren(
    const PathArgument& path) const {
  PluginStrings entries(tables_);
  return Copies(LookAtChildren(path, entries));
}

absl::StatusOr<std::vector<std::string>> PluginOps::GetGivenChildren(
    const PathArgument& path) const {
  PluginStrings entries(tables_);
  return Copies(LookAtGivenChildren(path, entries));
}

absl::StatusOr<std::vector<std::string_view>> PluginOps::LookAtChildren(
    const PathArgument& path, PluginStrings& entries) const {
  absl::StatusOr<std::vector<std::string_view>> names =
      LookAtGivenChildren(path, entries);
  if (names.ok()) NormalizeNames(*names);
  return names;
}

absl::StatusOr<std::vector<std::string_view>> PluginOps::LookAtGivenChildren(
    const PathArgument& path, PluginStrings& entries) const {
  constexpr Op kOp = Op::kFilesystem_get_children;
  const absl::Status status = CallOp<kOp>(
      tables_, path.shown, [&](auto get_children, TF_Status* to_set) {
        entries.count =
            get_children(&filesystem_, path.canonical, &entries.array, to_set);
      });
  if (status.ok()) return entries.Look(kOp, path.shown);
  entries.Disown();  // L660: the plugin has freed them.
  return status;
}

absl::Status PluginOps::CreateDir(const PathArgument& path) const {
  return Call<Op::kFilesystem_create_dir>(path);
}

absl::Status PluginOps::DeleteFile(const PathArgument& path) const {
  return Call<Op::kFilesystem_delete_file>(path);
}

absl::Status PluginOps::DeleteDir(const PathArgument& path) const {
  return Call<Op::kFilesystem_delete_dir>(path);
}

absl::Status PluginOps::RenameFile(const PathArgument& src,
                                   const PathArgument& dst) const {
  return Call<Op::kFilesystem_rename_file>(src, dst.canonical);
}

absl::Status PluginOps::CopyFile(const PathArgument& src,
                                 const PathArgument& dst) const {
  return Call<Op::kFilesystem_copy_file>(src, dst.canonical);
}

bool CanMoveBetween(const PluginTraits& traits, const PathArgument& src,
                    const PathArgument& dst) {
  return traits.crosses_hosts || (IsSameStore(src.canonical, dst.canonical) &&
                                  !MayBeOneFile(src.canonical, dst.canonical));
}

}  // namespace fsload
