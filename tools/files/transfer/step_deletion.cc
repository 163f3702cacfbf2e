#include "tools/files/transfer/step_deletion.h"

#include <string>

#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/transfer/store_directories.h"

namespace fsload {
namespace {

// `status` of a deletion; OK if nothing is left there, whoever deleted it, and
// for a directory that was deleted by name, which is to stay.
absl::Status IgnoreNotFound(const Step& step, const absl::Status& status) {
  const Location& location = step.source;
  if (status.ok()) return status;
  if (location.tree != nullptr) {
    return absl::IsNotFound(status) ? absl::OkStatus() : status;
  }
  const PathState now = GetPathState(location);
  if (!now.status.ok()) return absl::IsNotFound(status) ? now.status : status;
  if (now.type == FileType::kNone) return absl::OkStatus();
  if (step.by_name && now.type == FileType::kDirectory) {
    // It hides an object of the same name from stat.
    const absl::StatusOr<bool> beside = HasObjectBeside(location);
    return beside.ok() && !*beside ? absl::OkStatus() : status;
  }
  if (!absl::IsNotFound(status)) return status;
  return UnavailableError(
      "{}: the plugin reports that it does not exist, but it does; try again",
      location.uri);
}

// OK if deleting a directory that was moved loses nothing.
absl::Status CheckWasMoved(const Step& step) {
  const Location& there = step.moved_to;
  if (there.uri.empty()) return absl::OkStatus();
  const bool is_local_there =
      there.tree != nullptr &&
      GetFileOrDirectoryState(there).type == FileType::kDirectory;
  const absl::Status status =
      is_local_there ? absl::OkStatus()
                     : CheckDirectoryIsThere(*there.file_system, there.uri);
  if (status.ok()) return CheckMarkerIsEmpty(step.source);
  return {status.code(),
          Format("{}: not deleted, because {} is missing after the move: {}",
                 step.source.uri, there.uri, std::string(status.message()))};
}

}  // namespace

absl::Status RunDeletion(const Step& step) {
  if (step.kind == StepKind::kDeleteFile) {
    return IgnoreNotFound(step, DeleteFileAt(step.source));
  }
  const absl::Status status = CheckWasMoved(step);
  if (!status.ok()) return status;
  return IgnoreNotFound(step, DeleteDirectoryAt(step.source));
}

}  // namespace fsload
