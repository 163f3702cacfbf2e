#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/defaults.h"
#include "core/plugin_call.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_delete_recursively;

// What is left is counted by looking into it, up to here: links among it may
// lead round in circles.
constexpr size_t kMostCounted = 1'000'000;

// What delete_file says of something that may be a directory. Nothing else is
// entered: a link that could not be removed looks like the directory it leads
// to.
bool MayBeDirectory(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) || absl::IsNotFound(status) ||
         absl::IsInvalidArgument(status);
}

class TreeDeleter {
 public:
  TreeDeleter(const PluginOps& ops, PathArgument root, Undeleted& undeleted)
      : ops_(ops), root_(root), path_(root.canonical), undeleted_(undeleted) {}

  absl::Status Run() {
    undeleted_ = {0, 1};
    const absl::StatusOr<bool> is_directory = ops_.IsDirectory(root_);
    if (!is_directory.ok()) return is_directory.status();
    if (!*is_directory) {
      return absl::FailedPreconditionError(
          CallMessage(kOp, root_.shown, "wanted a directory, found a file"));
    }
    // Removes a link to a directory; an object store may remove an object that
    // marks the folder.
    const absl::Status as_file = ops_.DeleteFile(root_);
    if (as_file.ok() || !MayBeDirectory(as_file)) {
      const absl::StatusOr<bool> still = ops_.IsDirectory(root_);
      if (absl::IsNotFound(still.status()) || (as_file.ok() && IsFile(still))) {
        undeleted_ = {};
        return absl::OkStatus();
      }
      if (!as_file.ok()) return as_file;
      if (!still.ok()) return still.status();
    }
    absl::StatusOr<std::vector<std::string>> names = ops_.GetChildren(root_);
    if (!names.ok()) return names.status();
    undeleted_ = {};
    Enter(*std::move(names));
    while (!directories_.empty()) Step();
    return first_error_;
  }

 private:
  // A directory that is being deleted. Its path is a prefix of path_.
  struct Directory {
    size_t path_bytes;
    std::vector<std::string> names;
    size_t next = 0;
    bool claimed = false;             // delete_file said OK about an entry
    bool again = false;               // the names are those that came back
    std::set<std::string> left = {};  // the entries that stay
  };

  void Enter(std::vector<std::string> names) {
    Directory directory;
    directory.path_bytes = path_.size();
    directory.names = std::move(names);
    directories_.push_back(std::move(directory));
  }

  // Deletes the next entry of the innermost directory, or that itself.
  void Step() {
    Directory& directory = directories_.back();
    path_.resize(directory.path_bytes);
    if (directory.next == directory.names.size()) {
      Finish(directory);
      return;
    }
    const std::string& name = directory.names[directory.next++];
    if (!IsEntryName(name)) {
      Leave(false, NotAnEntryName(path_, name));
      return;
    }
    if (path_.empty() || path_.back() != '/') path_ += '/';
    path_ += name;
    DeleteEntry(directory);
  }

  void DeleteEntry(Directory& directory) {
    const absl::Status status = ops_.DeleteFile(PathArgument(path_));
    if (status.ok()) {
      directory.claimed = true;
      // In the second round, what delete_file said OK about and is there again.
      if (!directory.again) return;
    }
    const absl::StatusOr<bool> is_directory =
        ops_.IsDirectory(PathArgument(path_));
    if (absl::IsNotFound(is_directory.status())) return;  // it is gone
    const bool may_be = status.ok() || MayBeDirectory(status);
    if (IsFile(is_directory)) {
      if (!status.ok()) Leave(false, status);
    } else if (!may_be || !is_directory.ok()) {
      LeaveTree(may_be ? is_directory.status() : status);
    } else {
      EnterOrLeave();
    }
  }

  void EnterOrLeave() {
    absl::StatusOr<std::vector<std::string>> names =
        ops_.GetChildren(PathArgument(path_));
    if (absl::IsNotFound(names.status())) return;
    if (names.ok()) {
      Enter(*std::move(names));
    } else {
      LeaveTree(names.status());
    }
  }

