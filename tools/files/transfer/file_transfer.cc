#include "tools/files/transfer/file_transfer.h"

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/calls/lost_file.h"
#include "core/calls/plugin_call.h"
#include "core/copies/copy_check.h"
#include "core/copies/mtime_granularity.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/copy_options.h"
#include "fsload/internal/mutex.h"
#include "fsload/log_sink.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/output/file_progress.h"
#include "tools/files/plan/same_contents.h"
#include "tools/files/transfer/backup.h"
#include "tools/files/transfer/local_transfer.h"
#include "tools/files/transfer/replaced_mode.h"
#include "tools/files/transfer/step_checks.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/session/interruption.h"
#include "tools/session/unfinished_work.h"

namespace fsload {
namespace {

// The status change time of a local file: a writer can reset the modification
// time, but not this one.
std::optional<int64_t> ChangeTimeOf(const Location& location) {
  const std::optional<std::string> path = LocalPathOf(location);
  struct stat found;
  if (!path.has_value() || stat(path->c_str(), &found) != 0) {
    return std::nullopt;
  }
  return NanosecondsOf(found.st_ctim);
}

// Saves the copy at the target if the file that was there `before` may be the
// source by another name.
absl::Status SaveIfOneFile(const FileStatistics& source,
                           const PathState& before, Backup& saved) {
  const int64_t old = before.statistics.length;
  const bool may_be_one =
      before.type == FileType::kFile &&
      (old == source.length || old == 0 || source.length == 0);
  return may_be_one ? saved.Save() : absl::OkStatus();
}

// Whether `source` looks like the copy at the target, which was written to it
// by another name. Only within one file system are both times of one clock.
bool IsItsCopy(const Step& step, const FileStatistics& source) {
  if (step.source.file_system != step.target.file_system) return false;
  const absl::StatusOr<FileStatistics> copy =
      step.target.file_system->Stat(step.target.uri);
  return copy.ok() && IsUnchanged(*copy, source);
}

// Deletes the source, which was copied to the target, and looks for the target
// again where that is not known to be another file.
absl::Status DeleteSource(const Step& step, Backup& saved) {
  const absl::Status deleted = DeleteFileAt(step.source);
  const absl::Status found =
      IsReadAfterDeletion(step.target) ? saved.Finish() : absl::OkStatus();
  if (deleted.ok() && found.ok()) return found;
  if (deleted.ok()) {
    return WithText(found, step.source.uri +
                               " was deleted after it was copied to " +
                               step.target.uri);
  }
  return {deleted.code(),
          Format("{}; it was copied to {} but not deleted{}{}",
                 std::string(deleted.message()), step.target.uri,
                 found.ok() ? "" : "; ", std::string(found.message()))};
}

// Calls stat for a file that is to be deleted if it does not change: waits
// until a change would show in its time.
absl::StatusOr<FileStatistics> StatSettled(const Location& source) {
  absl::StatusOr<FileStatistics> found = absl::UnknownError("not asked");
  const bool is_exact = TablesOf(*source.file_system).traits.is_exact;
  const absl::StatusOr<bool> settled =
      WaitForNewMtime(is_exact, [&]() -> absl::StatusOr<int64_t> {
        found = source.file_system->Stat(source.uri);
        if (!found.ok()) return found.status();
        return found->mtime_nsec;
      });
  if (!settled.ok()) return settled.status();
  if (*settled) return found;
  return AbortedError("{}: keeps changing; it is not moved", source.uri);
}

// DATA_LOSS if a plugin that nobody has tested wrote something else than it was
// given: nothing else tells that before the source is deleted.
absl::Status CheckSameContents(const Step& step) {
  if (!TablesOf(*step.target.file_system).traits.is_untested) {
    return absl::OkStatus();
  }
  const absl::StatusOr<bool> same =
      HaveSameContentsAt(step.source, step.target);
  if (!same.ok()) return same.status();
  if (*same) return absl::OkStatus();
  return DataLossError(
      "{}: the plugin reported success, but the contents differ from those of "
      "{}, which is not deleted",
      step.target.uri, step.source.uri);
}

// Whether a file that a plugin could not rename may be copied instead: two
// disks form one file system here.
bool MayCopyInstead(const Step& step, const absl::Status& renamed) {
  if (!absl::IsFailedPrecondition(renamed) && !absl::IsUnimplemented(renamed)) {
    return false;
  }
  const PathState target = GetPathState(step.target);
  return GetPathState(step.source).type == FileType::kFile &&
         target.status.ok() && target.type != FileType::kDirectory;
}

// The bundled plugin's renames are the kernel's, and the target of a symlink
// says nothing of the symlink.
bool IsHeldAgainstStat(const Location& source) {
  const SchemeTables& tables = TablesOf(*source.file_system);
  return !tables.traits.is_exact && tables.filesystem.rename_file != nullptr &&
         !IsKnownLink(source);
}

// Transfers one file where not both locations are local.
class FileTransfer final {
 public:
  FileTransfer(const Step& step, bool replaces, WrittenFiles& placed,
               Progress& progress, size_t retries)
      : step_(step),
        replaces_(replaces),
        placed_(placed),
        progress_(progress),
        retries_(retries) {}

