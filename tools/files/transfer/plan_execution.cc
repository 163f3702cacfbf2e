#include "tools/files/transfer/plan_execution.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/copies/refused_deletion.h"
#include "core/file_system/plugin_file_system.h"
#include "core/threads/parallel_for.h"
#include "core/walk/store_names.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/output/progress.h"
#include "tools/files/output/progress_text.h"
#include "tools/files/transfer/deleted_by_name.h"
#include "tools/files/transfer/directory_steps.h"
#include "tools/files/transfer/file_transfer.h"
#include "tools/files/transfer/local_directories.h"
#include "tools/files/transfer/protected_paths.h"
#include "tools/files/transfer/step_deletion.h"
#include "tools/files/transfer/steps_under_way.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/files/transfer/written_files.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

// OK if `uri`, which delete_file did not delete, may be a directory and is not
// known to be a link; else the error.
absl::Status CheckMayBeDirectory(const FileSystem& files,
                                 const std::string& uri,
                                 const absl::Status& refused) {
  const PluginOps& ops = PluginFileSystem::Of(files).ops();
  if (!MayBeDirectory(ops, refused)) return refused;
  const absl::StatusOr<std::string> path = files.TranslateName(uri);
  if (!path.ok()) {
    return WithText(refused, std::string(path.status().message()));
  }
  return CheckNoLinkHere(ops, {path->c_str(), uri}, refused);
}

class PlanExecution {
 public:
  PlanExecution(const Plan& plan, const ExecutionOptions& options,
                VerbOutput& output)
      : plan_(plan),
        options_(options),
        output_(output),
        progress_(output, options.quiet, plan.bytes_to_write(), plan.files()),
        directories_(plan.steps) {
    AddToTotals(plan);
  }

  absl::Status Run() {
    if (plan_.only_deletes()) {
      const absl::Status status = DeleteLinks();
      if (!status.ok()) return status;
    }
    const absl::Status status = RunSteps(plan_.steps);
    if (!status.ok()) CountDone(by_name_.TakeDeleted());
    return status;
  }

  size_t steps_done() const { return steps_done_; }
  size_t files_done() const { return files_done_; }
  int64_t bytes_done() {
    const MutexLock lock(mutex_);
    return bytes_done_;
  }
  size_t skipped() const { return plan_.skipped + skipped_; }

  // As far as is known: some steps plan further ones.
  size_t total_steps() const { return total_steps_; }
  size_t total_files() const { return total_files_; }

 private:
  void AddToTotals(const Plan& plan) {
    total_files_ += plan.files();
    total_steps_ += plan.countable_steps();
  }

