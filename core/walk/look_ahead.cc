#include "core/walk/look_ahead.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "core/threads/processors.h"
#include "core/threads/wait_count.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr size_t kMaxJobs = 256;

// Entries before the next contents: enough for the threads, few enough to keep
// the contents of each in memory.
constexpr size_t kWindow = 64;

// Of directories that the walk has not come to.
constexpr size_t kMaxNamesAhead = 100'000;

// Asking the kernel whether a call has waited takes half as long as a call.
constexpr size_t kCallsPerQuestion = 8;

}  // namespace

class LookAhead::RunningLookup {
 public:
  // Unlocks the mutex, which the destructor locks again.
  RunningLookup(LookAhead& ahead,
                Slots::iterator slot) ABSL_NO_THREAD_SAFETY_ANALYSIS
      : ahead_(ahead),
        slot_(slot) {
    slot_->state = State::kTaken;
    --ahead_.new_;
    ahead_.mutex_.Unlock();
  }

  ~RunningLookup() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    ahead_.mutex_.Lock();
    if (!stopped.ok()) ahead_.error_ = stopped;
    if (waited) ahead_.waits_ = true;
    try {
      ahead_.Finish(slot_, std::move(contents));
    } catch (const std::bad_alloc&) {
      ahead_.RunOutOfMemory();
    }
  }
  RunningLookup(const RunningLookup&) = delete;
  RunningLookup& operator=(const RunningLookup&) = delete;

  Contents contents;
  absl::Status stopped;
  bool waited = false;

 private:
  LookAhead& ahead_;
  const Slots::iterator slot_;
};

LookAhead::LookAhead(const FileSystem& file_system, WalkOptions options)
    : file_system_(file_system),
      options_(std::move(options)),
      time_for_threads_(std::chrono::steady_clock::now() + kThreadStartDelay) {}

LookAhead::~LookAhead() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  has_work_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

absl::Status LookAhead::Begin(const std::string& uri) {
  absl::Status may_go_on = MayGoOn(file_system_, options_);
  if (!may_go_on.ok()) return may_go_on;
  absl::StatusOr<Contents> start = ListStart(file_system_, uri);
  if (!start.ok()) return start.status();
  const MutexLock lock(mutex_);
  AddContents(slots_.end(), "", *std::move(start));
  return absl::OkStatus();
}

absl::StatusOr<std::optional<WalkEntry>> LookAhead::Next() {
  const MutexLock lock(mutex_);
  for (;;) {
    if (no_memory_) throw std::bad_alloc();
    if (!error_.ok()) return error_;
    Fill();
    if (!done_.empty()) return TakeOut(done_, done_.begin());
    if (slots_.empty()) return std::nullopt;
    if (slots_.front().state == State::kDone) {
      return TakeOut(slots_, slots_.begin());
    }
    StartThreads();
    const auto slot = FirstNew();
    if (slot != slots_.end()) {
      ExamineOne(slot);
    } else {
      has_done_.Wait(mutex_);
    }
  }
}

void LookAhead::AddContents(Slots::iterator before, const std::string& path,
                            Contents contents) {
  if (contents.names.empty()) return;
  const auto slot = slots_.emplace(before);
  slot->directory = std::move(contents.directory);
  slot->path = path;
  slot->names = std::move(contents.names);
  names_ += slot->names.size();
}

// Makes entries from the contents that come first.
void LookAhead::Fill() {
  const bool is_short = new_ < kWindow / 2;
  if (!is_short && slots_.front().state != State::kContents) return;
  size_t before = done_.size();
  for (auto slot = slots_.begin(); slot != slots_.end() && before < kWindow;) {
    if (slot->state != State::kContents) {
      ++before;
      ++slot;
      continue;
    }
    for (; before < kWindow && slot->next < slot->names.size(); ++before) {
      const std::string name = std::move(slot->names[slot->next++]);
      const auto entry = slots_.emplace(slot);
      entry->state = State::kNew;
      entry->directory = slot->directory;
      entry->path = slot->path;
      entry->entry.path = slot->path + name;
      entry->entry.uri = JoinPath(slot->directory->uri, name);
      --names_;
      ++new_;
    }
    if (slot->next < slot->names.size()) break;
    slot = slots_.erase(slot);
  }
  has_work_.NotifyAll();
}

WalkEntry LookAhead::TakeOut(Slots& slots, Slots::iterator slot) {
  WalkEntry entry = std::move(slot->entry);
  slots.erase(slot);
  return entry;
}

// The first entry that nobody has taken and that may be examined; else the end.
LookAhead::Slots::iterator LookAhead::FirstNew() {
  if (new_ == 0) return slots_.end();
  const auto slot =
      std::find_if(slots_.begin(), slots_.end(),
                   [](const Slot& each) { return each.state == State::kNew; });
  const bool is_first = slot == slots_.begin();
  return is_first || MayLookAhead() ? slot : slots_.end();
}

// Whether there is room for the names of one more directory.
bool LookAhead::MayLookAhead() {
  if (names_ <= kMaxNamesAhead) return true;
  // Those of the current directory are needed in any case.
  const auto current = std::find_if(
      slots_.begin(), slots_.end(),
      [](const Slot& each) { return each.state == State::kContents; });
  const size_t current_names =
      current == slots_.end() ? 0 : current->names.size() - current->next;
  return names_ - current_names <= kMaxNamesAhead;
}

void LookAhead::ExamineOne(Slots::iterator slot)
    ABSL_NO_THREAD_SAFETY_ANALYSIS {
  const bool asks = !waits_ && examined_++ % kCallsPerQuestion == 0;
  RunningLookup running(*this, slot);
  slot->entry.status = InternalError(
      "{}: the plugin ended the thread that called it", slot->entry.uri);
  std::optional<WaitCount> waits;
  if (asks) waits.emplace();
  WalkEntry entry = slot->entry;
  running.stopped =
      Examine(file_system_, options_, slot->directory,
              entry.path.substr(slot->path.size()), entry, running.contents);
  slot->entry = std::move(entry);
  running.waited = asks && waits->Get() > 0;
}

void LookAhead::Finish(Slots::iterator slot, Contents contents) {
  slot->state = State::kDone;
  if (contents.directory != nullptr) {
    AddContents(std::next(slot), slot->entry.path + "/", std::move(contents));
  }
  if (!options_.sorted) done_.splice(done_.end(), slots_, slot);
  has_done_.NotifyOne();
}

// As many as are of use: calls that only compute gain nothing from more threads
// than processors.
void LookAhead::StartThreads() {
  const bool is_immediate =
      options_.detail == WalkDetail::kNames && !options_.recursive;
  const size_t most = waits_ ? kMaxJobs : Processors();
  const size_t useful = is_immediate ? 1 : std::min(options_.jobs, most);
  if (threads_.size() + 1 >= useful || new_ < 2 ||
      std::chrono::steady_clock::now() < time_for_threads_) {
    return;
  }
  try {
    while (threads_.size() + 1 < useful) {
      threads_.emplace_back([this] { Help(); });
    }
  } catch (const std::system_error&) {
    // The existing threads do the work.
  }
}

void LookAhead::Help() {
  const MutexLock lock(mutex_);
  try {
    while (!stop_ && !no_memory_ && error_.ok()) {
      const auto slot = FirstNew();
      if (slot != slots_.end()) {
        ExamineOne(slot);
      } else {
        has_work_.Wait(mutex_);
      }
    }
  } catch (const std::bad_alloc&) {
    RunOutOfMemory();
  }
}

void LookAhead::RunOutOfMemory() {
  no_memory_ = true;
  has_done_.NotifyOne();
}

}  // namespace fsload
