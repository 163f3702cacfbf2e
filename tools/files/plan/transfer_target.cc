#include "tools/files/plan/transfer_target.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>

#include "core/file_system/plugin_file_system.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/store_objects.h"

namespace fsload {
namespace {

size_t SourceCount(const TransferRequest& request) {
  return std::max(request.named, request.sources.size());
}

bool EndsInSlash(const TransferRequest& request) {
  return !request.target.uri.empty() && request.target.uri.back() == '/';
}

}  // namespace

TransferTarget::TransferTarget(const TransferRequest& request)
    : request_(request),
      location_(InFolder(request.target, Links::kRefused)),
      state_(GetPathState(location_)) {
  // The user may name a symlink to it.
  if (state_.type == FileType::kDirectory) {
    location_ = AsTree(request.target, Links::kRefused);
  }
}

absl::Status TransferTarget::Check() const {
  if (!state_.status.ok()) return state_.status;
  if (state_.type == FileType::kNone) {
    const absl::Status above =
        ObjectsAbove().Check(*location_.file_system, location_.uri);
    if (!above.ok()) return above;
  }
  const absl::Status named =
      CheckTrailingSlash(request_.target.uri, state_.type != FileType::kFile);
  if (!named.ok()) return named;
  if (request_.onto_target && SourceCount(request_) != 1) {
    return InvalidArgumentError("{}: -T takes one source, but {} are named",
                                request_.target.uri, SourceCount(request_));
  }
  const bool fits = state_.type == FileType::kDirectory ||
                    (state_.type == FileType::kNone &&
                     (request_.recursive || EndsInSlash(request_)));
  if (SourceCount(request_) == 1 || fits) return absl::OkStatus();
  if (state_.type == FileType::kNone) {
    return NotFoundError(
        "{}: no such directory; {} sources need one (`fsload mkdir` creates "
        "it)",
        request_.target.uri, SourceCount(request_));
  }
  return FailedPreconditionError(
      "{}: is a file, but {} sources need a directory", request_.target.uri,
      SourceCount(request_));
}

PathState TransferTarget::GetPathState(const Location& location) const {
  PathState there = GetFileOrDirectoryState(
      location, request_.replaces ? StatEffort::kCheap : StatEffort::kThorough);
  if (!request_.replaces && !CheckNotSpecial(location).ok()) {
    there.status = absl::OkStatus();
    there.type = FileType::kFile;
  }
  if (request_.replaces && there.type == FileType::kFile) {
    there.status.Update(CheckNotMagicLink(location));
  }
  return there;
}

Location TransferTarget::LocationOf(const Location& source,
                                    bool is_directory) const {
  if (request_.onto_target) return location_;
  // A directory that one shard made is still the target of the others.
  const bool made_by_shard = is_directory && request_.shard.count > 1;
  const bool is_inside = state_.type == FileType::kDirectory && !made_by_shard;
  const bool inside = is_inside || SourceCount(request_) > 1 ||
                      (EndsInSlash(request_) && !is_directory);
  return inside ? Below(location_, NameOf(source.uri)) : location_;
}

bool TransferTarget::IsLocalWith(const Location& source) const {
  return AreLocal(source, location_);
}

PathState TransferTarget::GetSourceState(const Location& source) const {
  struct stat info;
  if (!request_.moves || !IsLocalWith(source) ||
      source.tree->Describe(source.path, info) != 0) {
    return GetFileOrDirectoryState(source);
  }
  const FileStatistics found = StatisticsOf(info);
  return {absl::OkStatus(),
          found.is_directory ? FileType::kDirectory : FileType::kFile, found};
}

absl::Status TransferTarget::CheckNoLink(const Location& source,
                                         const Location& location,
                                         const PathState& there) const {
  if (location.uri == request_.target.uri || !IsKnownLink(location)) {
    return absl::OkStatus();
  }
  return FailedPreconditionError(
      "{}: is a link{}; refusing to write directory {} through it",
      location.uri, there.type == FileType::kDirectory ? " to a directory" : "",
      source.uri);
}

absl::Status TransferTarget::CheckStep(StepKind kind, const Location& source,
                                       const Location& location,
                                       bool exists) const {
  if (source.tree != nullptr && location.tree == nullptr) {
    absl::Status status = CheckNotSpecial(source);
    if (!status.ok()) return status;
  }
  const bool renames = kind == StepKind::kRenameFile;
  if (exists) {
    absl::Status status =
        CheckNotItself(source, location, kind != StepKind::kCopyFile);
    if (!status.ok()) return status;
  }
  const bool may_rename =
      IsLocalWith(source) ||
      (renames &&
       TablesOf(*source.file_system).filesystem.rename_file != nullptr);
  if (kind == StepKind::kCopyFile || may_rename || !IsKnownLink(source) ||
      fsload::GetPathState(source).type != FileType::kDirectory) {
    return absl::OkStatus();
  }
  return FailedPreconditionError(
      "{}: is a symlink to a directory, which can be moved only within a file "
      "system whose plugin can rename; nothing was changed",
      source.uri);
}

absl::Status CheckFile(const Location& source, const PathState& found,
                       const Location& target, const PathState& there) {
  if (!there.status.ok()) return there.status;
  if (there.type == FileType::kDirectory) {
    return DirectoryInTheWay(source, target);
  }
  if (there.type == FileType::kNone) {
    if (WithoutTrailingSlashes(target.uri) != target.uri) {
      return NotFoundError(
          "{}: no such directory; remove the trailing '/' to name a file",
          target.uri);
    }
    // On a store, an object may hide one whose name starts with its own.
    return source.tree == nullptr ? CheckOutside(source, target)
                                  : absl::OkStatus();
  }
  return CheckDifferent(source, found.statistics, target, there.statistics);
}

absl::Status TwoSources(const Location& source, const Location& target) {
  return InvalidArgumentError(
      "{}: another source has the same target {}; give them different targets",
      source.uri, target.uri);
}

absl::Status DirectoryInTheWay(const Location& source, const Location& target) {
  return FailedPreconditionError(
      "{}: is a directory; cannot replace it with the file {}", target.uri,
      source.uri);
}

}  // namespace fsload
