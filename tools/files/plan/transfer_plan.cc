#include "tools/files/plan/transfer_plan.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/plan/transfer_steps.h"
#include "tools/files/plan/tree_transfer.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

// Adds steps; functions that return a bool return false to stop.
class TransferPlanner {
 public:
  explicit TransferPlanner(const TransferRequest& request)
      : request_(request), steps_(request) {}

  std::optional<Plan> Run() {
    const absl::Status status = steps_.target().Check();
    if (!status.ok()) {
      steps_.ReportError(request_.target, status);
      return std::nullopt;
    }
    for (const Location& source : request_.sources) {
      if (!AddSource(source)) return std::nullopt;
    }
    return steps_.TakePlan();
  }

 private:
  bool AddSource(const Location& named) {
    const Location source =
        InFolder(named.At(std::string(WithoutTrailingSlashes(named.uri))),
                 request_.moves ? Links::kRefused : Links::kFollowed, folders_);
    const absl::StatusOr<PathState> found = ExamineSource(named, source);
    if (!found.ok()) return steps_.ReportError(source, found.status());
    const bool is_directory = found->type == FileType::kDirectory;
    const Location target = steps_.target().LocationOf(source, is_directory);
    const PathState there = target.uri == request_.target.uri
                                ? steps_.target().state()
                                : steps_.target().GetPathState(target);
    const absl::Status status =
        CheckTransfer(named, source, *found, target, there);
    if (!status.ok()) {
      KeepAway(source, is_directory);
      return steps_.ReportError(source, status);
    }
    if (!is_directory) return AddFile(source, *found, target, there);
    if (MayRename(source, target, there)) {
      return AddRename(named, source, target);
    }
    return AddTree(request_.moves ? source : AsTree(source, Links::kFollowed),
                   target, there.type, steps_);
  }

  // Returns what is transferred: a directory, a file, or the link itself as a
  // file, as moving it does not move what it leads to.
  absl::StatusOr<PathState> ExamineSource(const Location& named,
                                          const Location& source) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    PathState found = steps_.target().GetSourceState(source);
    if (!found.status.ok()) return found.status;
    if (request_.moves && IsKnownLink(source)) {
      status = CheckNoLinkBeforeSlash(named);
      if (!status.ok()) return status;
      if (found.type == FileType::kDirectory) found.type = FileType::kNone;
    } else if (found.type == FileType::kNone) {
      status = source.file_system->Stat(source.uri).status();
      if (!status.ok()) return status;
    }
    if (found.type != FileType::kFile) return found;
    if (request_.recursive) {
      const absl::StatusOr<bool> hides = HidesDirectory(source);
      if (!hides.ok()) return hides.status();
      if (*hides) {
        found.type = FileType::kDirectory;
        return found;
      }
    }
    status = CheckTrailingSlash(named.uri, false);
    if (!status.ok()) return status;
    if (request_.only_directories) {
      return FailedPreconditionError("{}: is a file; use cp to copy it",
                                     source.uri);
    }
    return found;
  }

  absl::Status CheckTransfer(const Location& named, const Location& source,
                             const PathState& found, const Location& target,
                             const PathState& there) {
    if (found.type != FileType::kDirectory) {
      return CheckFile(source, found, target, there);
    }
    if (request_.moves) {
      const absl::Status status = CheckMayBeDeleted(named, "move", "");
      if (!status.ok()) return status;
    }
    return steps_.CheckDirectory(source, target, there);
  }

  // Nothing may be written to a source that is not transferred.
  void KeepAway(const Location& source, bool is_directory) {
    if (is_directory) {
      steps_.others().directories.push_back(source);
    } else {
      steps_.others().files.push_back({StepKind::kDeleteFile, source});
    }
  }

  bool MayRename(const Location& source, const Location& target,
                 const PathState& there) const {
    return request_.moves && request_.renames_directories &&
           request_.filter.is_empty() && steps_.target().IsLocalWith(source) &&
           there.type == FileType::kNone && !steps_.HasTarget(target) &&
           AreOnOneDisk(source, target);
  }

  bool AddRename(const Location& named, const Location& source,
                 const Location& target) {
    Step step = {StepKind::kRenameDirectory, source, target};
    // Two disks may look like one (overlayfs).
    TransferRequest request = request_;
    request.sources = {named};
    request.named = 1;
    request.target = request_.target.At(target.uri);
    request.onto_target = true;  // whatever is there by then
    request.renames_directories = false;
    step.otherwise = [request] { return PlanTransfer(request); };
    steps_.AddRename(std::move(step));
    return true;
  }

  bool AddFile(const Location& source, const PathState& found,
               const Location& target, const PathState& there) {
    if (!request_.filter.SelectsFile(NameOf(source.uri))) return true;
    if (!steps_.HasNextFile()) {
      steps_.others().files.push_back({StepKind::kDeleteFile, source});
      return true;
    }
    return steps_.AddFile(source, target, found.statistics, there);
  }

  const TransferRequest& request_;
  TransferSteps steps_;
  OpenFolders folders_;  // of sources
};

}  // namespace

std::optional<Plan> PlanTransfer(const TransferRequest& request) {
  return TransferPlanner(request).Run();
}

}  // namespace fsload
