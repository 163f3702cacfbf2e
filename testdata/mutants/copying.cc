// Mutants that copy wrongly.
#include <unistd.h>

#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

// Whether a file is copied to another path that is no directory; its contents,
// and those of the file that it replaces.
struct Copied {
  bool ok;
  std::string src;
  std::string dst;
};

Copied Before(MoveCall call) {
  return {KindOf(call.fs, call.src) == Kind::kFile &&
              KindOf(call.fs, call.dst) != Kind::kDirectory &&
              std::string(call.src) != call.dst,
          ReadFile(call.fs, call.src), ReadFile(call.fs, call.dst)};
}

// Copies rightly, and writes other contents where that is OK.
void CopyAs(MoveCall call, const std::string& bytes) {
  call.Right();
  if (IsOk(call.status)) WriteFile(call.fs, call.dst, bytes);
}

void Appends(MoveCall call) {
  const Copied before = Before(call);
  if (!before.ok || before.dst.empty()) return call.Right();
  CopyAs(call, before.dst + before.src);
}

void ForgetsLastBlock(MoveCall call) {
  const Copied before = Before(call);
  const size_t rest = before.src.size() % 4096;
  if (!before.ok || rest == 0) return call.Right();
  CopyAs(call, before.src.substr(0, before.src.size() - rest));
}

void KeepsTail(MoveCall call) {
  const Copied before = Before(call);
  if (!before.ok || before.dst.size() <= before.src.size()) {
    return call.Right();
  }
  CopyAs(call, before.src + before.dst.substr(before.src.size()));
}

void OntoItselfEmpties(MoveCall call) {
  call.Right();
  if (IsOk(call.status) && std::string(call.src) == call.dst) {
    WriteFile(call.fs, call.src, "");
  }
}

void Links(MoveCall call) {
  if (!Before(call).ok) return call.Right();
  DeleteFile(call.fs, call.dst);
  if (link(call.src, call.dst) == 0) return Succeed(call.status);
  call.Right();
}

void MakesNoEmptyFile(MoveCall call) {
  const Copied before = Before(call);
  if (before.ok && before.src.empty()) return Succeed(call.status);
  call.Right();
}

void CutsAtMebibyte(MoveCall call) {
  constexpr size_t kMax = size_t{1} << 20;
  const Copied before = Before(call);
  if (!before.ok || before.src.size() <= kMax) return call.Right();
  CopyAs(call, before.src.substr(0, kMax));
}

void MovesInstead(MoveCall call) {
  const bool ok = Before(call).ok;
  call.Right();
  if (ok && IsOk(call.status)) DeleteFile(call.fs, call.src);
}

void EmptiesTargetFirst(MoveCall call) {
  if (KindOf(call.fs, call.src) == Kind::kMissing &&
      KindOf(call.fs, call.dst) != Kind::kDirectory) {
    WriteFile(call.fs, call.dst, "");
  }
  call.Right();
}

void DoesNotReplace(MoveCall call) {
  if (Before(call).ok && KindOf(call.fs, call.dst) == Kind::kFile) {
    return Succeed(call.status);
  }
  call.Right();
}

void Unimplemented(MoveCall call) {
  TF_SetStatus(call.status, TF_UNIMPLEMENTED, "not supported");
}

}  // namespace

Changes CopyChanges() {
  return {
      {"posix.copy-appends", Moves<&Fs::copy_file, Appends>},
      {"posix.copy-forgets-last-block",
       Moves<&Fs::copy_file, ForgetsLastBlock>},
      {"posix.copy-keeps-old-tail", Moves<&Fs::copy_file, KeepsTail>},
      {"posix.copy-onto-itself-empties",
       Moves<&Fs::copy_file, OntoItselfEmpties>},
      {"posix.copy-is-link", Moves<&Fs::copy_file, Links>},
      {"posix.copy-is-unimplemented", Moves<&Fs::copy_file, Unimplemented>},
      {"memory.copy-makes-no-empty-file",
       Moves<&Fs::copy_file, MakesNoEmptyFile>},
      {"memory.copy-cut-at-mebibyte", Moves<&Fs::copy_file, CutsAtMebibyte>},
      {"memory.copy-deletes-source", Moves<&Fs::copy_file, MovesInstead>},
      {"memory.copy-of-missing-empties-target",
       Moves<&Fs::copy_file, EmptiesTargetFirst>},
      {"memory.copy-does-not-replace", Moves<&Fs::copy_file, DoesNotReplace>},
      {"memory.copy-missing-is-internal",
       After<&Fs::copy_file, Recode<TF_NOT_FOUND, TF_INTERNAL>>},
  };
}

}  // namespace mutants
