#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/copies/confirmed_lookup.h"
#include "core/copies/refused_deletion.h"
#include "core/copies/verified_copy.h"
#include "core/defaults/count_entries.h"
#include "core/defaults/defaults.h"
#include "core/defaults/directory_to_delete.h"
#include "core/defaults/untested_delete_dir.h"
#include "core/paths/bucket.h"
#include "core/threads/task_pool.h"
#include "core/threads/wait_count.h"
#include "fsload/internal/mutex.h"

namespace fsload {
namespace {

constexpr Op kDeleteOp = Op::kFilesystem_delete_recursively;

// Before that, sharing entries out takes longer than deleting them.
constexpr std::chrono::milliseconds kLongEnough{2};

bool IsFile(const absl::StatusOr<bool>& is_directory) {
  return is_directory.ok() && !*is_directory;
}

// Deletes directories from several threads, each directory from one thread at a
// time; if calls wait for a server, a directory's entries too. The directory
// itself is deleted after all its entries, by the thread that finished last.
class TreeDeleter {
 public:
  TreeDeleter(const PluginOps& ops, const PathArgument& root,
              Undeleted& undeleted)
      : ops_(ops), root_(root), undeleted_(undeleted) {}

  absl::Status Run() {
    SetUndeleted({0, 1});
    const absl::StatusOr<bool> is_directory = ops_.IsDirectory(root_);
    if (!is_directory.ok()) return is_directory.status();
    if (!*is_directory) {
      return NotADirectory(kDeleteOp, root_.shown);
    }
    // Removes a link to a directory; in an object store it may remove the
    // object that marks the folder.
    const absl::Status as_file = ops_.DeleteFile(root_);
    if (as_file.ok() || !MayBeDirectory(ops_, as_file)) {
      const absl::StatusOr<bool> still = ops_.IsDirectory(root_);
      bool is_gone = as_file.ok() && IsFile(still);
      if (absl::IsNotFound(still.status())) {
        const auto left = FindConfirmed(ops_, root_);
        is_gone = left.ok() && !left->has_value();
      }
      if (is_gone) {
        SetUndeleted({});
        return absl::OkStatus();
      }
      if (!as_file.ok()) return as_file;
      if (!still.ok() && !absl::IsNotFound(still.status())) {
        return still.status();
      }
    }
    const absl::Status link = CheckNoLinkHere(ops_, root_, as_file);
    if (!link.ok()) return link;
    absl::StatusOr<std::vector<std::string>> names = ops_.GetChildren(root_);
    if (!names.ok()) return names.status();
    SetUndeleted({});
    Directory& root = AddRoot();
    root.names = *std::move(names);
    pool_.Add([&] { DeleteEntries(root); });
    if (pool_.Run()) {
      const MutexLock lock(mutex_);
      return first_error_;
    }
    // A thread that was ended took what it knew of its directory with it.
    Undeleted left = CountEntries(ops_, root_.canonical);
    ++left.directories;
    SetUndeleted(left);
    return absl::InternalError(CallMessage(
        kDeleteOp, root_.shown,
        "the plugin ended the thread of a call; the rest is not deleted"));
  }

 private:
  // Its members from `pending` on are guarded by mutex_.
  using Directory = DirectoryToDelete;

  void SetUndeleted(const Undeleted& undeleted) {
    const MutexLock lock(mutex_);
    undeleted_ = undeleted;
  }

  Directory& AddDirectory(Directory* around, std::string name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Directory& added = directories_.emplace_front(around, std::move(name));
    added.self = directories_.begin();
    return added;
  }

  Directory& AddRoot() {
    const MutexLock lock(mutex_);
    return AddDirectory(nullptr, root_.canonical);
  }

  // Lists `directory`, which is not the root, and deletes its entries.
  void Enter(Directory& directory) {
    if (directory.depth > kMaxNestedToDelete) is_endless_ = true;
    if (is_endless_) {
      Leave(directory.around, directory.name, true, NestedTooDeep(root_.shown));
      return FinishPending(Forget(directory));
    }
    const std::string path = PathOf(directory);
    absl::StatusOr<std::vector<std::string>> names =
        ops_.GetChildren(PathArgument(path));
    if (names.ok()) {
      directory.names = *std::move(names);
      DeleteEntries(directory);
      return;
    }
    if (absl::IsNotFound(names.status())) {
      LeaveUnlessGone(directory.around, directory.name, path, true,
                      names.status());
    } else {
      LeaveTree(directory.around, directory.name, path, names.status());
    }
    FinishPending(Forget(directory));
  }

  void DeleteEntries(Directory& directory) {
    DeletePart(directory, 0, directory.names.size());
  }

