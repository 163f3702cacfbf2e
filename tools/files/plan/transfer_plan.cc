#include "tools/files/plan/transfer_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "tools/files/plan/local_place.h"
#include "tools/files/plan/places.h"
#include "tools/files/plan/steps_onto_sources.h"
#include "tools/files/plan/transfer_target.h"
#include "tools/files/plan/tree.h"
#include "tools/files/state/interruption.h"
#include "tools/files/stores/trailing_slash.h"
#include "tools/files/stores/uri_check.h"

namespace fsload {
namespace {

using Paths = std::set<std::string>;

// The directories above `path`, including the tree's root "".
void AddFoldersOf(const std::string& path, Paths& folders) {
  for (std::string folder = path; !folder.empty();) {
    folder = std::string(Dirname(folder));
    if (!folders.insert(folder).second) return;
  }
}

// Each step yields whether to go on.
class TransferPlanner {
 public:
  explicit TransferPlanner(const TransferRequest& request)
      : request_(request), target_(request) {}

  bool Run() {
    const absl::Status status = target_.Check();
    if (!status.ok()) return Tell(request_.target, status) && false;
    for (const Place& source : request_.sources) {
      if (!AddSource(source)) return false;
    }
    return TakeOutStepsOntoSources();
  }

  Plan TakePlan() {
    Plan plan;
    plan.skipped = skipped_;
    for (std::vector<Step>* steps : {&makes_, &files_, &renames_, &deletes_}) {
      for (Step& step : *steps) plan.steps.push_back(std::move(step));
    }
    return plan;
  }

 private:
  bool Tell(const Place& place, const absl::Status& status) const {
    return request_.tell(place.uri, status);
  }

  bool AddSource(const Place& named) {
    const Place source =
        InFolder(named.At(std::string(WithoutTrailingSlashes(named.uri))),
                 request_.moves ? Links::kRefused : Links::kFollowed, folders_);
    Look found;
    found.status = CheckInterruption();
    if (found.status.ok()) found = target_.LookAtSource(source);
    const bool moves_link = request_.moves && IsKnownLink(source);
    if (found.status.ok() && found.existing == Existing::kNothing &&
        !moves_link) {
      found.status = source.file_system->Stat(source.uri).status();
    }
    if (found.status.ok() && moves_link) {
      found.status = CheckNoLinkBeforeSlash(named);
    }
    if (found.status.ok() && found.existing == Existing::kFile) {
      found.status = CheckTrailingSlash(named.uri, false);
    }
    if (found.status.ok() && request_.only_directories &&
        found.existing == Existing::kFile) {
      found.status = absl::FailedPreconditionError(
          source.uri + ": is a file; use cp to copy it");
    }
    if (!found.status.ok()) return Tell(source, found.status);
    // Moving a symlink does not move its target.
    const bool is_directory =
        found.existing == Existing::kDirectory && !moves_link;
    const Place target = target_.PlaceOf(source, is_directory);
    const Look there = target.uri == request_.target.uri
                           ? target_.look()
                           : target_.LookAt(target);
    absl::Status status;
    if (is_directory && request_.moves) {
      status = CheckMayBeDeleted(named, "move", "");
    }
    if (status.ok()) {
      status = is_directory ? CheckDirectory(source, target, there)
                            : CheckFile(source, found, target, there);
    }
    if (!status.ok()) {
      (is_directory ? others_.directories : others_.files).push_back(source);
      return Tell(source, status);
    }
    if (!is_directory) return AddFile(source, found, target, there);
    if (MayRename(source, target, there))
      return AddRename(named, source, target);
    return AddTree(request_.moves ? source : AsTree(source, Links::kFollowed),
                   target, there.existing);
  }

  bool MayRename(const Place& source, const Place& target,
                 const Look& there) const {
    return request_.moves && request_.renames_directories &&
           request_.filter.is_empty() && target_.IsLocalWith(source) &&
           there.existing == Existing::kNothing &&
           targets_.count(KeyOf(target)) == 0 && AreOnOneDisk(source, target);
  }

  // Adds the step that renames a directory with its contents.
  bool AddRename(const Place& named, const Place& source, const Place& target) {
    targets_.insert(KeyOf(target));
    renamed_.insert(KeyOf(target));
    Step step = {StepKind::kRenameDirectory, source, target};
    // Two disks may look like one (overlayfs).
    TransferRequest request = request_;
    request.sources = {named};
    request.named = 1;
    request.target = request_.target.At(target.uri);
    request.renames_directories = false;
    step.otherwise = [request] { return PlanTransfer(request); };
    renames_.push_back(std::move(step));
    return true;
  }

  absl::Status CheckDirectory(const Place& source, const Place& target,
                              const Look& there) const {
    if (!request_.recursive) {
      return absl::FailedPreconditionError(
          source.uri + ": is a directory; use -r to copy it");
    }
    if (!there.status.ok()) return there.status;
    if (there.existing == Existing::kFile) {
      return absl::FailedPreconditionError(
          fmt::format("{}: is a file; cannot replace it with the directory {}",
                      target.uri, source.uri));
    }
    absl::Status status = target_.CheckNoLink(source, target, there);
    if (status.ok() && renamed_.count(KeyOf(target)) > 0) {
      status = TwoSources(source, target);
    }
    if (!status.ok()) return status;
    return CheckOutside(
        source, target,
        request_.moves ? "move a directory" : "copy a directory");
  }

