#include "tools/files/transfer/plan_execution.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/local_place.h"
#include "tools/files/plan/places.h"
#include "tools/files/plan/store_objects.h"
#include "tools/files/state/interruption.h"
#include "tools/files/transfer/file_transfer.h"
#include "tools/files/transfer/local_directories.h"
#include "tools/files/transfer/local_transfer.h"
#include "tools/files/transfer/placed_files.h"
#include "tools/files/transfer/store_directories.h"
#include "tools/files/transfer/temporary_file.h"

namespace fsload {
namespace {

const std::string& UriOf(const Step& step) {
  return step.kind == StepKind::kMakeDirectory ? step.target.uri
                                               : step.source.uri;
}

// `status` with the source and target of a transfer, unless it begins with one
// of them: a plugin may name the temporary file.
absl::Status WithPlaces(const Step& step, const absl::Status& status) {
  if (step.target.uri.empty() || step.source.uri.empty()) return status;
  for (const std::string& uri : {step.source.uri, step.target.uri}) {
    if (absl::StartsWith(status.message(), uri + ": ")) return status;
  }
  return {status.code(),
          fmt::format("{} -> {}: {}", step.source.uri, step.target.uri,
                      std::string(status.message()))};
}

// Whether this error of delete_file may mean a directory.
bool MayBeDirectory(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) || absl::IsNotFound(status) ||
         absl::IsInvalidArgument(status);
}

bool Deletes(const Step& step) {
  return step.kind == StepKind::kDeleteFile ||
         step.kind == StepKind::kDeleteDirectory;
}

bool OnlyDeletes(const Plan& plan) {
  return std::all_of(plan.steps.begin(), plan.steps.end(), &Deletes);
}

// The time of a deletion does not depend on the bytes.
int64_t BytesToWrite(const Plan& plan) {
  int64_t bytes = 0;
  for (const Step& step : plan.steps) {
    if (!Deletes(step)) bytes += step.bytes;
  }
  return bytes;
}

// `status` of a deletion; OK if nothing is left there, whoever deleted it.
absl::Status UnlessGone(const Place& place, const absl::Status& status) {
  if (status.ok()) return status;
  if (place.tree != nullptr) {
    return absl::IsNotFound(status) ? absl::OkStatus() : status;
  }
  const Look now = LookAt(place);
  if (!now.status.ok()) return absl::IsNotFound(status) ? now.status : status;
  if (now.existing == Existing::kNothing) return absl::OkStatus();
  if (!absl::IsNotFound(status)) return status;
  return absl::UnavailableError(
      place.uri +
      ": the plugin reports that it does not exist, but it does; try "
      "again");
}

class PlanExecution {
 public:
  PlanExecution(const Plan& plan, const ExecutionOptions& options,
                VerbOutput& output)
      : plan_(plan),
        options_(options),
        output_(output),
        progress_(output, options.quiet, BytesToWrite(plan), plan.files()) {
    for (const Step& step : plan.steps) {
      if (IsFileStep(step) && !Deletes(step)) AddFoldersOf(step.target.uri);
    }
  }

  absl::Status Run() {
    if (OnlyDeletes(plan_)) {
      const absl::Status status = DeleteLinks();
      if (!status.ok()) return status;
    }
    return RunSteps(plan_.steps);
  }

  size_t steps_done() const { return steps_done_; }
  size_t files_done() const { return files_done_; }
  int64_t bytes_done() const { return bytes_done_; }
  size_t skipped() const { return plan_.skipped + skipped_; }

 private:
  void AddFoldersOf(std::string uri) {
    for (;;) {
      const std::string folder(Dirname(uri));
      if (folder == uri || !filled_.insert(folder).second) return;
      uri = folder;
    }
  }

  absl::Status RunSteps(const std::vector<Step>& steps) {
    absl::Status status;
    for (const Step& step : steps) {
      if (!step.replaces || step.target.tree == nullptr) continue;
      RememberTarget(step.target.tree->Find(step.target.path), placed_);
    }
    for (size_t begin = 0; status.ok() && begin < steps.size();) {
      size_t end = begin + 1;
      const bool files = IsFileStep(steps[begin]);
      const bool deletes = Deletes(steps[begin]);
      while (end < steps.size() && IsFileStep(steps[end]) == files &&
             Deletes(steps[end]) == deletes) {
        ++end;
      }
      if (deletes) status = FinishDirectories();
      if (deletes && status.ok()) status = PrepareToDelete(steps[begin]);
      if (!status.ok()) break;
      // Directories wait for each other.
      status = ParallelFor(
          end - begin, [&](size_t i) { return Do(steps[begin + i]); },
          std::chrono::microseconds{0}, files ? options_.jobs : 1);
      if (!status.ok()) TellOfEndedThreads(steps);
      begin = end;
    }
    const absl::Status finished = FinishDirectories();
    return status.ok() ? finished : status;
  }