  // Deletes some of the entries, except directories, which follow later.
  void DeletePart(Directory& directory, size_t begin, size_t end) {
    Part part{directory, PathOf(directory)};
    if (part.path.empty() || part.path.back() != '/') part.path += '/';
    const size_t prefix = part.path.size();
    const WaitCount waits;
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = begin; i < end; ++i) {
      const std::string& name = directory.names[i];
      part.path.resize(prefix);
      if (!IsEntryName(name)) {
        Leave(&directory, name, false, NotAnEntryName(PathOf(directory), name));
        continue;
      }
      part.path += name;
      DeleteEntry(part, name);
      const auto deleted = static_cast<int64_t>(i + 1 - begin);
      if (std::chrono::steady_clock::now() - start >= kLongEnough &&
          waits.Get() > deleted / 2) {
        end = ShareOut(directory, i + 1, end);
      }
    }
    Finish(part);
  }

  // What is found out while a part of a directory is deleted.
  struct Part {
    Directory& directory;
    std::string path;  // of the entry being deleted
    bool claimed = false;
    std::vector<std::string> inside = {};  // the names of directories
  };

  // Hands the entries from `begin` on to several tasks; returns where the
  // caller's part ends.
  size_t ShareOut(Directory& directory, size_t begin, size_t end) {
    constexpr size_t kTasks = 8;
    if (end - begin < 2) return end;
    pool_.ExpectWaiting();
    const size_t entries = (end - begin + kTasks - 1) / kTasks;
    for (size_t i = begin; i < end; i += entries) {
      {
        const MutexLock lock(mutex_);
        ++directory.pending;
      }
      pool_.Add([this, &directory, i, last = std::min(end, i + entries)] {
        DeletePart(directory, i, last);
      });
    }
    return begin;
  }

  void DeleteEntry(Part& part, const std::string& name) {
    Directory& directory = part.directory;
    const PathArgument path(part.path);
    const absl::Status status = ops_.DeleteFile(path);
    if (status.ok()) {
      part.claimed = true;
      // In the second round: delete_file returned OK, but the entry is there
      // again.
      if (!directory.again) return;
    }
    const absl::StatusOr<bool> is_directory = ops_.IsDirectory(path);
    if (absl::IsNotFound(is_directory.status())) {
      return LeaveUnlessGone(&directory, name, part.path, false, status);
    }
    if (IsFile(is_directory)) {
      const absl::Status left =
          status.ok() ? CheckDeleted({ops_, path}) : status;
      if (!left.ok()) Leave(&directory, name, false, left);
      return;
    }
    const bool may_be = status.ok() || MayBeDirectory(ops_, status);
    const absl::Status stays = may_be ? is_directory.status() : status;
    if (!stays.ok()) return LeaveTree(&directory, name, part.path, stays);
    const absl::Status link = CheckNoLinkHere(ops_, path, status);
    if (!link.ok()) return Leave(&directory, name, false, link);
    part.inside.push_back(name);
  }

  // Finishes a part of a directory: its subdirectories come next.
  void Finish(Part& part) {
    Directory& directory = part.directory;
    std::vector<Directory*> next;
    {
      const MutexLock lock(mutex_);
      directory.claimed |= part.claimed;
      directory.pending += part.inside.size();
      for (std::string& name : part.inside) {
        next.push_back(&AddDirectory(&directory, std::move(name)));
      }
    }
    for (auto each = next.rbegin(); each != next.rend(); ++each) {
      pool_.Add([this, entered = *each] { Enter(*entered); });
    }
    FinishPending(&directory);
  }

  // Counts down one thing that `directory` waited for, and continues with its
  // parents.
  void FinishPending(Directory* directory) {
    while (directory != nullptr) {
      {
        const MutexLock lock(mutex_);
        if (--directory->pending > 0) return;
      }
      // All its entries have been tried; no other thread uses it any more.
      if (!DeleteEmptied(*directory)) {
        directory->again = true;
        directory->pending = 1;
        pool_.Add([this, directory] { DeleteEntries(*directory); });
        return;
      }
      directory = Forget(*directory);
    }
  }

  // Returns the parent directory.
  Directory* Forget(Directory& directory) {
    Directory* const around = directory.around;
    const MutexLock lock(mutex_);
    directories_.erase(directory.self);
    return around;
  }

