#include "tools/files/plan/sync_plan.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "core/calls/plugin_ops.h"
#include "core/copies/copy_check.h"
#include "core/file_system/plugin_file_system.h"
#include "core/threads/parallel_for.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/listed_tree.h"
#include "tools/files/listing/tree.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/common_keys.h"
#include "tools/files/plan/deletion_steps.h"
#include "tools/files/plan/same_contents.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

using Id = ListedTree::Id;

class SyncPlanner {
 public:
  explicit SyncPlanner(const SyncRequest& request) : request_(request) {}

  std::optional<Plan> Run() {
    const absl::Status fits = CheckLocations();
    if (!fits.ok()) {
      request_.report_error(request_.source.uri, fits);
      return std::nullopt;
    }
    std::optional<Plan> plan = PlanTransfer(Copies());
    if (!plan.has_value() || !request_.deletes) return plan;
    plan->deletes_after_success = true;
    if (!AddDeletions(*plan)) return std::nullopt;
    return plan;
  }

 private:
  // Deleting must not reach the source.
  absl::Status CheckLocations() const {
    if (!request_.deletes) return absl::OkStatus();
    absl::Status outside = CheckOutside(request_.target, request_.source);
    if (!absl::IsInvalidArgument(outside)) return outside;
    // They may be the same.
    absl::Status status = CheckOutside(request_.source, request_.target);
    if (!status.ok()) return status;
    return InvalidArgumentError(
        "{}: is in {}, from which --delete would delete it; sync without "
        "--delete, or to another directory",
        request_.source.uri, request_.target.uri);
  }

  TransferRequest Copies() {
    TransferRequest copies;
    copies.sources = {request_.source};
    copies.target = request_.target;
    copies.named = 1;
    copies.recursive = true;
    copies.onto_target = true;
    copies.only_directories = true;
    copies.filter = request_.filter;
    copies.report_error = report_error_;
    copies.is_current =
        [by_contents = request_.by_contents](
            const Location& source, const FileStatistics& found,
            const Location& target,
            const FileStatistics& there) -> absl::StatusOr<bool> {
      if (found.length != there.length) return false;
      // A plugin that has no times leaves 0. A disk knows its times, and has 0
      // for the files of archives that are to be reproducible.
      const bool is_known = found.mtime_nsec > 0 || source.tree != nullptr ||
                            TablesOf(*source.file_system).traits.is_exact;
      if (by_contents || !is_known) return HaveSameContentsAt(source, target);
      return there.mtime_nsec >= found.mtime_nsec;
    };
    copies.listed = &listed_;
    if (!request_.deletes) return copies;
    copies.list_target = [this](FileType there,
                                std::shared_ptr<const ListedTree>& entries) {
      const bool goes_on = ListTarget(there);
      entries = there_;
      return goes_on;
    };
    return copies;
  }

  // Lists the target, where there is `there`, for the copies and for the
  // deletions; this and the functions below yield whether to go on.
  bool ListTarget(FileType there) {
    is_target_seen_ = true;
    if (there != FileType::kDirectory) return true;
    root_ = AsTree(request_.target, Links::kRefused);
    std::optional<ListedTree> entries =
        ListTree({root_, request_.filter, true, report_error_});
    if (!entries.has_value()) return false;
    there_ = std::make_shared<const ListedTree>(*std::move(entries));
    return true;
  }

  bool AddDeletions(Plan& plan) {
    if (!is_target_seen_) {
      const PathState there = GetPathState(request_.target);
      if (!there.status.ok()) {
        return report_error_(request_.target.uri, there.status);
      }
      if (!ListTarget(there.type)) return false;
    }
    if (there_ == nullptr) return true;
    std::vector<bool> is_extra = FindExtra();
    const auto count = std::count(is_extra.begin(), is_extra.end(), true);
    if (count == 0) return true;
    // Files that the filter leaves out are files, too.
    const bool has_files =
        listed_->HasFiles() || !listed_->IsWhole(ListedTree::kRoot);
    if (!has_files && !request_.deletes_all) return RefuseToEmpty(count);
    if (!KeepOtherNames(is_extra) || !CheckMissing(is_extra) ||
        !CheckOtherNames(is_extra)) {
      return false;
    }
    if (!is_complete_) {
      return request_.report_error(
          request_.target.uri,
          AbortedError("{}: nothing is deleted, because there were errors",
                       request_.target.uri));
    }
    AddDeletionSteps(
        *there_, plan.steps.AddTree({root_, {}, there_}), request_.filter,
        [&](Id id) { return is_extra[id]; }, plan.steps);
    plan.steps.Sort();
    return true;
  }

  // By entries of the target: whether it may be deleted, and the source has no
  // such path.
  std::vector<bool> FindExtra() {
    if (listed_ == nullptr) {
      // Nothing of the source could be planned.
      ListedTree nothing;
      nothing.Sort();
      listed_ = std::make_shared<const ListedTree>(std::move(nothing));
    }
    const std::vector<Id> wanted = FindIn(*listed_, *there_);
    std::vector<bool> is_extra(there_->size());
    for (Id id = 0; id < is_extra.size(); ++id) {
      is_extra[id] = wanted[id] == ListedTree::kNone &&
                     MayBeDeleted(*there_, request_.filter, id);
    }
    return is_extra;
  }

