// Mutants that delete wrongly.
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

// --- delete_file ---

// Of a symlink, the target.
void DeletesTarget(PathCall call) {
  char target[PATH_MAX];
  if (realpath(call.path, target) != nullptr) call.path = target;
  call.Right();
}

void DeletesEmptyDirectory(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kDirectory) {
    return g_right.fs.delete_dir(call.fs, call.path, call.status);
  }
  call.Right();
}

void MakesEmpty(PathCall call) {
  if (KindOf(call.fs, call.path) != Kind::kFile) return call.Right();
  WriteFile(call.fs, call.path, "");
  Succeed(call.status);
}

// The contents of deleted files, by path.
std::map<std::string, std::string> g_deleted;

void KeepsContents(PathCall call) {
  const std::string bytes = ReadFile(call.fs, call.path);
  call.Right();
  if (IsOk(call.status)) g_deleted[call.path] = bytes;
}

void RevivesContents(OpenWriteCall call) {
  const auto deleted = g_deleted.find(call.path);
  const bool is_missing = KindOf(call.fs, call.path) == Kind::kMissing;
  call.Right();
  if (!IsOk(call.status) || !is_missing || deleted == g_deleted.end()) return;
  const std::string& bytes = deleted->second;
  g_right.out.append(call.file, bytes.data(), bytes.size(), call.status);
}

// --- delete_dir ---

void DeleteTree(const TF_Filesystem* fs, const char* path, TF_Status* status) {
  uint64_t files;
  uint64_t dirs;
  g_right.fs.delete_recursively(fs, path, &files, &dirs, status);
}

void DeletesContentsToo(PathCall call) {
  if (KindOf(call.fs, call.path) != Kind::kDirectory) return call.Right();
  DeleteTree(call.fs, call.path, call.status);
}

void DeletesFileToo(PathCall call) {
  if (KindOf(call.fs, call.path) != Kind::kFile) return call.Right();
  g_right.fs.delete_file(call.fs, call.path, call.status);
}

bool IsFullDirectory(PathCall call) {
  return !ListNames(call.fs, call.path).empty();
}

void FullIsInternal(PathCall call) {
  if (!IsFullDirectory(call)) return call.Right();
  TF_SetStatus(call.status, TF_INTERNAL, "not empty");
}

void FullExits(PathCall call) {
  if (IsFullDirectory(call)) std::exit(0);
  call.Right();
}

void LeavesEmptyDirectory(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kDirectory &&
      !IsFullDirectory(call)) {
    return Succeed(call.status);
  }
  call.Right();
}

std::set<std::string> g_deleted_directories;

void NotesDirectory(PathCall call) {
  call.Right();
  if (IsOk(call.status)) g_deleted_directories.insert(call.path);
}

void FailsAtDirectory(OpenWriteCall call) {
  if (g_deleted_directories.count(call.path) > 0) {
    return TF_SetStatus(call.status, TF_FAILED_PRECONDITION, "a directory");
  }
  call.Right();
}

// --- delete_recursively ---

struct TreeCall {
  const TF_Filesystem* fs;
  const char* path;
  uint64_t* files;
  uint64_t* dirs;
  TF_Status* status;
  void Right() const {
    g_right.fs.delete_recursively(fs, path, files, dirs, status);
  }
};

template <void (*wrapper)(TreeCall)>
void DeletesTrees(Tables* tables) {
  tables->fs.delete_recursively = [](const TF_Filesystem* fs, const char* path,
                                     uint64_t* files, uint64_t* dirs,
                                     TF_Status* status) {
    wrapper({fs, path, files, dirs, status});
  };
}

void DeleteFollowing(const TF_Filesystem* fs, const std::string& path) {
  for (const std::string& name : ListNames(fs, path)) {
    const std::string child = Join(path, name);
    // A symlink to a directory is a directory, too.
    if (KindOf(fs, child) == Kind::kDirectory) DeleteFollowing(fs, child);
    DeleteFile(fs, child);
  }
  const OwnStatus status;
  g_right.fs.delete_dir(fs, path.c_str(), status.get());
}

void FollowsLinks(TreeCall call) {
  if (KindOf(call.fs, call.path) != Kind::kDirectory) return call.Right();
  DeleteFollowing(call.fs, call.path);
  call.Right();
  // It is gone already.
  Recode<TF_NOT_FOUND, TF_OK>(call.status);
  *call.dirs = 0;
}

void TakesSiblings(TreeCall call) {
  const std::string name = NameOf(call.path);
  const std::string parent = ParentOf(call.path);
  call.Right();
  if (!IsOk(call.status)) return;
  for (const std::string& sibling : ListNames(call.fs, parent)) {
    if (sibling.compare(0, name.size(), name) != 0) continue;
    const OwnStatus status;
    const std::string path = Join(parent, sibling);
    DeleteFile(call.fs, path);
    DeleteTree(call.fs, path.c_str(), status.get());
  }
}

void LeavesHidden(TreeCall call) {
  bool has_hidden = false;
  for (const std::string& name : ListNames(call.fs, call.path)) {
    if (name[0] == '.') has_hidden = true;
  }
  if (!has_hidden) return call.Right();
  for (const std::string& name : ListNames(call.fs, call.path)) {
    if (name[0] == '.') continue;
    const OwnStatus status;
    const std::string child = Join(call.path, name);
    DeleteFile(call.fs, child);
    DeleteTree(call.fs, child.c_str(), status.get());
  }
  *call.files = *call.dirs = 0;
  Succeed(call.status);
}

