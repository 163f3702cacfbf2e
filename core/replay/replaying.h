// What the operations of a replayed file system find in plugin_filesystem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/replay/journal_contents.h"
#include "core/system/of_process.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// The tokens of transactions, by their number in the journal. They stay as long
// as the file system, so that a wrong use of one is an error like any other.
// Thread-safe.
class ReplayedTokens final {
 public:
  TF_TransactionToken* Of(uint64_t number);

  static uint64_t NumberOf(const TF_TransactionToken* token);

 private:
  struct Tokens {
    Mutex mutex;
    std::map<uint64_t, std::unique_ptr<TF_TransactionToken>> all
        ABSL_GUARDED_BY(mutex);
  };
  OfProcess<Tokens> tokens_;
};

// Deleted by the file system's cleanup. Thread-safe.
struct Replaying {
  std::shared_ptr<const JournalContents> journal;
  size_t scheme;  // its index there
  ReplayedTokens tokens;
};

inline Replaying& ReplayingOf(const TF_Filesystem* filesystem) {
  return *static_cast<Replaying*>(filesystem->plugin_filesystem);
}

// A question to the journal: a call that was made again.
class ReplayQuery final {
 public:
  template <typename... Arguments>
  ReplayQuery(const Replaying& replaying, Op op, const Arguments&... arguments)
      : replaying_(replaying) {
    call_.op = op;
    (Add(arguments), ...);
  }

  void Add(std::string text) { call_.arguments.emplace_back(std::move(text)); }
  void Add(uint64_t number) { call_.arguments.emplace_back(number); }

  // Returns the answer, whose status it sets; if it was never recorded null,
  // and UNAVAILABLE. It lives as long as the file system.
  const JournalCall* Answer(TF_Status* status);

  // Does the same for an operation without a status: null, too, if there is no
  // answer, and what an exception of the plugin said as an exception.
  const JournalCall* Answer();

 private:
  const JournalCall* Find();

  const Replaying& replaying_;
  JournalCall call_;
};

// Returns `bytes` bytes for what operations hand out. Throws std::bad_alloc.
void* AllocateReplayed(size_t bytes);

// Returns a copy of `text` in such memory.
char* ReplayedText(const std::string& text);

}  // namespace fsload
