#include <fmt/format.h>

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
    if (!as_file.ok() && !MayBeDirectory(as_file)) return as_file;
    if (as_file.ok() && !IsDirectory(path_)) {
      undeleted_ = {};
      return as_file;
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
    bool claimed = false;  // delete_file said OK about an entry
    bool again = false;    // the names are those that came back
    bool left = false;     // an entry of it is left
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
    if (name.find('/') != std::string::npos) {
      Leave(false, absl::InternalError(CallMessage(
                       Op::kFilesystem_get_children, path_,
                       fmt::format("wanted names of entries, found '{}', which "
                                   "leads elsewhere; it is not deleted",
                                   name))));
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
      if (directory.again && IsDirectory(path_)) EnterOrLeave();
      return;
    }
    const absl::StatusOr<bool> is_directory =
        ops_.IsDirectory(PathArgument(path_));
    if (absl::IsNotFound(is_directory.status())) return;  // somebody was faster
    if (!is_directory.ok() || !*is_directory) {
      Leave(false, status);
    } else if (MayBeDirectory(status)) {
      EnterOrLeave();
    } else {
      LeaveTree(status);
    }
  }

  void EnterOrLeave() {
    absl::StatusOr<std::vector<std::string>> names =
        ops_.GetChildren(PathArgument(path_));
    if (absl::IsNotFound(names.status())) return;
    if (names.ok()) {
      Enter(*std::move(names));
    } else {
      Leave(true, names.status());
    }
  }

  // All entries of `directory` were tried: deletes it and goes back to the one
  // around it.
  void Finish(Directory& directory) {
    if (directory.left) {
      Pop(true);
      return;
    }
    const absl::Status status = ops_.DeleteDir(PathArgument(path_));
    const bool gone = status.ok() || absl::IsNotFound(status);
    // An object store says OK to delete_file for a folder, and may say OK to
    // delete_dir for one that is not empty: what is still listed is entered.
    if (directory.claimed && !directory.again) {
      absl::StatusOr<std::vector<std::string>> names =
          ops_.GetChildren(PathArgument(path_));
      if (names.ok() && !names->empty()) {
        directory.names = *std::move(names);
        directory.next = 0;
        directory.again = true;
        return;
      }
    }
    if (!gone) RememberError(status);
    Pop(!gone);
  }

  void Pop(bool left) {
    directories_.pop_back();
    if (!left) return;
    ++undeleted_.directories;
    if (!directories_.empty()) directories_.back().left = true;
  }

  // The entry at path_ stays.
  void Leave(bool is_directory, const absl::Status& error) {
    RememberError(error);
    ++(is_directory ? undeleted_.directories : undeleted_.files);
    directories_.back().left = true;
  }

  // The directory at path_ stays, and nothing in it is touched.
  void LeaveTree(const absl::Status& error) {
    Leave(true, error);
    std::vector<std::string> paths = {path_};
    for (size_t counted = 0; !paths.empty() && counted < kMostCounted;) {
      const std::string directory = std::move(paths.back());
      paths.pop_back();
      const absl::StatusOr<std::vector<std::string>> names =
          ops_.GetChildren(PathArgument(directory));
      if (!names.ok()) continue;
      for (const std::string& name : *names) {
        ++counted;
        std::string child = directory + "/" + name;
        if (IsDirectory(child)) {
          ++undeleted_.directories;
          paths.push_back(std::move(child));
        } else {
          ++undeleted_.files;
        }
      }
    }
  }

  bool IsDirectory(const std::string& path) const {
    const absl::StatusOr<bool> answer = ops_.IsDirectory(PathArgument(path));
    return answer.ok() && *answer;
  }

  void RememberError(const absl::Status& error) {
    if (first_error_.ok()) first_error_ = error;
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
