#include "tools/files/plan/transfer_target.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>

#include "core/file_system/plugin_file_system.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/places/local_place.h"

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
      place_(InFolder(request.target, Links::kRefused)),
      look_(LookAt(place_)) {
  // The user may name a symlink to it.
  if (look_.existing == Existing::kDirectory) {
    place_ = AsTree(request.target, Links::kRefused);
  }
}

absl::Status TransferTarget::Check() const {
  if (!look_.status.ok()) return look_.status;
  const absl::Status named = CheckTrailingSlash(
      request_.target.uri, look_.existing != Existing::kFile);
  if (!named.ok()) return named;
  if (request_.onto_target && SourceCount(request_) != 1) {
    return absl::InvalidArgumentError(
        Format("{}: -T takes one source, but {} are named", request_.target.uri,
               SourceCount(request_)));
  }
  const bool fits = look_.existing == Existing::kDirectory ||
                    (look_.existing == Existing::kNothing &&
                     (request_.recursive || EndsInSlash(request_)));
  if (SourceCount(request_) == 1 || fits) return absl::OkStatus();
  if (look_.existing == Existing::kNothing) {
    return absl::NotFoundError(Format(
        "{}: no such directory; {} sources need one (`fsload mkdir` creates "
        "it)",
        request_.target.uri, SourceCount(request_)));
  }
  return absl::FailedPreconditionError(
      Format("{}: is a file, but {} sources need a directory",
             request_.target.uri, SourceCount(request_)));
}

Look TransferTarget::LookAt(const Place& place) const {
  Look there = LookAtFileOrDirectory(
      place, request_.replaces ? StatEffort::kCheap : StatEffort::kThorough);
  if (!request_.replaces && !CheckNotSpecial(place).ok()) {
    there.status = absl::OkStatus();
    there.existing = Existing::kFile;
  }
  if (request_.replaces && there.existing == Existing::kFile) {
    there.status.Update(CheckNotMagicLink(place));
  }
  return there;
}

Place TransferTarget::PlaceOf(const Place& source, bool is_directory) const {
  if (request_.onto_target) return place_;
  // A directory that one shard made is still the target of the others.
  const bool made_by_shard = is_directory && request_.shard.count > 1;
  const bool is_inside =
      look_.existing == Existing::kDirectory && !made_by_shard;
  const bool inside = is_inside || SourceCount(request_) > 1 ||
                      (EndsInSlash(request_) && !is_directory);
  return inside ? Below(place_, NameOf(source.uri)) : place_;
}

bool TransferTarget::IsLocalWith(const Place& source) const {
  return source.tree != nullptr && place_.tree != nullptr;
}

Look TransferTarget::LookAtSource(const Place& source) const {
  struct stat info;
  if (!request_.moves || !IsLocalWith(source) ||
      source.tree->Describe(source.path, info) != 0) {
    return LookAtFileOrDirectory(source);
  }
  const FileStatistics found = StatisticsOf(info);
  return {absl::OkStatus(),
          found.is_directory ? Existing::kDirectory : Existing::kFile, found};
}

absl::Status TransferTarget::CheckNoLink(const Place& source,
                                         const Place& place,
                                         const Look& there) const {
  if (place.uri == request_.target.uri || !IsKnownLink(place)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(Format(
      "{}: is a link{}; refusing to write directory {} through it", place.uri,
      there.existing == Existing::kDirectory ? " to a directory" : "",
      source.uri));
}

absl::Status TransferTarget::CheckStep(StepKind kind, const Place& source,
                                       const Place& place, bool exists) const {
  if (source.tree != nullptr && place.tree == nullptr) {
    absl::Status status = CheckNotSpecial(source);
    if (!status.ok()) return status;
  }
  const bool renames = kind == StepKind::kRenameFile;
  if (exists) {
    absl::Status status =
        CheckNotItself(source, place, kind != StepKind::kCopyFile);
    if (!status.ok()) return status;
  }
  const bool may_rename =
      IsLocalWith(source) ||
      (renames &&
       TablesOf(*source.file_system).filesystem.rename_file != nullptr);
  if (kind == StepKind::kCopyFile || may_rename || !IsKnownLink(source) ||
      fsload::LookAt(source).existing != Existing::kDirectory) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(Format(
      "{}: is a symlink to a directory, which can be moved only within a file "
      "system whose plugin can rename; nothing was changed",
      source.uri));
}

absl::Status CheckFile(const Place& source, const Look& found,
                       const Place& target, const Look& there) {
  if (!there.status.ok()) return there.status;
  if (there.existing == Existing::kDirectory) {
    return DirectoryInTheWay(source, target);
  }
  if (there.existing == Existing::kNothing) {
    if (WithoutTrailingSlashes(target.uri) != target.uri) {
      return absl::NotFoundError(
          target.uri +
          ": no such directory; remove the trailing '/' to name a file");
    }
    // On a store, an object may hide one whose name starts with its own.
    return source.tree == nullptr ? CheckOutside(source, target)
                                  : absl::OkStatus();
  }
  return CheckDifferent(source, found.statistics, target, there.statistics);
}

absl::Status TwoSources(const Place& source, const Place& target) {
  return absl::InvalidArgumentError(Format(
      "{}: another source has the same target {}; give them different targets",
      source.uri, target.uri));
}

absl::Status DirectoryInTheWay(const Place& source, const Place& target) {
  return absl::FailedPreconditionError(
      Format("{}: is a directory; cannot replace it with the file {}",
             target.uri, source.uri));
}

}  // namespace fsload
