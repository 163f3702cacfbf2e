// Mutants that read wrongly from open files.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstring>
#include <stdexcept>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kMebibyte = size_t{1} << 20;

// A right count with another status: the end of the file.
int64_t End(int64_t count, TF_Status* status) {
  TF_SetStatus(status, TF_OUT_OF_RANGE, "reached the end of the file");
  return count;
}

int64_t Fail(TF_Code code, TF_Status* status) {
  TF_SetStatus(status, code, "cannot read the file");
  return -1;
}

bool IsAtEnd(ReadCall call) {
  char byte;
  const OwnStatus status;
  return ReadCall{call.file, call.offset, 1, &byte, status.get()}.Right() == 0;
}

// At most `most` bytes of what was asked for.
int64_t ReadPart(ReadCall call, size_t most) {
  call.n = std::min(call.n, most);
  return call.Right();
}

int64_t DropsLastByte(ReadCall call) {
  const int64_t count = call.Right();
  return count > 0 && IsOk(call.status) ? count - 1 : count;
}

int64_t EndsWithLastByte(ReadCall call) {
  const int64_t count = call.Right();
  ReadCall next = call;
  next.offset += call.n;
  return IsOk(call.status) && call.n > 0 && IsAtEnd(next)
             ? End(count, call.status)
             : count;
}

int64_t EndsAfter64K(ReadCall call) {
  constexpr size_t kMax = 64 * 1024;
  const int64_t count = ReadPart(call, kMax);
  return call.n > kMax ? End(count, call.status) : count;
}

int64_t EndsAtPage(ReadCall call) {
  const size_t to_page = kPage - call.offset % kPage;
  const int64_t count = ReadPart(call, to_page);
  return call.n > to_page ? End(count, call.status) : count;
}

int64_t Takes32Bits(ReadCall call) {
  call.offset = static_cast<uint32_t>(call.offset);
  return call.Right();
}

int64_t Takes31Bits(ReadCall call) {
  if (static_cast<int32_t>(call.offset) < 0) {
    return Fail(TF_INVALID_ARGUMENT, call.status);
  }
  return call.Right();
}

int64_t TerminatesBuffer(ReadCall call) {
  const int64_t count = call.Right();
  if (count >= 0) call.buffer[count] = '\0';
  return count;
}

int64_t NothingIsEnd(ReadCall call) {
  return call.n == 0 ? End(0, call.status) : call.Right();
}

int64_t BeyondEndFails(ReadCall call) {
  ReadCall before = call;
  if (call.offset > 0) before.offset -= 1;
  if (call.offset > 0 && call.n > 0 && IsAtEnd(before)) {
    return Fail(TF_INVALID_ARGUMENT, call.status);
  }
  return call.Right();
}

int64_t HugeOffsetFails(ReadCall call) {
  if (static_cast<int64_t>(call.offset) < 0) {
    return Fail(TF_INVALID_ARGUMENT, call.status);
  }
  return call.Right();
}

int64_t SeeksAndReads(ReadCall call) {
  static std::atomic<uint64_t> position;
  position = call.offset;
  sched_yield();
  call.offset = position;
  return call.Right();
}

int64_t SharesBuffer(ReadCall call) {
  static char shared[kPage];
  size_t done = 0;
  while (done < call.n) {
    ReadCall part = call;
    part.offset += done;
    part.n = std::min(call.n - done, kPage);
    part.buffer = shared;
    const int64_t count = part.Right();
    sched_yield();
    if (count < 0) return count;
    std::memcpy(call.buffer + done, shared, count);
    done += count;
    if (!IsOk(call.status)) return done;
  }
  Succeed(call.status);
  return done;
}

int64_t LeavesStatus(ReadCall call) {
  const OwnStatus status;
  TF_Status* const asked = call.status;
  call.status = status.get();
  const int64_t count = call.Right();
  if (!status.ok()) {
    TF_SetStatus(asked, TF_GetCode(status.get()), TF_Message(status.get()));
  }
  return count;
}

int64_t IsLateBeyondPage(ReadCall call) {
  if (call.offset >= kPage) --call.offset;
  return call.Right();
}

int64_t FillsWithZeros(ReadCall call) {
  const int64_t count = call.Right();
  if (TF_GetCode(call.status) != TF_OUT_OF_RANGE || count == 0) return count;
  std::memset(call.buffer + count, 0, call.n - count);
  Succeed(call.status);
  return call.n;
}

int64_t EndIsMinusOne(ReadCall call) {
  const int64_t count = call.Right();
  return TF_GetCode(call.status) == TF_OUT_OF_RANGE && count == 0 ? -1 : count;
}

int64_t LosesLastOfFile(ReadCall call) {
  const int64_t count = call.Right();
  ReadCall next = call;
  next.offset += std::max<int64_t>(count, 0);
  if (count <= 0 || !IsAtEnd(next)) return count;
  return End(count - 1, call.status);
}

int64_t StopsAtNull(ReadCall call) {
  const int64_t count = call.Right();
  const int64_t length = count > 0 ? strnlen(call.buffer, count) : count;
  return length < count ? End(length, call.status) : count;
}

