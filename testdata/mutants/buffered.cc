// Mutants that keep appended bytes in a buffer, and lose or misplace them.
#include <string>
#include <utility>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

FileState& Self(const TF_WritableFile* file) {
  return StateOf(file->plugin_file);
}

// --- A right writer with a buffer ---

void Buffers(AppendCall call) {
  Self(call.file).bytes.append(call.buffer, call.n);
  Succeed(call.status);
}

int64_t TellsBuffered(const TF_WritableFile* file, TF_Status* status) {
  const int64_t written = g_right.out.tell(file, status);
  return IsOk(status) ? written + Self(file).bytes.size() : written;
}

void WritesBuffer(const TF_WritableFile* file, TF_Status* status) {
  const std::string bytes = std::move(Self(file).bytes);
  Self(file).bytes.clear();
  g_right.out.append(file, bytes.data(), bytes.size(), status);
}

void ClosesBuffered(const TF_WritableFile* file, TF_Status* status) {
  WritesBuffer(file, status);
  const OwnStatus closed;
  g_right.out.close(file, IsOk(status) ? status : closed.get());
}

constexpr auto kBuffered =
    All<kRememberWrites, Appends<Buffers>, Put<&Out::tell, TellsBuffered>,
        Put<&Out::flush, WritesBuffer>, Put<&Out::sync, WritesBuffer>,
        Put<&Out::close, ClosesBuffered>>;

// --- Mistakes ---

void DoesNothing(const TF_WritableFile*, TF_Status* status) { Succeed(status); }

void DropsBuffer(const TF_WritableFile* file, TF_Status* status) {
  Self(file).bytes.clear();
  Succeed(status);
}

void WritesAndKeepsBuffer(const TF_WritableFile* file, TF_Status* status) {
  const std::string& bytes = Self(file).bytes;
  g_right.out.append(file, bytes.data(), bytes.size(), status);
}

// Whole blocks are written at once; close forgets the rest.
void WritesBlocks(AppendCall call) {
  constexpr size_t kBlock = 4096;
  std::string& bytes = Self(call.file).bytes;
  bytes.append(call.buffer, call.n);
  const std::string whole = bytes.substr(0, bytes.size() / kBlock * kBlock);
  bytes.erase(0, whole.size());
  call.buffer = whole.data();
  call.n = whole.size();
  call.Right();
}

void ClosesOnly(const TF_WritableFile* file, TF_Status* status) {
  g_right.out.close(file, status);
}

int64_t TellsWritten(const TF_WritableFile* file, TF_Status* status) {
  return g_right.out.tell(file, status);
}

// Each append writes the one before.
void WritesBefore(AppendCall call) {
  const std::string before = std::move(Self(call.file).bytes);
  Self(call.file).bytes.assign(call.buffer, call.n);
  call.buffer = before.data();
  call.n = before.size();
  call.Right();
}

void LosesErrors(const TF_WritableFile* file, TF_Status* status) {
  ClosesBuffered(file, status);
  Succeed(status);
}

// One buffer for all files; whoever writes it gets all of it.
std::string g_shared;

void BuffersShared(AppendCall call) {
  g_shared.append(call.buffer, call.n);
  Succeed(call.status);
}

void WritesShared(const TF_WritableFile* file, TF_Status* status) {
  const std::string bytes = std::move(g_shared);
  g_shared.clear();
  g_right.out.append(file, bytes.data(), bytes.size(), status);
}

void ClosesShared(const TF_WritableFile* file, TF_Status* status) {
  WritesShared(file, status);
  g_right.out.close(file, status);
}

void Unimplemented(const TF_WritableFile*, TF_Status* status) {
  TF_SetStatus(status, TF_UNIMPLEMENTED, "not supported");
}

}  // namespace

Changes BufferedChanges() {
  return {
      {"posix.flush-drops-buffer",
       All<kBuffered, Put<&Out::flush, DropsBuffer>>},
      {"posix.flush-does-nothing",
       All<kBuffered, Put<&Out::flush, DoesNothing>>},
      {"posix.sync-does-nothing", All<kBuffered, Put<&Out::sync, DoesNothing>>},
      {"posix.close-drops-last-block",
       All<kBuffered, Appends<WritesBlocks>, Put<&Out::close, ClosesOnly>>},
      {"posix.tell-leaves-out-buffer",
       All<kBuffered, Put<&Out::tell, TellsWritten>>},
      {"posix.close-loses-errors",
       All<kBuffered, Put<&Out::close, LosesErrors>>},
      {"memory.flush-keeps-buffer",
       All<kBuffered, Put<&Out::flush, WritesAndKeepsBuffer>>},
      {"memory.close-drops-last-append",
       All<kBuffered, Appends<WritesBefore>, Put<&Out::close, ClosesOnly>>},
      {"memory.sync-drops-buffer",
       All<kBuffered, Put<&Out::sync, DropsBuffer>>},
      {"memory.sync-is-unimplemented", Put<&Out::sync, Unimplemented>},
      {"memory.append-shares-buffer",
       All<kRememberWrites, Appends<BuffersShared>,
           Put<&Out::flush, WritesShared>, Put<&Out::close, ClosesShared>>},
  };
}

}  // namespace mutants
