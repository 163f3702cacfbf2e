#include "tools/files/plan/tree_transfer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "core/walk/uri_check.h"
#include "tools/files/listing/tree.h"
#include "tools/files/plan/deletion_steps.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

using Id = ListedTree::Id;

// How many targets are examined at once: enough to keep all threads busy, few
// enough for little memory.
constexpr size_t kAtOnce = 10'000;

// Directories of one tree.
class DirectorySet {
 public:
  explicit DirectorySet(const ListedTree& entries)
      : is_marked_(entries.size()) {}

  void Add(Id id) { is_marked_[id] = true; }
  bool Has(Id id) const { return is_marked_[id]; }

  // Adds the directories above an entry.
  void AddAbove(const ListedTree& entries, Id id) {
    do {
      id = entries.DirectoryOf(id);
      if (Has(id)) return;
      Add(id);
    } while (id != ListedTree::kRoot);
  }

 private:
  std::vector<bool> is_marked_;
};

// Functions yield whether to go on.
class TreeTransfer {
 public:
  TreeTransfer(const Location& source, const Location& target,
               const std::shared_ptr<const ListedTree>& entries,
               TransferSteps& steps)
      : request_(steps.request()),
        steps_(steps),
        source_(source),
        target_(target),
        tree_(steps.list().AddTree({source, target, entries, request_.moves,
                                    steps.target().IsLocalWith(source)})),
        entries_(*entries),
        present_(entries_),
        refused_(entries_) {}

  bool Run(FileType there) {
    if (request_.list_target != nullptr) {
      if (!request_.list_target(there, known_)) return false;
      if (known_ != nullptr) known_ids_ = FindIn(*known_, entries_);
    }
    if (there == FileType::kDirectory) present_.Add(ListedTree::kRoot);
    DirectorySet filled(entries_);  // the directories that contain files
    DirectorySet needed(entries_);  // those with files of the shard
    const std::vector<Id> files = TakeFiles(filled, needed);
    const bool makes_empty =
        request_.shard.index == 1 && !request_.filter.has_includes();
    for (const Id id : entries_.by_path()) {
      if (!entries_.IsDirectory(id)) continue;
      const bool is_empty = !filled.Has(id);
      if (!needed.Has(id) && !(is_empty && makes_empty)) continue;
      if (IsInRefused(id)) continue;
      if (!AddDirectory(id)) return false;
    }
    for (size_t begin = 0; begin < files.size(); begin += kAtOnce) {
      const size_t end = std::min(begin + kAtOnce, files.size());
      if (!AddFiles(files.data() + begin, end - begin)) return false;
    }
    if (request_.moves) AddDeletionsOfDirectories();
    return true;
  }

 private:
  Location From(Id id) const { return Below(source_, entries_.PathOf(id)); }
  Location To(Id id) const { return Below(target_, entries_.PathOf(id)); }

  // The files of the shard.
  std::vector<Id> TakeFiles(DirectorySet& filled, DirectorySet& needed) {
    std::optional<uint32_t> others;  // the tree in the list of other sources
    std::vector<Id> files;
    for (const Id id : entries_.by_path()) {
      if (entries_.IsDirectory(id)) continue;
      filled.AddAbove(entries_, id);
      if (steps_.HasNextFile()) {
        needed.AddAbove(entries_, id);
        files.push_back(id);
        continue;
      }
      StepList& list = steps_.others().files;
      if (!others.has_value()) others = list.AddTree(steps_.list().tree(tree_));
      list.Add({StepKind::kDeleteFile}, {*others, id});
    }
    return files;
  }

  // Adds the step that makes a directory missing at the target.
  bool AddDirectory(Id id) {
    if (present_.Has(id)) return true;
    const Location source = From(id);
    const Location location = To(id);
    PathState there;
    if (present_.Has(entries_.DirectoryOf(id))) {
      there = GetPathState(id, location);
    }
    const absl::Status status = CheckDirectory(source, location, there);
    if (!status.ok()) {
      refused_.Add(id);
      has_refused_ = true;
      steps_.others().directories.push_back(source);
      return steps_.ReportRest(location, status, source.uri);
    }
    if (there.type == FileType::kDirectory) {
      present_.Add(id);
    } else {
      steps_.AddDirectory(location, {tree_, id});
    }
    return true;
  }