  // Before what the source of a copy lacks is deleted.
  absl::Status PrepareToDelete(const Step& first) {
    if (!plan_.deletes_after_success) return absl::OkStatus();
    if (failed_ > 0) {
      const absl::Status status = absl::AbortedError(
          first.source.uri +
          ": not deleted, nor is anything else that the source lacks, because "
          "not everything could be copied");
      output_.Fail(first.source.uri, status);
      return status;
    }
    return DeleteLinks();
  }

  // Sets the modes of new directories, whose contents are now complete.
  absl::Status FinishDirectories() {
    absl::Status result;
    for (; !made_.empty(); made_.pop_back()) {
      const auto& [step, made] = made_.back();
      const absl::Status status = FinishLocalDirectory(*step, made);
      if (!status.ok()) result.Update(Tell(*step, status));
    }
    return result;
  }

  absl::Status RenameDirectory(const Step& step) {
    const int error = RenameLocalDirectory(step);
    if (error != EXDEV || step.otherwise == nullptr) {
      return LocalError(error, step.source.uri);
    }
    std::optional<Plan> plan = step.otherwise();
    if (!plan.has_value()) return absl::CancelledError("");
    others_.push_back(*std::move(plan));
    return RunSteps(others_.back().steps);
  }

  absl::Status MakeDirectory(const Step& step) {
    if (!IsLocal(step)) return MakeDirectoryAt(step.target);
    std::optional<MadeDirectory> made;
    const absl::Status status = MakeLocalDirectory(step, made);
    if (made.has_value()) made_.emplace_back(&step, *made);
    return status;
  }

