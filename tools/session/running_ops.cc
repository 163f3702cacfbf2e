#include "tools/session/running_ops.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <utility>

#include "core/tables/operations.h"

namespace fsload {
namespace {

// 256 jobs of a copy from a store, each with its reads ahead, need 2,048.
constexpr size_t kMaxCalls = 4096;
constexpr size_t kMaxUriBytes = 1024;
constexpr size_t kMaxOpBytes = 32;

// On a clock that both processes share and nobody sets.
int64_t Nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return absl::ToInt64Nanoseconds(absl::DurationFromTimespec(now));
}

// The slots of this thread's calls, the innermost last: one file system may
// call another.
thread_local std::array<size_t, 8> slots_of_thread;
thread_local size_t depth = 0;

}  // namespace

struct RunningOps::SharedBlock {
  struct Slot {
    // The default order; release and acquire are needed for `since`, whose
    // reader then finds the rest.
    std::atomic<pid_t> thread;   // 0: free
    std::atomic<int64_t> since;  // 0: the rest is not written yet
    size_t op_bytes;
    char op[kMaxOpBytes];
    size_t uri_bytes;
    char uri[kMaxUriBytes];
  };
  // How many slots were ever used; the pages of the others are untouched. The
  // default order.
  std::atomic<size_t> used;
  std::array<Slot, kMaxCalls> slots;
};

std::unique_ptr<RunningOps> RunningOps::Create() {
  void* const pages = mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  return std::unique_ptr<RunningOps>(
      new RunningOps(static_cast<SharedBlock*>(pages)));
}

RunningOps* RunningOps::of_local_calls_ = nullptr;

RunningOps::~RunningOps() {
  if (of_local_calls_ == this) of_local_calls_ = nullptr;
  munmap(block_, sizeof(SharedBlock));
}

void RunningOps::TrackLocalCalls() { of_local_calls_ = this; }

LocalCall::LocalCall(std::string_view call, std::string_view uri) {
  RunningOps* const ops = RunningOps::of_local_calls_;
  if (ops != nullptr) ops->Begin(call, uri);
}

LocalCall::~LocalCall() {
  RunningOps* const ops = RunningOps::of_local_calls_;
  if (ops != nullptr) ops->End();
}

void RunningOps::OnStart(const OpStart& start) {
  Begin(Describe(start.op).name, start.uri);
}

void RunningOps::OnCall(const OpCall& /*call*/) { End(); }

void RunningOps::Begin(std::string_view op, std::string_view uri) {
  if (depth++ >= slots_of_thread.size()) return;
  size_t& mine = slots_of_thread[depth - 1];
  for (mine = 0; mine < kMaxCalls; ++mine) {
    SharedBlock::Slot& slot = block_->slots[mine];
    pid_t none = 0;
    if (slot.thread != none ||
        !slot.thread.compare_exchange_strong(none, gettid())) {
      continue;
    }
    slot.op_bytes = std::min(op.size(), kMaxOpBytes);
    std::memcpy(slot.op, op.data(), slot.op_bytes);
    slot.uri_bytes = std::min(uri.size(), kMaxUriBytes);
    std::memcpy(slot.uri, uri.data(), slot.uri_bytes);
    size_t used = block_->used;
    while (used <= mine &&
           !block_->used.compare_exchange_weak(used, mine + 1)) {
    }
    slot.since = Nanoseconds();
    return;
  }
}

void RunningOps::End() {
  if (depth == 0 || --depth >= slots_of_thread.size()) return;
  const size_t mine = slots_of_thread[depth];
  if (mine == kMaxCalls) return;
  block_->slots[mine].since = 0;
  block_->slots[mine].thread = 0;
}

std::vector<RunningOp> RunningOps::All() const {
  std::vector<RunningOp> running;
  const int64_t now = Nanoseconds();
  const size_t used = std::min<size_t>(block_->used, kMaxCalls);
  for (size_t i = 0; i < used; ++i) {
    const SharedBlock::Slot& slot = block_->slots[i];
    const int64_t since = slot.since;
    if (since == 0) continue;
    int64_t running_for = now - since;
    for (const Stop& stop : stops_) {
      if (stop.end > since) {
        running_for -= std::min(stop.length, stop.end - since);
      }
    }
    RunningOp found = {
        slot.thread, std::string(slot.op, std::min(slot.op_bytes, kMaxOpBytes)),
        std::string(slot.uri, std::min(slot.uri_bytes, kMaxUriBytes)),
        absl::Nanoseconds(running_for)};
    // A slot that was reused meanwhile may have been read torn. (That the
    // copies come before this load is not certain on arm64: then a new call is
    // named with the time of an old one, in one message.)
    if (slot.since == since) running.push_back(std::move(found));
  }
  return running;
}

void RunningOps::LeaveOut(absl::Duration time) {
  stops_.push_back({Nanoseconds(), absl::ToInt64Nanoseconds(time)});
}

}  // namespace fsload