  absl::Status CheckDirectory(const Location& source, const Location& target,
                              const PathState& there) const {
    absl::Status status = there.status;
    if (status.ok() && there.type == FileType::kFile) {
      status = steps_.CheckDirectory(source, target, there);
    }
    if (!status.ok()) return status;
    if (steps_.HasFileAt(target)) return TwoSources(source, target);
    status = steps_.target().CheckNoLink(source, target, there);
    return status.ok() ? CheckNameIsText(*target.file_system, target.uri)
                       : status;
  }

  // Whether a directory above the entry has been reported already.
  bool IsInRefused(Id id) const {
    while (id != ListedTree::kRoot && has_refused_) {
      id = entries_.DirectoryOf(id);
      if (refused_.Has(id)) return true;
    }
    return false;
  }

  // What is at the target `location` of an entry.
  PathState GetPathState(Id id, const Location& location) const {
    const Id known = known_ids_.empty() ? ListedTree::kNone : known_ids_[id];
    if (known == ListedTree::kNone || !known_->IsExamined(known)) {
      return steps_.target().GetPathState(location);
    }
    if (known_->IsDirectory(known)) {
      return {absl::OkStatus(), FileType::kDirectory, {0, 0, true}};
    }
    return {absl::OkStatus(), FileType::kFile, known_->FoundAt(known)};
  }

  // What is at the target of a file.
  struct Target {
    PathState there;
    bool is_current = false;
  };

  // Adds files, after examining the targets in existing directories.
  bool AddFiles(const Id* files, size_t count) {
    std::vector<Target> targets(count);
    const absl::Status interrupted = ParallelFor(count, [&](size_t i) {
      absl::Status status = CheckInterruption();
      if (status.ok() && present_.Has(entries_.DirectoryOf(files[i]))) {
        targets[i] = Examine(files[i]);
      }
      return status;
    });
    if (!interrupted.ok()) {
      steps_.ReportError(source_, interrupted);
      return false;
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsInRefused(files[i])) continue;
      if (!AddFile(files[i], targets[i])) return false;
    }
    return true;
  }

  bool AddFile(Id id, const Target& target) {
    if (target.is_current) {
      steps_.Skip();
      return true;
    }
    const Location from = From(id);
    const Location to = To(id);
    if (!target.there.status.ok()) {
      return steps_.ReportRest(to, target.there.status,
                               std::string(Dirname(from.uri)));
    }
    return steps_.AddFile(from, to, entries_.FoundAt(id), target.there,
                          StepList::Origin{tree_, id});
  }

  // Called from several threads.
  Target Examine(Id id) const {
    const Location location = To(id);
    Target target;
    target.there = GetPathState(id, location);
    if (request_.is_current == nullptr || !target.there.status.ok() ||
        target.there.type != FileType::kFile) {
      return target;
    }
    const absl::StatusOr<bool> current = request_.is_current(
        From(id), entries_.FoundAt(id), location, target.there.statistics);
    target.there.status = current.status();
    target.is_current = current.ok() && *current;
    return target;
  }

  // Adds the steps that delete directories emptied by moving.
  void AddDeletionsOfDirectories() {
    AddDeletionSteps(
        entries_, tree_, request_.filter,
        [this](Id id) {
          return entries_.IsDirectory(id) && !steps_.IsKept(From(id).uri) &&
                 !IsInRefused(id);
        },
        steps_.list());
  }

  const TransferRequest& request_;
  TransferSteps& steps_;
  const Location& source_;
  const Location& target_;
  const uint32_t tree_;  // in the list of steps
  const ListedTree& entries_;
  DirectorySet present_;  // the directories that exist at the target
  DirectorySet refused_;  // those that cannot be made
  bool has_refused_ = false;

  // What is known of the target, and its entries by those of the source.
  std::shared_ptr<const ListedTree> known_;
  std::vector<Id> known_ids_;
};

}  // namespace

bool AddTree(const Location& source, const Location& target, FileType there,
             TransferSteps& steps) {
  const TransferRequest& request = steps.request();
  std::optional<ListedTree> listed = ListTree(
      {source, request.filter, request.moves, request.report_error, true});
  if (!listed.has_value()) return false;
  const auto entries = std::make_shared<const ListedTree>(*std::move(listed));
  if (request.listed != nullptr) *request.listed = entries;
  return TreeTransfer(source, target, entries, steps).Run(there);
}

}  // namespace fsload