  bool AddFile(const Place& source, const Look& found, const Place& target,
               const Look& there) {
    const std::string name = NameOf(source.uri);
    if (request_.filter.Excludes(name, false) ||
        !request_.filter.Includes(name) || !request_.shard.Has(number_++)) {
      return true;
    }
    return AddStep(source, target, found.statistics, there);
  }

  // Reports why something of `folder`, in a source, is not transferred: it
  // stays, and so do all its ancestors.
  bool TellOfRest(const Place& place, const absl::Status& status,
                  std::string folder) {
    while (kept_.insert(folder).second) folder = std::string(Dirname(folder));
    return Tell(place, status);
  }

  // The same for a file, which no other file may replace.
  bool TellThatStays(const Place& source, const absl::Status& status) {
    others_.files.push_back(source);
    return TellOfRest(source, status, std::string(Dirname(source.uri)));
  }

  // Adds the step for a file.
  bool AddStep(const Place& source, const Place& target,
               const FileStatistics& found, const Look& there) {
    if (there.existing == Existing::kDirectory) {
      return TellThatStays(source, DirectoryInTheWay(source, target));
    }
    const bool exists = there.existing == Existing::kFile;
    if (exists && !request_.replaces) {
      ++skipped_;
      return true;
    }
    if (!targets_.insert(KeyOf(target)).second) {
      return TellThatStays(source, TwoSources(source, target));
    }
    files_at_.insert(target.uri);
    const StepKind kind = !request_.moves           ? StepKind::kCopyFile
                          : MayMeet(source, target) ? StepKind::kRenameFile
                                                    : StepKind::kMoveFile;
    absl::Status status = CheckNameIsText(*target.file_system, target.uri);
    if (status.ok()) status = target_.CheckStep(kind, source, target, exists);
    if (!status.ok()) return TellThatStays(source, status);
    // A dangling symlink is replaced too.
    const bool replaces =
        exists || (target.tree != nullptr && IsKnownLink(target));
    Step step = {kind, source, target, found.length, replaces};
    step.source_found = found;
    if (exists) step.target_found = there.statistics;
    files_.push_back(std::move(step));
    return true;
  }

  bool AddTree(const Place& source, const Place& target, Existing there) {
    std::optional<std::vector<ListedEntry>> entries = ListTree(
        {source, request_.filter, request_.moves, request_.tell, true});
    if (!entries.has_value()) return false;
    std::vector<const ListedEntry*> files;  // those of the shard
    Paths filled;  // the directories that contain files
    Paths needed;  // those with files of the shard
    for (const ListedEntry& entry : *entries) {
      if (entry.is_directory) continue;
      AddFoldersOf(entry.path, filled);
      if (!request_.shard.Has(number_++)) {
        others_.files.push_back(Below(source, entry.path));
        continue;
      }
      AddFoldersOf(entry.path, needed);
      files.push_back(&entry);
    }
    refused_.clear();
    const bool makes_empty =
        request_.shard.index == 1 && !request_.filter.has_includes();
    Paths present;  // the directories that exist at the target
    if (there == Existing::kDirectory) present.insert("");
    for (const ListedEntry& entry : *entries) {
      if (!entry.is_directory) continue;
      const bool is_empty = filled.count(entry.path) == 0;
      if (needed.count(entry.path) == 0 && !(is_empty && makes_empty)) continue;
      if (IsInRefused(entry.path)) continue;
      if (!AddDirectory(source, target, entry.path, present)) return false;
    }
    if (!AddFiles(source, target, files, present)) return false;
    if (request_.moves) AddDeletions(source, target, *entries);
    if (request_.listed != nullptr) *request_.listed = *std::move(entries);
    return true;
  }

  // Adds the step that makes a directory missing at the target.
  bool AddDirectory(const Place& source, const Place& target,
                    const std::string& path, Paths& present) {
    if (present.count(path) > 0) return true;
    const Place place = Below(target, path);
    Look there;
    if (present.count(std::string(Dirname(path))) > 0) {
      there = target_.LookAt(place);
    }
    if (there.status.ok() && there.existing == Existing::kFile) {
      there.status = CheckDirectory(Below(source, path), place, there);
    }
    if (there.status.ok() && files_at_.count(place.uri) > 0) {
      there.status = TwoSources(Below(source, path), place);
    }
    if (there.status.ok()) {
      there.status = target_.CheckNoLink(Below(source, path), place, there);
    }
    if (there.status.ok()) {
      there.status = CheckNameIsText(*place.file_system, place.uri);
    }
    if (!there.status.ok()) {
      refused_.insert(path);
      others_.directories.push_back(Below(source, path));
      return TellOfRest(place, there.status, Below(source, path).uri);
    }
    if (there.existing == Existing::kDirectory) {
      present.insert(path);
    } else if (targets_.insert(KeyOf(place)).second) {
      Step step = {StepKind::kMakeDirectory, {}, place};
      if (target_.IsLocalWith(source)) step.source = Below(source, path);
      step.keeps = request_.moves;
      makes_.push_back(std::move(step));
    }
    return true;
  }