// Stops where something cannot be deleted, and counts only that.
bool DeleteUpToFailure(const TF_Filesystem* fs, const std::string& path,
                       TF_Status* status) {
  for (const std::string& name : ListNames(fs, path)) {
    const std::string child = Join(path, name);
    g_right.fs.delete_file(fs, child.c_str(), status);
    if (TF_GetCode(status) == TF_FAILED_PRECONDITION) {
      if (!DeleteUpToFailure(fs, child, status)) return false;
    } else if (!IsOk(status)) {
      return false;
    }
  }
  g_right.fs.delete_dir(fs, path.c_str(), status);
  return IsOk(status);
}

void StopsAtFailure(TreeCall call) {
  if (KindOf(call.fs, call.path) != Kind::kDirectory) return call.Right();
  *call.dirs = 0;
  *call.files = DeleteUpToFailure(call.fs, call.path, call.status) ? 0 : 1;
}

void CountsDeleted(TreeCall call) {
  const uint64_t children = ListNames(call.fs, call.path).size();
  call.Right();
  if (IsOk(call.status)) *call.files = children;
}

void MissingCountsNothing(TreeCall call) {
  call.Right();
  if (TF_GetCode(call.status) == TF_NOT_FOUND) *call.dirs = 0;
}

void CountsNothing(TreeCall call) {
  uint64_t files;
  uint64_t dirs;
  call.files = &files;
  call.dirs = &dirs;
  call.Right();
}

void KeepsDirectory(TreeCall call) {
  call.Right();
  if (IsOk(call.status)) {
    g_right.fs.create_dir(call.fs, call.path, call.status);
  }
}

void MissingIsOk(TreeCall call) {
  call.Right();
  if (TF_GetCode(call.status) != TF_NOT_FOUND) return;
  *call.dirs = 0;
  Succeed(call.status);
}

void GoesOneDown(TreeCall call) {
  for (const std::string& name : ListNames(call.fs, call.path)) {
    const std::string child = Join(call.path, name);
    for (const std::string& below : ListNames(call.fs, child)) {
      if (KindOf(call.fs, Join(child, below)) != Kind::kDirectory) continue;
      *call.files = 0;
      *call.dirs = 1;
      return TF_SetStatus(call.status, TF_FAILED_PRECONDITION, "not empty");
    }
  }
  call.Right();
}

}  // namespace

Changes DeletingChanges() {
  return {
      {"posix.delete-file-missing-is-ok",
       After<&Fs::delete_file, Recode<TF_NOT_FOUND, TF_OK>>},
      {"posix.delete-file-follows-links",
       OnPath<&Fs::delete_file, DeletesTarget>},
      {"memory.delete-file-missing-is-internal",
       After<&Fs::delete_file, Recode<TF_NOT_FOUND, TF_INTERNAL>>},
      {"memory.delete-file-deletes-directory",
       OnPath<&Fs::delete_file, DeletesEmptyDirectory>},
      {"memory.delete-file-leaves-empty-file",
       OnPath<&Fs::delete_file, MakesEmpty>},
      {"memory.delete-file-keeps-contents",
       All<OnPath<&Fs::delete_file, KeepsContents>,
           Opens<&Fs::new_appendable_file, RevivesContents>>},
      {"posix.delete-dir-deletes-file",
       OnPath<&Fs::delete_dir, DeletesFileToo>},
      {"posix.delete-dir-full-is-internal",
       OnPath<&Fs::delete_dir, FullIsInternal>},
      {"posix.delete-dir-full-exits", OnPath<&Fs::delete_dir, FullExits>},
      {"memory.delete-dir-deletes-contents",
       OnPath<&Fs::delete_dir, DeletesContentsToo>},
      {"memory.delete-dir-missing-is-ok",
       After<&Fs::delete_dir, Recode<TF_NOT_FOUND, TF_OK>>},
      {"memory.delete-dir-leaves-it",
       OnPath<&Fs::delete_dir, LeavesEmptyDirectory>},
      {"memory.delete-dir-blocks-file",
       All<OnPath<&Fs::delete_dir, NotesDirectory>,
           Opens<&Fs::new_writable_file, FailsAtDirectory>>},
      {"posix.delete-tree-follows-links", DeletesTrees<FollowsLinks>},
      {"posix.delete-tree-leaves-hidden", DeletesTrees<LeavesHidden>},
      {"posix.delete-tree-stops-at-failure", DeletesTrees<StopsAtFailure>},
      {"posix.delete-tree-missing-is-ok", DeletesTrees<MissingIsOk>},
      {"posix.delete-tree-leaves-counts", DeletesTrees<CountsNothing>},
      {"posix.delete-tree-goes-two-deep", DeletesTrees<GoesOneDown>},
      {"memory.delete-tree-takes-siblings", DeletesTrees<TakesSiblings>},
      {"memory.delete-tree-counts-deleted", DeletesTrees<CountsDeleted>},
      {"memory.delete-tree-missing-counts-nothing",
       DeletesTrees<MissingCountsNothing>},
      {"memory.delete-tree-keeps-directory", DeletesTrees<KeepsDirectory>},
  };
}

}  // namespace mutants