  // Copies up to `retries` times more if a file was lost with the process of
  // its plugin: source and target are then as before, or the error says what is
  // not (WithText), and ends this.
  absl::Status Copy() {
    bool has_begun = false;
    for (size_t tries = 1;; ++tries) {
      absl::Status copied = CopyOnce(has_begun);
      // The latter of a call on the file that took too long, and ended it.
      const bool has_ended =
          absl::IsUnavailable(copied) || absl::IsDeadlineExceeded(copied);
      if (!has_ended || !IsFileLost(copied)) return copied;
      if (tries > retries_) {
        return tries == 1
                   ? copied
                   : WithText(copied,
                              Format("it was copied {} times in vain", tries));
      }
      const std::string lost(copied.message());
      const absl::Status interrupted = CheckInterruption();
      if (!interrupted.ok()) return WithText(interrupted, lost);
      Log(TF_WARNING,
          Format("{}: it is copied again: {}", step_.source.uri, lost));
    }
  }

  // Copies, then deletes the source unless it has changed meanwhile.
  absl::Status CopyAndDelete() {
    const FileSystem& file_system = *step_.source.file_system;
    absl::StatusOr<FileStatistics> before = StatSettled(step_.source);
    if (!before.ok()) return before.status();
    absl::Status status = CheckLeadsToTree(step_.source);
    if (!status.ok()) return status;
    const std::optional<int64_t> changed = ChangeTimeOf(step_.source);
    const PathState old = IsReadAfterDeletion(step_.target)
                              ? GetPathState(step_.target)
                              : PathState();
    if (!old.status.ok()) return old.status;
    status = Copy();
    if (!status.ok()) return status;
    status = CheckSameContents(step_);
    if (!status.ok()) return status;
    Backup saved(step_.target, before->length);
    status = SaveIfOneFile(*before, old, saved);
    if (!status.ok()) {
      return WithText(status, step_.source.uri + " was copied to " +
                                  step_.target.uri + ", but not deleted");
    }
    const UnfinishedWork work(step_.source.uri + " was copied to " +
                              step_.target.uri + " but not yet deleted");
    const bool looked_the_same = IsUnchanged(*before, old.statistics);
    const absl::StatusOr<FileStatistics> after =
        file_system.Stat(step_.source.uri);
    const bool is_unchanged =
        after.ok() &&
        ((IsUnchanged(*before, *after) &&
          changed == ChangeTimeOf(step_.source)) ||
         (saved.is_saved() && looked_the_same && IsItsCopy(step_, *after)));
    const absl::Status is_it = CheckLeadsToTree(step_.source);
    if (is_unchanged && is_it.ok()) return DeleteSource(step_, saved);
    const absl::Status dropped =
        saved.is_saved() ? saved.Finish() : absl::OkStatus();
    if (!after.ok()) return after.status();
    if (!is_it.ok()) {
      return WithText(is_it, "it was copied to " + step_.target.uri +
                                 (dropped.ok() ? "" : "; ") +
                                 std::string(dropped.message()));
    }
    return AbortedError(
        "{}: changed after it was copied to {}; it is not "
        "deleted{}{}",
        step_.source.uri, step_.target.uri, dropped.ok() ? "" : "; ",
        std::string(dropped.message()));
  }

  // `target` is what has been found there, if it was asked for.
  absl::Status Rename(const std::optional<PathState>& target) {
    if (IsHeldAgainstStat(step_.source)) {
      return RenameChecked(target.has_value() ? *target
                                              : GetPathState(step_.target));
    }
    IncompleteCopies work(step_.target.uri);
    bool has_begun = false;  // then the error says what is where
    CopyOptions options;
    options.before_writing = [&](std::string_view path) {
      has_begun = true;
      work.Add(path);
    };
    options.after_block = [](int64_t) { return CheckInterruption(); };
    const absl::Status renamed = step_.source.file_system->RenameFile(
        step_.source.uri, step_.target.uri, options);
    if (!has_begun && MayCopyInstead(step_, renamed)) return CopyAndDelete();
    if (renamed.ok()) progress_.AddBytes(step_.bytes);
    return renamed;
  }