  // All entries of `directory` were tried: deletes it and goes back to the one
  // around it.
  void Finish(Directory& directory) {
    absl::Status status;
    if (directory.left.empty()) status = ops_.DeleteDir(PathArgument(path_));
    // An object store says OK to delete_file for a folder, and may say OK to
    // delete_dir for one that is not empty: what is still listed is entered.
    if (directory.claimed && !directory.again) {
      absl::StatusOr<std::vector<std::string>> names = ListOthers(directory);
      if (names.ok() && !names->empty()) {
        directory.names = *std::move(names);
        directory.next = 0;
        directory.again = true;
        return;
      }
      if (!names.ok() && !absl::IsNotFound(names.status())) {
        status = names.status();
      }
    }
    const bool left = !directory.left.empty();
    directories_.pop_back();
    if (left) {
      ++undeleted_.directories;
      MarkLeft();
    } else if (!status.ok()) {
      LeaveTree(status);
    }
  }

  // The names in `directory`, at path_, that are not known to stay.
  absl::StatusOr<std::vector<std::string>> ListOthers(
      const Directory& directory) const {
    absl::StatusOr<std::vector<std::string>> names =
        ops_.GetChildren(PathArgument(path_));
    if (!names.ok() || directory.left.empty()) return names;
    const auto stays = [&](const std::string& name) {
      return directory.left.count(name) > 0;
    };
    names->erase(std::remove_if(names->begin(), names->end(), stays),
                 names->end());
    return names;
  }

  // The entry that the innermost directory came to stays.
  void MarkLeft() {
    if (directories_.empty()) return;
    Directory& directory = directories_.back();
    directory.left.insert(directory.names[directory.next - 1]);
  }

  // The entry at path_ stays.
  void Leave(bool is_directory, const absl::Status& error) {
    if (first_error_.ok()) first_error_ = error;
    ++(is_directory ? undeleted_.directories : undeleted_.files);
    MarkLeft();
  }

  // What is at path_, if anything still is, stays with all that is in it.
  void LeaveTree(const absl::Status& error) {
    const absl::StatusOr<bool> is_directory =
        ops_.IsDirectory(PathArgument(path_));
    if (absl::IsNotFound(is_directory.status())) return;
    if (absl::IsNotFound(error) && !is_directory.ok()) return;
    const bool has_entries = is_directory.ok() && *is_directory;
    Leave(has_entries, error);
    if (has_entries) CountEntries();
  }

  // Counts what is in the directory at path_ as left.
  void CountEntries() {
    std::vector<std::string> paths = {path_};
    for (size_t counted = 0; !paths.empty() && counted < kMostCounted;) {
      const std::string directory = std::move(paths.back());
      paths.pop_back();
      const absl::StatusOr<std::vector<std::string>> names =
          ops_.GetChildren(PathArgument(directory));
      if (!names.ok()) continue;
      for (const std::string& name : *names) {
        ++counted;
        if (!IsEntryName(name)) {
          ++undeleted_.files;
          continue;
        }
        std::string child = fmt::format("{}/{}", directory, name);
        const absl::StatusOr<bool> is_directory =
            ops_.IsDirectory(PathArgument(child));
        if (is_directory.ok() && *is_directory) {
          ++undeleted_.directories;
          paths.push_back(std::move(child));
        } else {
          ++undeleted_.files;
        }
      }
    }
  }

  static bool IsFile(const absl::StatusOr<bool>& is_directory) {
    return is_directory.ok() && !*is_directory;
  }

  const PluginOps& ops_;
  const PathArgument root_;
  std::string path_;  // of what is being deleted
  Undeleted& undeleted_;
  std::vector<Directory> directories_;
  absl::Status first_error_;
};

}  // namespace

absl::Status DeleteRecursivelyByDefault(const PluginOps& ops, PathArgument path,
                                        Undeleted& undeleted) {
  return TreeDeleter(ops, path, undeleted).Run();
}

}  // namespace fsload
