#include "tools/files/file_transfer.h"

#include <deque>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/copy_options.h"
#include "tools/files/interruption.h"
#include "tools/files/local_place.h"
#include "tools/files/local_transfer.h"
#include "tools/files/places.h"
#include "tools/files/replaced_mode.h"
#include "tools/files/unfinished_work.h"

namespace fsload {
namespace {

absl::Status CopyFile(const Step& step, bool replaces, Progress& progress) {
  // One for each path: a replacement without rename_file writes to three.
  std::deque<UnfinishedWork> work;
  CopyOptions options;
  options.replaces = replaces;
  options.before_writing = [&](std::string_view path) {
    work.emplace_back(std::string(path) + " may be a part of " +
                      step.target.uri);
  };
  options.after_block = [&](int64_t bytes) {
    progress.AddBytes(bytes);
    return CheckInterruption();
  };
  const ReplacedMode mode(step.target);
  const absl::Status copied = step.source.file_system->CopyFileTo(
      step.source.uri, *step.target.file_system, step.target.uri, options);
  return copied.ok() ? mode.GiveTo(step.target) : copied;
}

// Copies, and deletes a source that is still what was copied. (Where it is the
// target by another name, it is not.)
absl::Status CopyAndDelete(const Step& step, Progress& progress) {
  const FileSystem& file_system = *step.source.file_system;
  const absl::StatusOr<FileStatistics> before =
      file_system.Stat(step.source.uri);
  if (!before.ok()) return before.status();
  const absl::Status copied = CopyFile(step, true, progress);
  if (!copied.ok()) return copied;
  const UnfinishedWork work(step.source.uri + " is copied to " +
                            step.target.uri + ", and not yet deleted");
  const absl::StatusOr<FileStatistics> after =
      file_system.Stat(step.source.uri);
  if (!after.ok()) return after.status();
  if (before->length != after->length ||
      before->mtime_nsec != after->mtime_nsec) {
    return absl::AbortedError(
        step.source.uri + ": wanted it as it was copied to " + step.target.uri +
        ", found that it changed since; it is not deleted");
  }
  const absl::Status deleted = DeleteFileAt(step.source);
  if (deleted.ok()) return deleted;
  return {deleted.code(), std::string(deleted.message()) +
                              "; it is copied to " + step.target.uri};
}

// Whether a plugin that did not rename a file may still copy it: two disks are
// one file system here.
bool MayCopyInstead(const Step& step, const absl::Status& renamed) {
  if (!absl::IsFailedPrecondition(renamed) && !absl::IsUnimplemented(renamed)) {
    return false;
  }
  const Look target = LookAt(step.target);
  return LookAt(step.source).existing == Existing::kFile &&
         target.status.ok() && target.existing != Existing::kDirectory;
}

absl::Status RenameFile(const Step& step, Progress& progress) {
  const absl::Status renamed =
      step.source.file_system->RenameFile(step.source.uri, step.target.uri);
  if (MayCopyInstead(step, renamed)) return CopyAndDelete(step, progress);
  if (renamed.ok()) progress.AddBytes(step.bytes);
  return renamed;
}

}  // namespace

absl::Status TransferFile(const Step& step, bool replaces, Progress& progress) {
  if (IsLocal(step)) return TransferLocalFile(step, replaces, progress);
  switch (step.kind) {
    case StepKind::kCopyFile:
      return CopyFile(step, replaces, progress);
    case StepKind::kRenameFile:
      return RenameFile(step, progress);
    case StepKind::kMoveFile:
      return CopyAndDelete(step, progress);
    default:
      return absl::InternalError("wanted a step that transfers a file");
  }
}

}  // namespace fsload
