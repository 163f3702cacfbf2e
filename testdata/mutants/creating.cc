// Mutants that create directories wrongly.
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

void MakesParents(PathCall call) {
  CreateParents(call.fs, call.path);
  call.Right();
}

void FileWillDo(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kFile) return Succeed(call.status);
  call.Right();
}

// create_dir in place of recursively_create_dir.
void MakesLastOnly(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kDirectory) {
    return Succeed(call.status);
  }
  g_right.fs.create_dir(call.fs, call.path, call.status);
}

void MakesAllButLast(PathCall call) {
  const std::string parent = ParentOf(call.path);
  call.path = parent.c_str();
  call.Right();
}

void ExistingIsError(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kDirectory) {
    return TF_SetStatus(call.status, TF_ALREADY_EXISTS, "exists already");
  }
  call.Right();
}

void ReplacesFile(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kFile) DeleteFile(call.fs, call.path);
  call.Right();
}

// As in an object store, a directory is there once something is in it.
void DoesNothing(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kMissing &&
      KindOf(call.fs, ParentOf(call.path)) == Kind::kDirectory) {
    return Succeed(call.status);
  }
  call.Right();
}

void LowersNames(PathCall call) {
  std::string path = call.path;
  for (size_t i = path.rfind('/') + 1; i < path.size(); ++i) {
    if (path[i] >= 'A' && path[i] <= 'Z') path[i] += 'a' - 'A';
  }
  call.path = path.c_str();
  call.Right();
}

void Unimplemented(PathCall call) {
  TF_SetStatus(call.status, TF_UNIMPLEMENTED, "not supported");
}

}  // namespace

Changes CreatingChanges() {
  return {
      {"posix.create-dir-existing-is-ok",
       After<&Fs::create_dir, Recode<TF_ALREADY_EXISTS, TF_OK>>},
      {"posix.create-dir-existing-is-precondition",
       After<&Fs::create_dir,
             Recode<TF_ALREADY_EXISTS, TF_FAILED_PRECONDITION>>},
      {"posix.create-dir-creates-parents",
       OnPath<&Fs::create_dir, MakesParents>},
      {"posix.create-dir-without-parent-is-ok",
       After<&Fs::create_dir, Recode<TF_NOT_FOUND, TF_OK>>},
      {"memory.create-dir-at-file-is-ok", OnPath<&Fs::create_dir, FileWillDo>},
      {"memory.create-dir-without-parent-is-precondition",
       After<&Fs::create_dir, Recode<TF_NOT_FOUND, TF_FAILED_PRECONDITION>>},
      {"memory.create-dir-creates-nothing",
       OnPath<&Fs::create_dir, DoesNothing>},
      {"memory.create-dir-lowers-names", OnPath<&Fs::create_dir, LowersNames>},
      {"posix.create-dirs-makes-last-only",
       OnPath<&Fs::recursively_create_dir, MakesLastOnly>},
      {"posix.create-dirs-existing-is-error",
       OnPath<&Fs::recursively_create_dir, ExistingIsError>},
      {"posix.create-dirs-is-unimplemented",
       OnPath<&Fs::recursively_create_dir, Unimplemented>},
      {"memory.create-dirs-leaves-out-last",
       OnPath<&Fs::recursively_create_dir, MakesAllButLast>},
      {"memory.create-dirs-at-file-is-ok",
       OnPath<&Fs::recursively_create_dir, FileWillDo>},
      {"memory.create-dirs-replaces-file",
       OnPath<&Fs::recursively_create_dir, ReplacesFile>},
  };
}

}  // namespace mutants
