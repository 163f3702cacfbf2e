// Examines the entries of a tree in several threads, ahead of the one that
// takes them.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/walk/examination.h"
#include "fsload/file_system.h"
#include "fsload/internal/mutex.h"
#include "fsload/walk.h"

namespace fsload {

// The tree as a list in the order of the walk, of which only a window is there:
// entries, and in the places of those to come the contents of directories that
// they are made from. One thread at a time.
class LookAhead final {
 public:
  LookAhead(const FileSystem& file_system, WalkOptions options);
  // Waits for the calls in progress.
  ~LookAhead();
  LookAhead(const LookAhead&) = delete;
  LookAhead& operator=(const LookAhead&) = delete;

  // Begins like Walk (fsload/walk.h).
  absl::Status Begin(const std::string& uri);
  absl::StatusOr<std::optional<WalkEntry>> Next();

 private:
  enum class State { kContents, kNew, kTaken, kDone };

  struct Slot {
    State state = State::kContents;
    // Of contents, the directory; of an entry, the one that it is in.
    std::shared_ptr<const WalkedDirectory> directory;
    std::string path;  // the directory's, with a '/' if it is not the start
    std::vector<std::string> names;
    size_t next = 0;  // index in `names` of the next entry

    WalkEntry entry;  // unless these are contents
  };
  using Slots = std::list<Slot>;

  // Ends the work on an entry, also if a plugin ends the thread.
  class RunningLookup;

  void AddContents(Slots::iterator before, const std::string& path,
                   Contents contents) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Fill() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  WalkEntry TakeOut(Slots& slots, Slots::iterator slot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Slots::iterator FirstNew() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool MayLookAhead() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Unlocks the mutex while it asks the plugin.
  void ExamineOne(Slots::iterator slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Finish(Slots::iterator slot, Contents contents)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartThreads() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Help();
  // Makes Next throw std::bad_alloc.
  void RunOutOfMemory() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const FileSystem& file_system_;
  const WalkOptions options_;
  const std::chrono::steady_clock::time_point time_for_threads_;

  Mutex mutex_;
  CondVar has_work_;  // for the other threads
  CondVar has_done_;  // for the caller's
  Slots slots_ ABSL_GUARDED_BY(mutex_);
  // In the order in which they were, if that is wanted.
  Slots done_ ABSL_GUARDED_BY(mutex_);
  size_t new_ ABSL_GUARDED_BY(mutex_) = 0;    // slots that nobody has taken
  size_t names_ ABSL_GUARDED_BY(mutex_) = 0;  // in all contents
  size_t examined_ ABSL_GUARDED_BY(mutex_) = 0;
  bool waits_ ABSL_GUARDED_BY(mutex_) =
      false;  // whether calls wait for something
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);  // that ended the walk
  bool no_memory_ ABSL_GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;  // used by the caller's thread only
};

}  // namespace fsload