 private:
  // Sets `has_begun` when it begins to write.
  absl::Status CopyOnce(bool& has_begun) {
    IncompleteCopies work(step_.target.uri);
    const ReplacedMode mode(step_.target);
    CopyOptions options;
    options.overwrite = replaces_;
    options.source = step_.source_found;
    options.target = step_.target_found;
    options.target_is_known =
        replaces_ && step_.replaces == step_.target_found.has_value();
    options.before_writing = [&](std::string_view path) {
      has_begun = true;
      work.Add(path);
      mode.CreateAt(step_.target.At(std::string(path)));
    };
    FileProgress written(progress_, *step_.target.file_system);
    options.after_block = [&](int64_t bytes) {
      written.Add(bytes);
      return CheckInterruption();
    };
    const auto copy_to = [&](const std::string& uri) {
      const absl::Status copied = step_.source.file_system->CopyFileAs(
          step_.source.uri, *step_.target.file_system, uri, options);
      if (!copied.ok()) written.TakeBack();
      // The plugin's own: no file that was there before, which -n leaves.
      return has_begun && absl::IsAlreadyExists(copied)
                 ? absl::AbortedError(copied.message())
                 : copied;
    };
    // A plugin's rename cannot be limited to a free target, nor spare files of
    // this run.
    if (step_.target.tree != nullptr) {
      if (step_.kind == StepKind::kCopyFile) {
        const absl::Status writable = CheckWritable(
            step_.target.tree->Find(step_.target.path), step_.target.uri);
        if (!writable.ok()) return writable;
      }
      return MakeLocalFile(step_.target, replaces_, placed_, copy_to);
    }
    const absl::Status copied = copy_to(step_.target.uri);
    if (copied.ok()) written.SetSent();
    return copied.ok() ? mode.GiveTo(step_.target) : copied;
  }

  // `before` is what the target is.
  absl::Status RenameChecked(const PathState& before) {
    const FileSystem& file_system = *step_.source.file_system;
    const bool is_asked = NeedsConfirmation(TablesOf(file_system).traits);
    const absl::StatusOr<FileStatistics> source =
        file_system.Stat(step_.source.uri);
    if (!source.ok()) return source.status();
    if (!before.status.ok()) return before.status;
    // Afterwards nobody could tell the one from the other, and both may be one.
    if (is_asked && before.type == FileType::kFile &&
        before.statistics.length == source->length) {
      return CopyAndDelete();
    }
    absl::Status status =
        file_system.RenameFile(step_.source.uri, step_.target.uri);
    if (MayCopyInstead(step_, status)) return CopyAndDelete();
    if (status.ok()) status = CheckRenamed(step_, *source, before);
    if (status.ok() && is_asked) status = CheckSourceIsGone(step_);
    if (status.ok()) progress_.AddBytes(step_.bytes);
    return status;
  }

  const Step& step_;
  const bool replaces_;
  WrittenFiles& placed_;
  Progress& progress_;
  const size_t retries_;
};

}  // namespace

absl::Status TransferFile(const Step& step, bool replaces, WrittenFiles& placed,
                          Progress& progress, size_t retries) {
  // A file created since planning stays: it may be from another source of this
  // command, where two names are treated as one. Known stores tell all apart.
  const bool is_store = step.target.tree == nullptr;
  const bool may_fold =
      is_store && NeedsConfirmation(TablesOf(*step.target.file_system).traits);
  const bool may_replace =
      replaces && (step.replaces || (is_store && !may_fold));
  if (AreLocal(step.source, step.target)) {
    return TransferLocalFile(step, may_replace, placed, progress);
  }
  std::optional<MutexLock> lock;
  // A rename replaces its target.
  bool must_be_as_planned = step.kind == StepKind::kRenameFile && !may_replace;
  if (may_fold) {
    lock.emplace(placed.PuttingAt(step.target.uri));
    // Names may be folded in other ways, too, and a source is deleted.
    must_be_as_planned |=
        !placed.AddName(step.target.uri) ||
        (step.target_found.has_value() && step.kind != StepKind::kCopyFile);
  }
  std::optional<PathState> target;
  if (must_be_as_planned) {
    target = GetPathState(step.target);
    const absl::Status status = CheckTargetIsAsPlanned(step, *target);
    if (!status.ok()) return status;
  }
  FileTransfer transfer(step, may_replace, placed, progress, retries);
  switch (step.kind) {
    case StepKind::kCopyFile:
      return transfer.Copy();
    case StepKind::kRenameFile:
      return transfer.Rename(target);
    case StepKind::kMoveFile:
      return transfer.CopyAndDelete();
    case StepKind::kMakeDirectory:
    case StepKind::kDeleteFile:
    case StepKind::kRenameDirectory:
    case StepKind::kDeleteRest:
    case StepKind::kDeleteDirectory:
      break;
  }
  return InternalError("this step transfers no file");
}

}  // namespace fsload