int64_t ReadsText(ReadCall call) {
  const int64_t count = call.Right();
  if (count > 0) std::replace(call.buffer, call.buffer + count, '\r', '\n');
  return count;
}

int64_t ReadsAscii(ReadCall call) {
  const int64_t count = call.Right();
  for (int64_t i = 0; i < count; ++i) {
    if (static_cast<signed char>(call.buffer[i]) < 0) call.buffer[i] = '?';
  }
  return count;
}

int64_t ReadsMebibyte(ReadCall call) { return ReadPart(call, kMebibyte); }

int64_t ThrowsBeyondEnd(ReadCall call) {
  ReadCall before = call;
  if (call.offset > 0) before.offset -= 1;
  if (call.offset > 0 && IsAtEnd(before)) {
    throw std::out_of_range("basic_string::substr");
  }
  return call.Right();
}

int64_t CrashesOnEmpty(ReadCall call) {
  ReadCall of_start = call;
  of_start.offset = 0;
  static const char* volatile no_data = nullptr;
  if (call.n > 0 && IsAtEnd(of_start)) call.buffer[0] = *no_data;
  return call.Right();
}

int64_t WaitsForMore(ReadCall call) {
  int64_t count = call.Right();
  while (TF_GetCode(call.status) == TF_OUT_OF_RANGE && count == 0) {
    sched_yield();
    count = call.Right();
  }
  return count;
}

// --- Reads that depend on other files ---

// Which file was opened last, and how many were cleaned up. The files are those
// of one test, opened by one thread.
std::atomic<void*> g_last_opened;
std::atomic<uint64_t> g_cleaned_up;

void NotesOpened(OpenReadCall call) {
  if (!OpenAndRemember(call)) return;
  g_last_opened = call.file->plugin_file;
  StateOf(call.file->plugin_file).number = g_cleaned_up;
}

void NotesCleanup(TF_RandomAccessFile* file) {
  ++g_cleaned_up;
  if (g_last_opened == file->plugin_file) g_last_opened = nullptr;
  g_right.in.cleanup(file);
}

int64_t ReadsLastOpened(ReadCall call) {
  const TF_RandomAccessFile last = {g_last_opened};
  if (last.plugin_file != nullptr) call.file = &last;
  return call.Right();
}

int64_t DiesWithAnother(ReadCall call) {
  if (StateOf(call.file->plugin_file).number != g_cleaned_up) {
    return Fail(TF_FAILED_PRECONDITION, call.status);
  }
  return call.Right();
}

constexpr auto kNotes = All<Opens<&Fs::new_random_access_file, NotesOpened>,
                            Put<&In::cleanup, NotesCleanup>>;

}  // namespace

Changes ReadingChanges() {
  return {
      {"posix.read-drops-last-byte", Reads<DropsLastByte>},
      {"posix.read-ok-at-end",
       After<&In::read, Recode<TF_OUT_OF_RANGE, TF_OK>>},
      {"posix.read-of-exact-rest-is-end", Reads<EndsWithLastByte>},
      {"posix.read-ends-after-64k", Reads<EndsAfter64K>},
      {"posix.read-ends-at-page", Reads<EndsAtPage>},
      {"posix.read-offset-32-bits", Reads<Takes32Bits>},
      {"posix.read-offset-int", Reads<Takes31Bits>},
      {"posix.read-terminates-buffer", Reads<TerminatesBuffer>},
      {"posix.read-of-nothing-is-end", Reads<NothingIsEnd>},
      {"posix.read-beyond-end-fails", Reads<BeyondEndFails>},
      {"posix.read-huge-offset-fails", Reads<HugeOffsetFails>},
      {"posix.read-seeks-first", Reads<SeeksAndReads>},
      {"posix.read-shares-buffer", Reads<SharesBuffer>},
      {"posix.read-leaves-status", Reads<LeavesStatus>},
      {"memory.read-late-beyond-page", Reads<IsLateBeyondPage>},
      {"memory.read-fills-with-zeros", Reads<FillsWithZeros>},
      {"memory.read-end-is-minus-one", Reads<EndIsMinusOne>},
      {"memory.read-end-is-internal",
       After<&In::read, Recode<TF_OUT_OF_RANGE, TF_INTERNAL>>},
      {"memory.read-loses-last-of-file", Reads<LosesLastOfFile>},
      {"memory.read-stops-at-null", Reads<StopsAtNull>},
      {"memory.read-as-text", Reads<ReadsText>},
      {"memory.read-as-ascii", Reads<ReadsAscii>},
      {"memory.read-mebibyte-at-most", Reads<ReadsMebibyte>},
      {"memory.read-beyond-end-throws", Reads<ThrowsBeyondEnd>},
      {"memory.read-of-empty-file-crashes", Reads<CrashesOnEmpty>},
      {"memory.read-at-end-hangs", Reads<WaitsForMore>},
      {"memory.read-last-opened", All<kNotes, Reads<ReadsLastOpened>>},
      {"posix.file-dies-with-another", All<kNotes, Reads<DiesWithAnother>>},
  };
}

}  // namespace mutants
