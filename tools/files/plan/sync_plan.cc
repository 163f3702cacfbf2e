#include "tools/files/plan/sync_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "core/calls/plugin_ops.h"
#include "core/defaults/copy_check.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "tools/files/plan/local_place.h"
#include "tools/files/plan/places.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/plan/tree.h"
#include "tools/files/state/interruption.h"

namespace fsload {
namespace {

using Paths = std::set<std::string>;

absl::StatusOr<bool> HaveSameContentsAt(const Place& a, const Place& b) {
  const absl::StatusOr<std::string> path_a =
      a.file_system->TranslateName(a.uri);
  if (!path_a.ok()) return path_a.status();
  const absl::StatusOr<std::string> path_b =
      b.file_system->TranslateName(b.uri);
  if (!path_b.ok()) return path_b.status();
  return HaveSameContents({PluginFileSystem::Of(*a.file_system).ops(),
                           PathArgument(path_a->c_str(), a.uri)},
                          {PluginFileSystem::Of(*b.file_system).ops(),
                           PathArgument(path_b->c_str(), b.uri)},
                          &CheckInterruption);
}

class SyncPlanner {
 public:
  explicit SyncPlanner(const SyncRequest& request) : request_(request) {}

  std::optional<Plan> Run() {
    const absl::Status fits = CheckPlaces();
    if (!fits.ok()) {
      request_.tell(request_.source.uri, fits);
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
  absl::Status CheckPlaces() const {
    if (!request_.deletes ||
        CheckOutside(request_.target, request_.source).ok()) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(fmt::format(
        "{}: is in {}, from which --delete would delete it; sync without "
        "--delete, or to another directory",
        request_.source.uri, request_.target.uri));
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
    copies.tell = [this](const std::string& uri, const absl::Status& status) {
      return Tell(uri, status);
    };
    copies.is_current = [this](const Place& source, const FileStatistics& found,
                               const Place& target,
                               const FileStatistics& there) {
      return IsCurrent(source, found, target, there);
    };
    copies.listed = &listed_;
    return copies;
  }

  absl::StatusOr<bool> IsCurrent(const Place& source,
                                 const FileStatistics& found,
                                 const Place& target,
                                 const FileStatistics& there) const {
    if (found.length != there.length) return false;
    if (!request_.by_contents) return there.mtime_nsec >= found.mtime_nsec;
    return HaveSameContentsAt(source, target);
  }

  bool Tell(const std::string& uri, const absl::Status& status) {
    is_complete_ = false;
    return request_.tell(uri, status);
  }

  // Yields whether to go on.
  bool AddDeletions(Plan& plan) {
    const Look there = LookAt(request_.target);
    if (!there.status.ok()) return Tell(request_.target.uri, there.status);
    if (there.existing != Existing::kDirectory) return true;
    root_ = AsTree(request_.target, Links::kRefused);
    const std::optional<std::vector<ListedEntry>> entries =
        ListTree({root_, request_.filter, true,
                  [this](const std::string& uri, const absl::Status& status) {
                    return Tell(uri, status);
                  }});
    if (!entries.has_value()) return false;
    Paths wanted;
    for (const ListedEntry& entry : listed_) wanted.insert(entry.path);
    std::vector<const ListedEntry*> extra;
    for (const ListedEntry& entry : *entries) {
      if (wanted.count(entry.path) == 0) extra.push_back(&entry);
    }
    if (extra.empty()) return true;
    if (!HasFiles() && !request_.deletes_all) return RefuseToEmpty(extra);
    if (!KeepOtherNames(extra)) return false;
    if (!is_complete_) {
      return request_.tell(
          request_.target.uri,
          absl::AbortedError(
              fmt::format("{}: nothing is deleted, because there were errors",
                          request_.target.uri)));
    }
    AddSteps(extra, plan);
    return true;
  }

  bool HasFiles() const {
    return std::any_of(
        listed_.begin(), listed_.end(),
        [](const ListedEntry& entry) { return !entry.is_directory; });
  }

  bool RefuseToEmpty(const std::vector<const ListedEntry*>& extra) {
    Tell(request_.source.uri,
         absl::FailedPreconditionError(fmt::format(
             "{}: has no files, and --delete would delete everything in {} "
             "({} files and directories); give --really to do that",
             request_.source.uri, request_.target.uri, extra.size())));
    return false;
  }

  // Reports and takes out what may be one file with something that stays.
  bool KeepOtherNames(std::vector<const ListedEntry*>& extra) {
    if (TablesOf(*root_.file_system).traits.replaces_atomically) return true;
    Paths folded;
    Paths files;  // as KeyOfFile
    const Place source = AsTree(request_.source, Links::kFollowed);
    for (const ListedEntry& entry : listed_) {
      folded.insert(absl::AsciiStrToLower(entry.path));
      for (const Place& root : {root_, source}) {
        files.insert(KeyOfFile(Below(root, entry.path)));
      }
    }
    files.erase("");  // unknown
    std::vector<const ListedEntry*> others;
    for (const ListedEntry* entry : extra) {
      const Place place = Below(root_, entry->path);
      const bool is_one_file =
          files.count(KeyOfFile(place)) > 0 ||
          folded.count(absl::AsciiStrToLower(entry->path)) > 0;
      if (!is_one_file) {
        others.push_back(entry);
      } else if (!Tell(place.uri,
                       absl::FailedPreconditionError(fmt::format(
                           "{}: not deleted, because it may be the same file "
                           "as one that stays, by another name",
                           place.uri)))) {
        return false;
      }
    }
    extra = std::move(others);
    return true;
  }

  void AddSteps(const std::vector<const ListedEntry*>& extra,
                Plan& plan) const {
    for (const ListedEntry* entry : extra) {
      if (entry->is_directory) continue;
      plan.steps.push_back({StepKind::kDeleteFile,
                            Below(root_, entry->path),
                            {},
                            entry->found.length});
    }
    if (request_.filter.has_includes()) return;
    for (auto entry = extra.rbegin(); entry != extra.rend(); ++entry) {
      if (!(*entry)->is_directory || !(*entry)->is_whole) continue;
      plan.steps.push_back(
          {StepKind::kDeleteDirectory, Below(root_, (*entry)->path), {}});
    }
  }

  const SyncRequest& request_;
  Place root_;                       // of the target
  std::vector<ListedEntry> listed_;  // in the source
  bool is_complete_ = true;          // no error was reported
};

}  // namespace

std::optional<Plan> PlanSync(const SyncRequest& request) {
  return SyncPlanner(request).Run();
}

}  // namespace fsload
