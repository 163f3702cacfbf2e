// Mutants that write wrongly, byte by byte as they get it.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

FileState& Self(const TF_WritableFile* file) {
  return StateOf(file->plugin_file);
}

void AppendMore(const TF_WritableFile* file, const std::string& bytes) {
  const OwnStatus status;
  g_right.out.append(file, bytes.data(), bytes.size(), status.get());
}

// --- append ---

void DropsEverySecond(AppendCall call) {
  if (++Self(call.file).number % 2 == 0) return Succeed(call.status);
  call.Right();
}

void Drops64th(AppendCall call) {
  if (++Self(call.file).number % 64 == 0) return Succeed(call.status);
  call.Right();
}

void CutsAtMebibyte(AppendCall call) {
  call.n = std::min(call.n, size_t{1} << 20);
  call.Right();
}

void StopsAtNull(AppendCall call) {
  call.n = strnlen(call.buffer, call.n);
  call.Right();
}

void NothingIsInvalid(AppendCall call) {
  if (call.n > 0) return call.Right();
  TF_SetStatus(call.status, TF_INVALID_ARGUMENT, "nothing to write");
}

void RepeatsFirstChunk(AppendCall call) {
  constexpr size_t kChunk = 64 * 1024;
  for (size_t left = call.n; left > kChunk; left -= kChunk) {
    AppendCall chunk = call;
    chunk.n = kChunk;
    chunk.Right();
    if (!IsOk(call.status)) return;
    call.n -= kChunk;
  }
  call.Right();
}

void DropsLastByte(AppendCall call) {
  if (call.n > 1) --call.n;
  call.Right();
}

void AddsNull(AppendCall call) {
  call.Right();
  if (IsOk(call.status)) AppendMore(call.file, std::string(1, '\0'));
}

void LineByLine(AppendCall call) {
  std::string text(call.buffer, call.n);
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
  call.buffer = text.data();
  call.n = text.size();
  call.Right();
}

void StopsAfterFlush(AppendCall call) {
  if (Self(call.file).flag) return Succeed(call.status);
  call.Right();
}

void MarksFlushed(const TF_WritableFile* file, TF_Status* status) {
  Self(file).flag = true;
  Succeed(status);
}

// --- tell ---

void RemembersStart(OpenWriteCall call) {
  if (!OpenAndRemember(call)) return;
  const OwnStatus status;
  Self(call.file).number = g_right.out.tell(call.file, status.get());
}

int64_t TellsAppended(const TF_WritableFile* file, TF_Status* status) {
  return g_right.out.tell(file, status) - Self(file).number;
}

int64_t TellsStart(const TF_WritableFile* file, TF_Status* status) {
  Succeed(status);
  return Self(file).number;
}

int64_t AdvancesByTelling(const TF_WritableFile* file, TF_Status* status) {
  return g_right.out.tell(file, status) + Self(file).number++;
}

void NotesCount(AppendCall call) {
  Self(call.file).number = call.n;
  call.Right();
}

constexpr auto kRemembersStart =
    All<Opens<&Fs::new_writable_file, RemembersStart>,
        Opens<&Fs::new_appendable_file, RemembersStart>>;

// --- Opening for writing ---

// Opens a new file; its old contents are in the state.
void KeepsOldContents(OpenWriteCall call) {
  const std::string old = ReadFile(call.fs, call.path);
  call.right = g_right.fs.new_writable_file;
  if (OpenAndRemember(call)) Self(call.file).bytes = old;
}

void RestoresTail(const TF_WritableFile* file, TF_Status* status) {
  const OwnStatus own;
  const uint64_t end = g_right.out.tell(file, own.get());
  const std::string& old = Self(file).bytes;
  if (end < old.size()) AppendMore(file, old.substr(end));
  g_right.out.close(file, status);
}

void RestoresUntouched(const TF_WritableFile* file, TF_Status* status) {
  const OwnStatus own;
  if (g_right.out.tell(file, own.get()) == 0) {
    AppendMore(file, Self(file).bytes);
  }
  g_right.out.close(file, status);
}

void AppendsToNew(OpenWriteCall call) {
  call.right = g_right.fs.new_writable_file;
  call.Right();
}

void MissingIsNotFound(OpenWriteCall call) {
  if (KindOf(call.fs, call.path) == Kind::kMissing) {
    return TF_SetStatus(call.status, TF_NOT_FOUND, "no such file");
  }
  call.Right();
}

void DoublesOldContents(OpenWriteCall call) {
  const std::string old = ReadFile(call.fs, call.path);
  call.Right();
  if (IsOk(call.status)) AppendMore(call.file, old);
}

void Keeps64K(OpenWriteCall call) {
  const std::string old = ReadFile(call.fs, call.path);
  constexpr size_t kMax = 64 * 1024;
  if (old.size() <= kMax) return call.Right();
  AppendsToNew(call);
  if (IsOk(call.status)) AppendMore(call.file, old.substr(0, kMax));
}