  // Whether an ancestor of `path` has been reported already.
  bool IsInRefused(std::string path) const {
    while (!path.empty() && !refused_.empty()) {
      path = std::string(Dirname(path));
      if (refused_.count(path) > 0) return true;
    }
    return false;
  }

  // Adds the files, after examining the targets in existing directories.
  bool AddFiles(const Place& source, const Place& target,
                const std::vector<const ListedEntry*>& files,
                const Paths& present) {
    std::vector<Look> there(files.size());
    std::vector<char> is_current(files.size());  // its elements are set at once
    const absl::Status interrupted = ParallelFor(files.size(), [&](size_t i) {
      absl::Status status = CheckInterruption();
      const std::string folder(Dirname(files[i]->path));
      if (status.ok() && present.count(folder) > 0) {
        there[i] = target_.LookAt(Below(target, files[i]->path));
        is_current[i] = IsCurrent(source, *files[i], target, there[i]) ? 1 : 0;
      }
      return status;
    });
    if (!interrupted.ok()) return Tell(source, interrupted) && false;
    for (size_t i = 0; i < files.size(); ++i) {
      if (IsInRefused(files[i]->path)) continue;
      if (is_current[i] != 0) {
        ++skipped_;
        continue;
      }
      const Place from = Below(source, files[i]->path);
      const Place to = Below(target, files[i]->path);
      const bool goes_on =
          there[i].status.ok()
              ? AddStep(from, to, files[i]->found, there[i])
              : TellOfRest(to, there[i].status, std::string(Dirname(from.uri)));
      if (!goes_on) return false;
    }
    return true;
  }

  // Whether the file at the target is already the copy of `entry`; an error of
  // finding that out is in `there`.
  bool IsCurrent(const Place& source, const ListedEntry& entry,
                 const Place& target, Look& there) const {
    if (request_.is_current == nullptr || !there.status.ok() ||
        there.existing != Existing::kFile) {
      return false;
    }
    const absl::StatusOr<bool> current =
        request_.is_current(Below(source, entry.path), entry.found,
                            Below(target, entry.path), there.statistics);
    there.status = current.status();
    return current.ok() && *current;
  }

  // Removes, and reports, the steps that would overwrite the source of another.
  bool TakeOutStepsOntoSources() {
    for (const Step& step : renames_) {
      others_.directories.push_back(step.source);
    }
    const std::map<size_t, std::string> onto_sources =
        StepsOntoSources(files_, others_);
    if (onto_sources.empty()) return true;
    std::vector<Step> kept;
    for (size_t i = 0; i < files_.size(); ++i) {
      const auto found = onto_sources.find(i);
      if (found == onto_sources.end()) {
        kept.push_back(std::move(files_[i]));
        continue;
      }
      const Step& step = files_[i];
      const absl::Status status = absl::InvalidArgumentError(
          fmt::format("{}: its target {} is also a source ({}); move one of "
                      "them out of the "
                      "way first",
                      step.source.uri, step.target.uri, found->second));
      if (!TellOfRest(step.source, status,
                      std::string(Dirname(step.source.uri)))) {
        return false;
      }
    }
    files_ = std::move(kept);
    const auto stays = [this](const Step& step) {
      return kept_.count(step.source.uri) > 0;
    };
    deletes_.erase(std::remove_if(deletes_.begin(), deletes_.end(), stays),
                   deletes_.end());
    return true;
  }

  // Adds the steps that delete directories emptied by moving.
  void AddDeletions(const Place& source, const Place& target,
                    const std::vector<ListedEntry>& entries) {
    if (request_.filter.has_includes()) return;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      const Place place = Below(source, entry->path);
      if (!entry->is_directory || !entry->is_whole ||
          kept_.count(place.uri) > 0 || IsInRefused(entry->path)) {
        continue;
      }
      Step step = {StepKind::kDeleteDirectory, place, {}};
      step.moved_to = Below(target, entry->path);
      deletes_.push_back(std::move(step));
    }
  }

  const TransferRequest& request_;
  const TransferTarget target_;
  size_t number_ = 0;  // of the next file
  size_t skipped_ = 0;
  Paths targets_;        // targets of the plan, as KeyOf
  Paths renamed_;        // those of renamed directories
  Paths kept_;           // folders of sources in which something stays
  Paths files_at_;       // the URIs of files that the plan creates
  Paths refused_;        // directories of the source that cannot be made
  OpenFolders folders_;  // of sources
  OtherSources others_;
  std::vector<Step> makes_;
  std::vector<Step> files_;
  std::vector<Step> renames_;
  std::vector<Step> deletes_;
};

}  // namespace

std::optional<Plan> PlanTransfer(const TransferRequest& request) {
  TransferPlanner planner(request);
  if (!planner.Run()) return std::nullopt;
  return planner.TakePlan();
}

}  // namespace fsload