  absl::Status RunSteps(const StepList& steps) {
    absl::Status status;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!steps.Replaces(i)) continue;
      const Location target = steps[i].target;
      if (target.tree == nullptr) continue;
      RememberTarget(target.tree->Find(target.path), placed_);
    }
    for (size_t begin = 0; status.ok() && begin < steps.size();) {
      size_t end = begin + 1;
      const bool files = IsFileKind(steps.KindOf(begin));
      const bool deletes = IsDeletion(steps.KindOf(begin));
      while (end < steps.size() && IsFileKind(steps.KindOf(end)) == files &&
             IsDeletion(steps.KindOf(end)) == deletes) {
        ++end;
      }
      if (deletes) status = FinishDirectories();
      if (deletes && status.ok()) status = PrepareToDelete(steps[begin]);
      if (!status.ok()) break;
      // Directories wait for each other.
      status = ParallelFor(
          end - begin, [&](size_t i) { return RunStep(steps, begin + i); },
          std::chrono::microseconds{0}, files ? options_.jobs : 1);
      if (!status.ok()) ReportEndedThreads(steps);
      begin = end;
    }
    const absl::Status finished = FinishDirectories();
    return status.ok() ? finished : status;
  }

  // Before what the source of a copy lacks is deleted.
  absl::Status PrepareToDelete(const Step& first) {
    if (!plan_.deletes_after_success) return absl::OkStatus();
    if (failed_ > 0) {
      const absl::Status status = AbortedError(
          "{}: not everything could be copied, so neither this nor anything "
          "else that the source lacks is deleted",
          first.source.uri);
      output_.Fail(first.source.uri, status);
      return status;
    }
    return DeleteLinks();
  }

  absl::Status FinishDirectories() {
    return directories_.Finish(
        [this](const Step& step, const absl::Status& error) {
          return ReportError(step, error);
        });
  }

  // Moves by other steps a directory that cannot be renamed. Reports errors
  // itself.
  absl::Status MoveOtherwise(const Step& step) {
    std::optional<Plan> plan = step.otherwise();
    if (!plan.has_value()) return WhyNotPlanned();
    --total_steps_;
    return RunFurther(*std::move(plan));
  }

  // Returns the error that ends the execution after one that planning reported.
  static absl::Status WhyNotPlanned() {
    const absl::Status status = CheckInterruption();
    return status.ok() ? AbortedError("") : status;
  }

  // Executes a plan that a step has made.
  absl::Status RunFurther(Plan plan) {
    AddToTotals(plan);
    others_.push_back(std::move(plan));
    return RunSteps(others_.back().steps);
  }

  // Deletes what is left in a directory whose entries were deleted by name.
  // Reports errors itself.
  absl::Status DeleteRest(const Step& step) {
    std::optional<RestPlan> rest = step.rest(
        [this](const std::string& uri) { return by_name_.HasFailed(uri); });
    if (!rest.has_value()) return WhyNotPlanned();
    if (!rest->is_whole) {
      ++failed_;
      kept_.Keep(step.source.uri);
      kept_.KeepAbove(step.source.uri);
    }
    std::set<std::string> no_files = rest->directories;
    no_files.merge(rest->still_there);
    const DeletedByName::Steps deleted =
        by_name_.Take(step.source.uri, std::move(no_files));
    if (rest->is_listed) CountDone(deleted);
    // They are steps of the further plan.
    const size_t directories = rest->directories.size();
    total_steps_ -= directories;
    total_files_ -= directories;
    progress_.Correct(directories, rest->plan.files());
    return RunFurther(std::move(rest->plan));
  }

  // Deletes, starting at the root, symlinks that the plan took for directories:
  // what the plan names below them is then out of reach. If unsure, deletes
  // nothing below. Stores have no symlinks, but may have a file with the same
  // name as a directory, which is not in the plan.
  absl::Status DeleteLinks() {
    for (size_t i = plan_.steps.size(); i > 0; --i) {
      if (plan_.steps.KindOf(i - 1) != StepKind::kDeleteDirectory) break;
      absl::Status status = CheckInterruption();
      if (!status.ok()) return status;
      const Step step = plan_.steps[i - 1];
      // A tree knows its symlinks.
      if (step.source.tree != nullptr) continue;
      const FileSystem& files = *step.source.file_system;
      const std::string& uri = step.source.uri;
      if (kept_.Has(uri) || KeepsHost(files, uri)) continue;
      status = files.DeleteFile(uri);
      if (!status.ok()) status = CheckMayBeDirectory(files, uri, status);
      if (status.ok()) continue;
      kept_.KeepAllIn(uri);
      status = ReportError(step, status);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Returns the error that ends the execution.
  absl::Status RunStep(const StepList& steps, size_t number) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    const Step step = steps[number];
    if (step.kind == StepKind::kDeleteRest) return DeleteRest(step);
    if (IsDeletion(step.kind) && kept_.Has(UriOf(step))) {
      return absl::OkStatus();
    }
    under_way_.Begin(steps, number);
    bool is_refused = false;  // a directory's rename, by its disk
    status = RunByKind(step, is_refused);
    under_way_.End(steps, number);
    if (is_refused && step.otherwise != nullptr) return MoveOtherwise(step);
    if (absl::IsAlreadyExists(status) && !options_.replaces && WasThere(step)) {
      ++skipped_;
      return absl::OkStatus();
    }
    if (!status.ok()) return ReportError(step, status);
    if (IsFileStep(step)) progress_.AddFile();
    if (step.by_name) {
      by_name_.Add(steps, number, step);
    } else {
      CountDone(step);
    }
    return absl::OkStatus();
  }

  // Counts and reports a step that is done.
  void CountDone(const Step& step) {
    ++steps_done_;
    if (IsFileStep(step)) {
      ++files_done_;
      const MutexLock lock(mutex_);
      bytes_done_ = AddUpToMax(bytes_done_, step.bytes);
    }
    output_.Result(options_.verbose ? StepText(step) + "\n" : "",
                   StepEvent(step), StepFields(step));
  }

  // Does so for `steps`, which deleted files by name.
  void CountDone(const DeletedByName::Steps& steps) {
    for (const auto& [list, number] : steps) CountDone((*list)[number]);
  }

  absl::Status RunByKind(const Step& step, bool& is_refused) {
    switch (step.kind) {
      case StepKind::kMakeDirectory:
        return directories_.Make(step);
      case StepKind::kRenameDirectory: {
        const int error = RenameLocalDirectory(step);
        is_refused = error == EXDEV;
        return LocalError(error, step.source.uri);
      }
      case StepKind::kDeleteFile:
      case StepKind::kDeleteDirectory:
        return RunDeletion(step);
      case StepKind::kCopyFile:
      case StepKind::kRenameFile:
      case StepKind::kMoveFile:
        return TransferFile(step, options_.replaces, placed_, progress_,
                            options_.retries);
      case StepKind::kDeleteRest:
        break;  // RunStep does it
    }
    return InternalError("this step is not run by its kind");
  }

  // Whether the target holds a file that this run did not put there: on a disk
  // that treats two names as one, another source.
  bool WasThere(const Step& step) {
    if (!IsFileStep(step)) return false;
    if (step.target.tree == nullptr) {
      const PathState now = GetPathState(step.target);
      return now.status.ok() && now.type == FileType::kFile;
    }
    const LocalTree::Entry target = step.target.tree->Find(step.target.path);
    return target.error == 0 && IsFromBefore(target, placed_);
  }

  // Reports an error; OK if the rest must still be done.
  absl::Status ReportError(const Step& step, const absl::Status& status) {
    if (absl::IsCancelled(status)) return status;
    ++failed_;
    output_.Fail(UriOf(step), WithLocations(step, status));
    if (step.kind == StepKind::kMakeDirectory) kept_.Keep(step.source.uri);
    kept_.KeepAbove(step.source.uri);
    if (step.by_name) by_name_.AddFailed(step.source.uri);
    return options_.continue_on_error ? absl::OkStatus() : status;
  }

  // Reports the steps that are unfinished although no thread works on them:
  // nobody else could.
  void ReportEndedThreads(const StepList& steps) {
    for (const Step& step : under_way_.Of(steps)) {
      output_.Fail(
          UriOf(step),
          WithLocations(
              step,
              InternalError(
                  "the plugin ended the thread that called it; its effect "
                  "is unknown, and the remaining steps were skipped")));
    }
  }

  const Plan& plan_;
  const ExecutionOptions& options_;
  VerbOutput& output_;
  Progress progress_;
  // The default order; relaxed would do: they are counts, and read for good
  // when the threads have been joined.
  std::atomic<size_t> steps_done_{0};
  std::atomic<size_t> files_done_{0};
  std::atomic<size_t> skipped_{0};
  std::atomic<size_t> failed_{0};
  Mutex mutex_;
  int64_t bytes_done_ ABSL_GUARDED_BY(mutex_) = 0;
  WrittenFiles placed_;
  ProtectedPaths kept_;
  DeletedByName by_name_;
  // Used only in the thread that runs directory steps.
  size_t total_steps_ = 0;
  size_t total_files_ = 0;
  DirectorySteps directories_;
  std::deque<Plan> others_;  // replacing steps that could not be done
  StepsUnderWay under_way_;
};

}  // namespace

void Execute(const Plan& plan, const ExecutionOptions& options,
             VerbOutput& output) {
  absl::Status status;
  JsonFields done;
  {
    PlanExecution execution(plan, options, output);
    status = execution.Run();
    done = {{"steps", execution.steps_done()},
            {"files", execution.files_done()},
            {"bytes", execution.bytes_done()},
            {"skipped", execution.skipped()}};
    if (absl::IsCancelled(status)) {
      status = CancelledError(
          "interrupted: {} of {} file{} and {} of {} step{} are done; partial "
          "files are removed",
          execution.files_done(), execution.total_files(),
          execution.total_files() == 1 ? "" : "s", execution.steps_done(),
          execution.total_steps(), execution.total_steps() == 1 ? "" : "s");
    }
  }
  if (absl::IsCancelled(status)) {
    const std::string uri = plan.steps.empty() ? "" : UriOf(plan.steps.front());
    output.Fail(uri, status);
  }
  output.Result("", "done", done);
}

}  // namespace fsload