  bool RefuseToEmpty(int64_t count) {
    report_error_(
        request_.source.uri,
        FailedPreconditionError(
            "{}: has no files, and --delete would delete everything in {} "
            "({} files and directories); give --really to do that",
            request_.source.uri, request_.target.uri, count));
    return false;
  }

  // Reports and takes out what may be one file with something that stays.
  bool KeepOtherNames(std::vector<bool>& is_extra) {
    if (TablesOf(*root_.file_system).traits.replaces_atomically) return true;
    CommonKeys folded;
    CommonKeys files;  // as KeyOfFile
    for (const Id id : there_->by_path()) {
      if (!is_extra[id]) continue;
      const std::string path = there_->PathOf(id);
      folded.AddFirst(absl::AsciiStrToLower(path));
      files.AddFirst(KeyOfFile(Below(root_, path)));
    }
    const Location source = AsTree(request_.source, Links::kFollowed);
    for (const Id id : listed_->by_path()) {
      const std::string path = listed_->PathOf(id);
      folded.AddSecond(absl::AsciiStrToLower(path));
      for (const Location& root : {root_, source}) {
        files.AddSecond(KeyOfFile(Below(root, path)));
      }
    }
    if (folded.empty() && files.empty()) return true;
    for (const Id id : there_->by_path()) {
      if (!is_extra[id]) continue;
      const std::string path = there_->PathOf(id);
      const Location location = Below(root_, path);
      is_extra[id] = !files.Has(KeyOfFile(location)) &&
                     !folded.Has(absl::AsciiStrToLower(path));
      if (!is_extra[id] &&
          !report_error_(
              location.uri,
              FailedPreconditionError(
                  "{}: not deleted, because it may be the same file as one "
                  "that stays, by another name",
                  location.uri))) {
        return false;
      }
    }
    return true;
  }

  // Asks an untested plugin for what its listings lack: they may be cut off, or
  // empty because they were denied.
  bool CheckMissing(const std::vector<bool>& is_extra) {
    if (!TablesOf(*request_.source.file_system).traits.is_untested) return true;
    std::vector<Location> missing;
    for (const Id id : there_->by_path()) {
      // What is below a directory that is missing is not there either.
      if (id == ListedTree::kRoot || !is_extra[id] ||
          is_extra[there_->DirectoryOf(id)]) {
        continue;
      }
      missing.push_back(Below(request_.source, there_->PathOf(id)));
    }
    return CheckNotThere(
        missing, absl::UnavailableError("is there, but the plugin did not list "
                                        "it"));
  }

  // Asks the plugin of the target, unless it is known to tell names apart, for
  // what only the source lists, where something is to be deleted: that may be
  // it, by another name.
  bool CheckOtherNames(const std::vector<bool>& is_extra) {
    if (!NeedsConfirmation(TablesOf(*root_.file_system).traits)) return true;
    const std::vector<Id> wanted = FindIn(*listed_, *there_);
    std::vector<bool> has_extra(there_->size());
    for (Id id = 0; id < is_extra.size(); ++id) {
      if (!is_extra[id]) continue;
      // A directory that stays only for what is left out may have another name,
      // too.
      Id directory = there_->DirectoryOf(id);
      has_extra[directory] = true;
      while (directory != ListedTree::kRoot &&
             wanted[directory] == ListedTree::kNone) {
        directory = there_->DirectoryOf(directory);
        has_extra[directory] = true;
      }
    }
    const std::vector<Id> there = FindIn(*there_, *listed_);
    std::vector<Location> missing;
    for (const Id id : listed_->by_path()) {
      const Id directory = there[listed_->DirectoryOf(id)];
      if (there[id] == ListedTree::kNone && directory != ListedTree::kNone &&
          has_extra[directory]) {
        missing.push_back(Below(request_.target, listed_->PathOf(id)));
      }
    }
    return CheckNotThere(
        missing, absl::FailedPreconditionError("is there, but not listed: it "
                                               "is another name of what is "
                                               "there"));
  }

  // Reports those that are there after all, as `error`.
  bool CheckNotThere(const std::vector<Location>& missing,
                     const absl::Status& error) {
    std::vector<absl::Status> found(missing.size());
    const absl::Status interrupted = ParallelFor(missing.size(), [&](size_t i) {
      const PathState state = GetPathState(missing[i]);
      found[i] = state.status;
      if (state.status.ok() && state.type != FileType::kNone) {
        found[i] = Prepend(missing[i].uri, error);
      }
      return CheckInterruption();
    });
    if (!interrupted.ok()) {
      return report_error_(request_.source.uri, interrupted);
    }
    for (size_t i = 0; i < missing.size(); ++i) {
      if (!found[i].ok() && !report_error_(missing[i].uri, found[i])) {
        return false;
      }
    }
    return true;
  }

  const SyncRequest& request_;
  const ErrorReporter report_error_ = [this](const std::string& uri,
                                             const absl::Status& status) {
    is_complete_ = false;
    return request_.report_error(uri, status);
  };
  Location root_;                             // of the target
  std::shared_ptr<const ListedTree> listed_;  // in the source
  std::shared_ptr<const ListedTree> there_;   // in the target
  bool is_target_seen_ = false;
  bool is_complete_ = true;  // no error was reported
};

}  // namespace

std::optional<Plan> PlanSync(const SyncRequest& request) {
  return SyncPlanner(request).Run();
}

}  // namespace fsload