  // Deletes a directory whose entries were tried. False if it must be tried
  // once more.
  bool DeleteEmptied(Directory& directory) {
    const std::string path = PathOf(directory);
    if (!directory.unconfirmed.empty() && !ConfirmEntries(directory, path)) {
      return true;
    }
    const bool left = !directory.left.empty();
    absl::Status status;
    const bool is_bucket = IsBucketRoot(path) ||
                           (path == "/" && ops_.tables().traits.root_is_bucket);
    const bool stays = directory.around == nullptr && is_bucket;
    if (!left && !stays) status = DeleteDirSafely(ops_, PathArgument(path));
    // An object store returns OK when delete_file is called for a folder, and
    // may return OK when delete_dir is called for one that is not empty: what
    // is still listed is entered.
    if (directory.claimed && !directory.again) {
      absl::StatusOr<std::vector<std::string>> names =
          ops_.GetChildren(PathArgument(path));
      if (names.ok()) RemoveLeft(directory, *names);
      if (names.ok() && !names->empty()) {
        directory.names = *std::move(names);
        return false;
      }
      if (!names.ok() && !absl::IsNotFound(names.status())) {
        status = names.status();
      }
    }
    if (left) {
      const MutexLock lock(mutex_);
      ++undeleted_.directories;
      AddLeft(directory.around, directory.name);
    } else if (!status.ok()) {
      LeaveTree(directory.around, directory.name, path, status);
    }
    return true;
  }

  // Leaves the entries that were not found, but are still listed. False if the
  // directory is not found either, which is then no longer worked on.
  bool ConfirmEntries(Directory& directory, const std::string& path) {
    const auto entries = std::exchange(directory.unconfirmed, {});
    const absl::StatusOr<std::vector<std::string>> names =
        ops_.GetChildren(PathArgument(path));
    if (absl::IsNotFound(names.status()) && directory.left.empty()) {
      LeaveUnlessGone(directory.around, directory.name, path, true,
                      entries.begin()->second.error);
      return false;
    }
    for (const auto& [name, entry] :
         names.ok() ? StillListed(entries, *names) : entries) {
      Leave(&directory, name, entry.is_directory, entry.error);
    }
    return true;
  }

  // Records that the entry `name` of `directory` stays.
  void Leave(Directory* directory, const std::string& name, bool is_directory,
             const absl::Status& error) {
    const MutexLock lock(mutex_);
    if (first_error_.ok()) first_error_ = error;
    ++(is_directory ? undeleted_.directories : undeleted_.files);
    AddLeft(directory, name);
  }

  // Records that the entry `name` of `directory`, which is not found after its
  // deletion has failed with `error`, stays if it is still listed: that is
  // asked once for a directory, when all else in it has been tried.
  void LeaveUnlessGone(Directory* directory, const std::string& name,
                       const std::string& path, bool is_directory,
                       absl::Status error) {
    if (ops_.tables().traits.is_exact) return;
    if (error.ok() || absl::IsNotFound(error)) error = ListedButNotFound(path);
    if (directory != nullptr) {
      const MutexLock lock(mutex_);
      directory->unconfirmed.insert({name, {is_directory, std::move(error)}});
      return;
    }
    const auto found = FindConfirmed(ops_, PathArgument(path));
    const bool is_gone = found.ok() && !found->has_value();
    if (!is_gone) Leave(directory, name, is_directory, error);
  }

  // Records that what is at `path`, if anything is, stays with all its
  // contents.
  void LeaveTree(Directory* directory, const std::string& name,
                 const std::string& path, const absl::Status& error) {
    const absl::StatusOr<bool> is_directory =
        ops_.IsDirectory(PathArgument(path));
    if (absl::IsNotFound(is_directory.status())) {
      if (absl::IsNotFound(error)) return;  // as a folder without files
      return LeaveUnlessGone(directory, name, path, true, error);
    }
    if (absl::IsNotFound(error) && !is_directory.ok()) {
      return LeaveUnlessGone(directory, name, path, true,
                             is_directory.status());
    }
    const bool has_entries = is_directory.ok() && *is_directory;
    Leave(directory, name, has_entries, error);
    if (!has_entries) return;
    const Undeleted inside = CountEntries(ops_, path);
    const MutexLock lock(mutex_);
    undeleted_.files += inside.files;
    undeleted_.directories += inside.directories;
  }

  const PluginOps& ops_;
  const PathArgument root_;
  // Whether directories are nested too deep; then none is entered any more.
  std::atomic<bool> is_endless_{false};

  Mutex mutex_;  // guards these, and parts of Directory
  std::list<Directory> directories_ ABSL_GUARDED_BY(mutex_);  // not yet deleted
  Undeleted& undeleted_ ABSL_GUARDED_BY(mutex_);
  absl::Status first_error_ ABSL_GUARDED_BY(mutex_);

  TaskPool pool_;  // destroyed before everything that its threads use
};

}  // namespace

absl::Status DeleteRecursivelyByDefault(const PluginOps& ops,
                                        const PathArgument& path,
                                        Undeleted& undeleted) {
  return TreeDeleter(ops, path, undeleted).Run();
}

}  // namespace fsload