  // Deletes, starting at the root, symlinks that the plan took for directories:
  // what the plan names below them is then out of reach. If unsure, deletes
  // nothing below. Stores have no symlinks, but may have a file with the same
  // name as a directory, which is not in the plan.
  absl::Status DeleteLinks() {
    for (auto step = plan_.steps.rbegin(); step != plan_.steps.rend(); ++step) {
      if (step->kind != StepKind::kDeleteDirectory) break;
      absl::Status status = CheckInterruption();
      if (!status.ok()) return status;
      // A tree knows its symlinks.
      if (step->source.tree != nullptr) continue;
      if (IsKept(step->source.uri) || KeepsHost(step->source)) continue;
      status = step->source.file_system->DeleteFile(step->source.uri);
      if (status.ok() || MayBeDirectory(status)) continue;
      kept_.insert(step->source.uri);
      status = Tell(*step, status);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Yields the error that ends the execution.
  absl::Status Do(const Step& step) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    if (Deletes(step) && IsKept(UriOf(step))) return absl::OkStatus();
    Begin(step);
    status = Try(step);
    End(step);
    if (absl::IsAlreadyExists(status) && !options_.replaces && WasThere(step)) {
      ++skipped_;
      return absl::OkStatus();
    }
    if (!status.ok()) return Tell(step, status);
    ++steps_done_;
    if (IsFileStep(step)) {
      ++files_done_;
      bytes_done_ += step.bytes;
      progress_.AddFile();
    }
    output_.Result(options_.verbose ? StepText(step) + "\n" : "",
                   StepEvent(step), StepFields(step));
    return absl::OkStatus();
  }

  absl::Status Try(const Step& step) {
    absl::Status status;
    switch (step.kind) {
      case StepKind::kMakeDirectory:
        return MakeDirectory(step);
      case StepKind::kRenameDirectory:
        return RenameDirectory(step);
      case StepKind::kDeleteFile:
        return UnlessGone(step.source, DeleteFileAt(step.source));
      case StepKind::kDeleteDirectory:
        status = CheckWasMoved(step);
        if (!status.ok()) return status;
        return UnlessGone(step.source, DeleteDirectoryAt(step.source));
      default:
        return TransferFile(step, options_.replaces, placed_, progress_);
    }
  }

  // Whether the target holds a file that this run did not put there: on a disk
  // that treats two names as one, another source.
  bool WasThere(const Step& step) {
    if (!IsFileStep(step)) return false;
    if (step.target.tree == nullptr) {
      const Look now = LookAt(step.target);
      return now.status.ok() && now.existing == Existing::kFile;
    }
    const LocalTree::Entry target = step.target.tree->Find(step.target.path);
    return target.error == 0 && IsFromBefore(target, placed_);
  }

  // A store without directories derives them from its files; one without files
  // is made for them.
  absl::Status MakeDirectoryAt(const Place& place) const {
    const absl::Status status =
        place.file_system->RecursivelyCreateDir(place.uri);
    if (!status.ok() && !absl::IsUnimplemented(status)) return status;
    return filled_.count(place.uri) > 0
               ? absl::OkStatus()
               : EnsureDirectory(*place.file_system, place.uri);
  }

  // OK if deleting a directory that was moved loses nothing.
  static absl::Status CheckWasMoved(const Step& step) {
    const Place& there = step.moved_to;
    if (there.uri.empty()) return absl::OkStatus();
    const bool is_local_there =
        there.tree != nullptr &&
        LookAtFileOrDirectory(there).existing == Existing::kDirectory;
    const absl::Status status =
        is_local_there ? absl::OkStatus()
                       : CheckDirectoryIsThere(*there.file_system, there.uri);
    if (status.ok()) return CheckMarkerIsEmpty(step.source);
    return {
        status.code(),
        fmt::format("{}: not deleted, because {} is missing after the move: {}",
                    step.source.uri, there.uri, std::string(status.message()))};
  }

  // Reports an error; OK if the rest must still be done.
  absl::Status Tell(const Step& step, const absl::Status& status) {
    if (absl::IsCancelled(status)) return status;
    ++failed_;
    output_.Fail(UriOf(step), WithPlaces(step, status));
    KeepFoldersOf(step);
    return options_.continue_on_error ? absl::OkStatus() : status;
  }

  void Begin(const Step& step) {
    const std::lock_guard<std::mutex> lock(mutex_);
    under_way_.insert(&step);
  }

  void End(const Step& step) {
    const std::lock_guard<std::mutex> lock(mutex_);
    under_way_.erase(&step);
  }

  // Reports the steps that are unfinished although no thread works on them:
  // nobody else could.
  void TellOfEndedThreads(const std::vector<Step>& steps) {
    const Step* const first = steps.data();
    for (const Step* step : under_way_) {
      const std::less<const Step*> before;
      if (before(step, first) || !before(step, first + steps.size())) continue;
      output_.Fail(
          UriOf(*step),
          WithPlaces(
              *step,
              absl::InternalError(
                  "the plugin ended the thread that called it; its effect "
                  "is unknown, and the remaining steps were skipped")));
    }
  }

  // A file that could not be deleted keeps the directories above it.
  void KeepFoldersOf(const Step& step) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string folder = step.source.uri;
    if (step.kind == StepKind::kMakeDirectory) kept_folders_.insert(folder);
    for (;;) {
      const std::string outer(Dirname(folder));
      if (outer == folder || !kept_folders_.insert(outer).second) return;
      folder = outer;
    }
  }

  // Whether something at, below or above `uri` must stay.
  bool IsKept(const std::string& uri) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (kept_folders_.count(uri) > 0) return true;
    for (std::string path = uri; !kept_.empty();) {
      if (kept_.count(path) > 0) return true;
      const std::string outer(Dirname(path));
      if (outer == path) return false;
      path = outer;
    }
    return false;
  }

  const Plan& plan_;
  const ExecutionOptions& options_;
  VerbOutput& output_;
  Progress progress_;
  std::set<std::string> filled_;  // the directories that get files
  std::atomic<size_t> steps_done_{0};
  std::atomic<size_t> files_done_{0};
  std::atomic<int64_t> bytes_done_{0};
  std::atomic<size_t> skipped_{0};
  std::atomic<size_t> failed_{0};
  PlacedFiles placed_;
  // Used only in the thread that runs directory steps.
  std::vector<std::pair<const Step*, MadeDirectory>> made_;
  std::deque<Plan> others_;     // replacing steps that could not be done
  std::mutex mutex_;            // guards the fields below
  std::set<std::string> kept_;  // with everything below them
  std::set<std::string> kept_folders_;  // but not all of their contents
  std::set<const Step*> under_way_;
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
      status = absl::CancelledError(fmt::format(
          "interrupted: {} of {} file{} and {} of {} step{} are done; partial "
          "files are removed",
          execution.files_done(), plan.files(), plan.files() == 1 ? "" : "s",
          execution.steps_done(), plan.steps.size(),
          plan.steps.size() == 1 ? "" : "s"));
    }
  }
  if (absl::IsCancelled(status)) {
    const std::string uri = plan.steps.empty() ? "" : UriOf(plan.steps.front());
    output.Fail(uri, status);
  }
  output.Result("", "done", done);
}

}  // namespace fsload
