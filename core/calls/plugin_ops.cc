#include "core/calls/plugin_ops.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/calls/plugin_strings.h"
#include "core/paths/bucket.h"
#include "core/paths/path.h"
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

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<FileStatistics> WithoutNegativeLength(
    FileStatistics statistics, std::string_view uri) {
  if (!statistics.is_directory) {
    return Unusable(Op::kFilesystem_stat, uri, "a length of 0 or more",
                    Format("{}", statistics.length));
  }
  statistics.length = 0;
  return statistics;
}

void PluginOps::NoteTarget(std::string_view src, std::string_view dst) const {
  if (!listing_cache().is_used()) return;
  NoteCreated(dst);
  NoteCreated(JoinPath(dst, Basename(src)));
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
  const absl::Status status = Call<Op::kFilesystem_path_exists>(path);
  // A store may find only files by this, and refuse its root.
  const bool may_be_directory =
      absl::IsNotFound(status) || absl::IsInvalidArgument(status);
  if (!tables_.traits.is_untested || !may_be_directory ||
      !Has(Op::kFilesystem_stat)) {
    return status;
  }
  return Stat(path).ok() ? absl::OkStatus() : status;
}

absl::StatusOr<FileStatistics> PluginOps::GivenStat(
    const PathArgument& path) const {
  FileStatistics statistics = {};
  const absl::Status status = Call<Op::kFilesystem_stat>(path, &statistics);
  if (ABSL_PREDICT_FALSE(!status.ok())) return status;
  if (ABSL_PREDICT_FALSE(statistics.length < 0)) {
    return WithoutNegativeLength(statistics, path.shown);
  }
  if (tables_.traits.counts_from_year_1 && statistics.mtime_nsec != 0) {
    constexpr uint64_t kSecondsBefore1970 = 62'135'596'800;
    statistics.mtime_nsec =
        static_cast<int64_t>(static_cast<uint64_t>(statistics.mtime_nsec) -
                             kSecondsBefore1970 * 1'000'000'000);
  }
  return statistics;
}

absl::StatusOr<FileStatistics> PluginOps::Stat(const PathArgument& path) const {
  if (ABSL_PREDICT_TRUE(!tables_.traits.is_untested)) return GivenStat(path);
  return UntestedStat(path);
}

absl::StatusOr<FileStatistics> PluginOps::UntestedStat(
    const PathArgument& path) const {
  absl::StatusOr<FileStatistics> found = GivenStat(path);
  // The root of a store, which has no name in it, may be refused.
  if (absl::IsInvalidArgument(found.status()) &&
      Has(Op::kFilesystem_is_directory)) {
    const absl::StatusOr<bool> is_directory = GivenIsDirectory(path);
    if (absl::IsNotFound(is_directory.status())) return is_directory.status();
    if (is_directory.ok() && *is_directory) return FileStatistics{0, 0, true};
  }
  if (!found.ok() || !found->is_directory) return found;
  const absl::Status status = CheckDirectory(Op::kFilesystem_stat, path);
  if (!status.ok()) return status;
  return found;
}

absl::StatusOr<bool> PluginOps::GivenIsDirectory(
    const PathArgument& path) const {
  constexpr Op kOp = Op::kFilesystem_is_directory;
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

absl::StatusOr<bool> PluginOps::IsDirectory(const PathArgument& path) const {
  constexpr Op kOp = Op::kFilesystem_is_directory;
  if (!Has(kOp)) {
    const absl::StatusOr<FileStatistics> statistics = Stat(path);
    if (!statistics.ok()) return statistics.status();
    return statistics->is_directory;
  }
  const absl::StatusOr<bool> answer = GivenIsDirectory(path);
  if (!tables_.traits.is_untested || !answer.ok() || !*answer) return answer;
  const absl::Status status = CheckDirectory(kOp, path);
  if (!status.ok()) return status;
  return true;
}

absl::Status PluginOps::CheckDirectory(Op op, const PathArgument& path) const {
  PluginStrings entries(tables_);
  const absl::StatusOr<std::vector<std::string_view>> names =
      ViewGivenChildren(path, entries);
  const bool is_unknown = absl::IsUnimplemented(names.status()) ||
                          absl::IsPermissionDenied(names.status());
  if (is_unknown) return absl::OkStatus();
  if (!names.ok()) return names.status();
  if (!names->empty()) return absl::OkStatus();
  // In the same bucket, if `path` is one.
  const std::string beside = std::string(WithoutSlashes(path.canonical)) +
                             (IsBucketRoot(path.canonical) ? "/" : "") +
                             ".fsload-9d2c8b3f60e1a745";
  const PathArgument made_up(beside);
  bool invents = false;
  if (op == Op::kFilesystem_stat) {
    const absl::StatusOr<FileStatistics> stat = GivenStat(made_up);
    invents = stat.ok() && stat->is_directory;
  } else {
    const absl::StatusOr<bool> is_directory = GivenIsDirectory(made_up);
    invents = is_directory.ok() && *is_directory;
  }
  if (!invents) return absl::OkStatus();
  return absl::NotFoundError(CallMessage(op, path.shown, "does not exist"));
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
  return Copies(ViewChildren(path, entries));
}

absl::StatusOr<std::vector<std::string>> PluginOps::GetGivenChildren(
    const PathArgument& path) const {
  PluginStrings entries(tables_);
  const auto names = ViewGivenChildren(path, entries);
  const absl::Status status = CheckListing(path, names);
  return status.ok() ? Copies(names) : status;
}

absl::StatusOr<std::vector<std::string_view>> PluginOps::ViewChildren(
    const PathArgument& path, PluginStrings& entries) const {
  absl::StatusOr<std::vector<std::string_view>> names =
      ViewGivenChildren(path, entries);
  if (names.ok()) NormalizeNames(*names);
  const absl::Status status = CheckListing(path, names);
  if (!status.ok()) return status;
  return names;
}

absl::Status PluginOps::CheckListing(
    const PathArgument& path,
    const absl::StatusOr<std::vector<std::string_view>>& names) const {
  if (!names.ok()) return names.status();
  const bool may_be_itself =
      tables_.traits.is_untested && names->size() == 1 &&
      names->front() == Basename(WithoutSlashes(path.canonical));
  if (!may_be_itself) return absl::OkStatus();
  const absl::StatusOr<FileStatistics> found = GivenStat(path);
  // An object store may have no object for a directory.
  if (absl::IsUnimplemented(found.status()) ||
      absl::IsNotFound(found.status())) {
    return absl::OkStatus();
  }
  if (!found.ok()) return found.status();
  return found->is_directory
             ? absl::OkStatus()
             : NotADirectory(Op::kFilesystem_get_children, path.shown);
}

absl::Status PluginOps::ErrorOfOpening(Op op, const PathArgument& path,
                                       const absl::Status& error) const {
  if (!tables_.traits.is_untested || !absl::IsNotFound(error)) return error;
  const absl::StatusOr<FileStatistics> found = Stat(path);
  return found.ok() && found->is_directory ? NotAFile(op, path.shown) : error;
}

absl::StatusOr<std::vector<std::string_view>> PluginOps::ViewGivenChildren(
    const PathArgument& path, PluginStrings& entries) const {
  constexpr Op kOp = Op::kFilesystem_get_children;
  const absl::Status status = CallOp<kOp>(
      tables_, path.shown, [&](auto get_children, TF_Status* to_set) {
        entries.count = CallGetChildren(tables_, get_children, &filesystem_,
                                        path.canonical, &entries.array, to_set);
      });
  if (status.ok()) return entries.Views(kOp, path.shown);
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
  if (traits.crosses_hosts || traits.refuses_changes) return true;
  return IsSameStore(src.canonical, dst.canonical) &&
         !MayBeOneFile(src.canonical, dst.canonical);
}

}  // namespace fsload