void CreatesParentsToo(OpenWriteCall call) {
  CreateParents(call.fs, call.path);
  call.Right();
}

void BelowFileIsNotFound(OpenWriteCall call) {
  call.Right();
  if (KindOf(call.fs, call.path) == Kind::kMissing) {
    Recode<TF_FAILED_PRECONDITION, TF_NOT_FOUND>(call.status);
  }
}

void TrimsSpaces(OpenWriteCall call) {
  std::string path = call.path;
  while (path.size() > 1 && path.back() == ' ') path.pop_back();
  call.path = path.c_str();
  call.Right();
}

void CutsNames(OpenWriteCall call) {
  const std::string path =
      Join(ParentOf(call.path), NameOf(call.path).substr(0, 100));
  call.path = path.c_str();
  call.Right();
}

// --- close ---

// A second cleanup ends the process, as a second free does.
void CleansUp(const TF_WritableFile* file, TF_Status* status) {
  g_right.out.close(file, status);
  Self(file).flag = true;
}

void CleansUpAgain(TF_WritableFile* file) {
  if (Self(file).flag) std::abort();
  g_right.out.cleanup(file);
}

}  // namespace

Changes WritingChanges() {
  return {
      {"posix.append-drops-every-second",
       All<kRememberWrites, Appends<DropsEverySecond>>},
      {"posix.append-drops-64th", All<kRememberWrites, Appends<Drops64th>>},
      {"posix.append-cut-at-mebibyte", Appends<CutsAtMebibyte>},
      {"posix.append-stops-at-null", Appends<StopsAtNull>},
      {"posix.append-of-nothing-is-invalid", Appends<NothingIsInvalid>},
      {"posix.append-to-full-disk-is-ok",
       After<&Out::append, Recode<TF_RESOURCE_EXHAUSTED, TF_OK>>},
      {"posix.append-to-full-disk-is-unknown",
       After<&Out::append, Recode<TF_RESOURCE_EXHAUSTED, TF_UNKNOWN>>},
      {"memory.append-repeats-first-chunk", Appends<RepeatsFirstChunk>},
      {"memory.append-drops-last-byte", Appends<DropsLastByte>},
      {"memory.append-adds-null", Appends<AddsNull>},
      {"memory.append-as-text", Appends<LineByLine>},
      {"memory.append-after-flush-dropped",
       All<kRememberWrites, Appends<StopsAfterFlush>,
           Put<&Out::flush, MarksFlushed>>},
      {"posix.tell-counts-from-opening",
       All<kRemembersStart, Put<&Out::tell, TellsAppended>>},
      {"posix.tell-advances",
       All<kRememberWrites, Put<&Out::tell, AdvancesByTelling>>},
      {"memory.tell-stays-at-start",
       All<kRemembersStart, Put<&Out::tell, TellsStart>>},
      {"memory.tell-is-last-append",
       All<kRememberWrites, Appends<NotesCount>, Put<&Out::tell, TellsStart>>},
      {"posix.append-overwrites-after-reopening",
       All<Opens<&Fs::new_writable_file, RememberWrite>,
           Opens<&Fs::new_appendable_file, KeepsOldContents>,
           Put<&Out::close, RestoresTail>>},
      {"posix.append-truncates", Opens<&Fs::new_appendable_file, AppendsToNew>},
      {"posix.append-to-missing-is-not-found",
       Opens<&Fs::new_appendable_file, MissingIsNotFound>},
      {"posix.new-file-keeps-old-tail",
       All<Opens<&Fs::new_appendable_file, RememberWrite>,
           Opens<&Fs::new_writable_file, KeepsOldContents>,
           Put<&Out::close, RestoresTail>>},
      {"memory.new-file-keeps-old-if-empty",
       All<Opens<&Fs::new_appendable_file, RememberWrite>,
           Opens<&Fs::new_writable_file, KeepsOldContents>,
           Put<&Out::close, RestoresUntouched>>},
      {"memory.append-doubles-old-contents",
       Opens<&Fs::new_appendable_file, DoublesOldContents>},
      {"memory.append-keeps-64k", Opens<&Fs::new_appendable_file, Keeps64K>},
      {"posix.new-file-creates-parents",
       Opens<&Fs::new_writable_file, CreatesParentsToo>},
      {"memory.new-file-below-file-is-not-found",
       Opens<&Fs::new_writable_file, BelowFileIsNotFound>},
      {"posix.new-file-trims-spaces",
       Opens<&Fs::new_writable_file, TrimsSpaces>},
      {"memory.new-file-cuts-names", Opens<&Fs::new_writable_file, CutsNames>},
      {"posix.close-cleans-up", All<kRememberWrites, Put<&Out::close, CleansUp>,
                                    Put<&Out::cleanup, CleansUpAgain>>},
  };
}

}  // namespace mutants
