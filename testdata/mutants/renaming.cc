// Mutants that rename wrongly.
#include <sys/stat.h>

#include <cstdio>
#include <set>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

void LeavesSource(MoveCall call) {
  if (std::string(call.src) == call.dst) return call.Right();
  if (KindOf(call.fs, call.dst) == Kind::kDirectory) return call.Right();
  g_right.fs.copy_file(call.fs, call.src, call.dst, call.status);
}

void DoesNotReplace(MoveCall call) {
  if (KindOf(call.fs, call.dst) == Kind::kFile &&
      std::string(call.src) != call.dst) {
    return TF_SetStatus(call.status, TF_ALREADY_EXISTS, "exists already");
  }
  call.Right();
}

void OntoItselfDeletes(MoveCall call) {
  call.Right();
  if (IsOk(call.status) && std::string(call.src) == call.dst) {
    DeleteFile(call.fs, call.src);
  }
}

void OntoItselfFails(MoveCall call) {
  if (std::string(call.src) == call.dst &&
      KindOf(call.fs, call.src) == Kind::kFile) {
    return TF_SetStatus(call.status, TF_ALREADY_EXISTS, "exists already");
  }
  call.Right();
}

void MovesDirectories(MoveCall call) {
  if (KindOf(call.fs, call.src) != Kind::kDirectory) return call.Right();
  if (rename(call.src, call.dst) == 0) return Succeed(call.status);
  call.Right();
}

void TakesSiblings(MoveCall call) {
  call.Right();
  if (!IsOk(call.status)) return;
  const std::string prefix = NameOf(call.src);
  const std::string parent = ParentOf(call.src);
  for (const std::string& name : ListNames(call.fs, parent)) {
    if (name.size() <= prefix.size() ||
        name.compare(0, prefix.size(), prefix) != 0) {
      continue;
    }
    const std::string src = Join(parent, name);
    const std::string dst = call.dst + name.substr(prefix.size());
    const OwnStatus status;
    call.right(call.fs, src.c_str(), dst.c_str(), status.get());
  }
}

void CreatesParentsToo(MoveCall call) {
  if (KindOf(call.fs, call.src) == Kind::kFile)
    CreateParents(call.fs, call.dst);
  call.Right();
}

// Moves by reading and writing.
void CutsAt64K(MoveCall call) {
  const std::string bytes = ReadFile(call.fs, call.src);
  call.Right();
  if (IsOk(call.status) && bytes.size() > 64 * 1024) {
    WriteFile(call.fs, call.dst, bytes.substr(0, 64 * 1024));
  }
}

void LosesBoth(MoveCall call) {
  const bool replaces = KindOf(call.fs, call.dst) == Kind::kFile &&
                        std::string(call.src) != call.dst;
  call.Right();
  if (IsOk(call.status) && replaces) DeleteFile(call.fs, call.dst);
}

void KeepsOldTarget(MoveCall call) {
  if (KindOf(call.fs, call.src) == Kind::kFile &&
      KindOf(call.fs, call.dst) == Kind::kFile &&
      std::string(call.src) != call.dst) {
    return g_right.fs.delete_file(call.fs, call.src, call.status);
  }
  call.Right();
}

void DeletesTargetFirst(MoveCall call) {
  if (std::string(call.src) != call.dst) DeleteFile(call.fs, call.dst);
  call.Right();
}

void MovesInto(MoveCall call) {
  std::string dst = call.dst;
  if (KindOf(call.fs, dst) == Kind::kDirectory)
    dst = Join(dst, NameOf(call.src));
  call.dst = dst.c_str();
  call.Right();
}

void MakesDirectoryFile(MoveCall call) {
  call.Right();
  if (TF_GetCode(call.status) != TF_FAILED_PRECONDITION) return;
  if (KindOf(call.fs, call.src) != Kind::kDirectory) return;
  Succeed(call.status);
}

// Where files were renamed to.
std::set<std::string> g_renamed;

void NotesTarget(MoveCall call) {
  call.Right();
  if (IsOk(call.status)) g_renamed.insert(call.dst);
}

void AppendsToCopy(OpenWriteCall call) {
  const std::string bytes = ReadFile(call.fs, call.path);
  if (g_renamed.count(call.path) == 0) return call.Right();
  g_right.fs.new_writable_file(call.fs, call.path, call.file, call.status);
}

}  // namespace

Changes RenameChanges() {
  return {
      {"posix.rename-leaves-source", Moves<&Fs::rename_file, LeavesSource>},
      {"posix.rename-does-not-replace",
       Moves<&Fs::rename_file, DoesNotReplace>},
      {"posix.rename-onto-itself-deletes",
       Moves<&Fs::rename_file, OntoItselfDeletes>},
      {"posix.rename-moves-directories",
       Moves<&Fs::rename_file, MovesDirectories>},
      {"posix.rename-takes-siblings", Moves<&Fs::rename_file, TakesSiblings>},
      {"posix.rename-creates-parents",
       Moves<&Fs::rename_file, CreatesParentsToo>},
      {"posix.rename-missing-is-precondition",
       After<&Fs::rename_file, Recode<TF_NOT_FOUND, TF_FAILED_PRECONDITION>>},
      {"memory.rename-cuts-at-64k", Moves<&Fs::rename_file, CutsAt64K>},
      {"memory.rename-loses-both", Moves<&Fs::rename_file, LosesBoth>},
      {"memory.rename-keeps-old-target",
       Moves<&Fs::rename_file, KeepsOldTarget>},
      {"memory.rename-deletes-target-first",
       Moves<&Fs::rename_file, DeletesTargetFirst>},
      {"memory.rename-onto-itself-fails",
       Moves<&Fs::rename_file, OntoItselfFails>},
      {"memory.rename-missing-is-ok",
       After<&Fs::rename_file, Recode<TF_NOT_FOUND, TF_OK>>},
      {"memory.rename-moves-into-directory",
       Moves<&Fs::rename_file, MovesInto>},
      {"memory.rename-of-directory-is-ok",
       Moves<&Fs::rename_file, MakesDirectoryFile>},
      {"memory.renamed-file-restarts",
       All<Moves<&Fs::rename_file, NotesTarget>,
           Opens<&Fs::new_appendable_file, AppendsToCopy>>},
  };
}

}  // namespace mutants
