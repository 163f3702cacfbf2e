// The open files and the transactions of a worker, by numbers that its host
// knows.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/mutex.h"
#include "fsload/op.h"

namespace fsload {

// What a plugin opened. All file wrappers consist of one pointer, under several
// names.
struct OpenFile {
  FileSystemPtr file_system;  // which outlives it
  Table table;                // of its operations
  void* plugin_file;

  // Returns the wrapper, as a TF_RandomAccessFile and so on.
  template <typename Wrapper>
  Wrapper* As() {
    static_assert(sizeof(Wrapper) == sizeof(plugin_file));
    return reinterpret_cast<Wrapper*>(&plugin_file);
  }
};

// Numbers for objects, from 1 on; none is used twice. Thread-safe.
template <typename Object>
class Numbered final {
 public:
  uint64_t Add(std::shared_ptr<Object> object) {
    const MutexLock lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return last_;
  }

  // Returns null if there is none of this number.
  std::shared_ptr<Object> Find(uint64_t number) const {
    const MutexLock lock(mutex_);
    const auto found = objects_.find(number);
    return found == objects_.end() ? nullptr : found->second;
  }

  // Does the same, and forgets it.
  std::shared_ptr<Object> Take(uint64_t number) {
    const MutexLock lock(mutex_);
    const auto found = objects_.find(number);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  mutable Mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<Object>> objects_
      ABSL_GUARDED_BY(mutex_);
  uint64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
};

// The plugin's tokens. The same token has the same number until it is
// forgotten. Thread-safe.
class NumberedTokens final {
 public:
  uint64_t NumberOf(TF_TransactionToken* token);

  // Returns null if there is none of this number.
  TF_TransactionToken* Find(uint64_t number) const;

  void Forget(uint64_t number);

  // Gives a token that was forgotten its number again, unless it has another
  // one by now.
  void Remember(uint64_t number, TF_TransactionToken* token);

 private:
  mutable Mutex mutex_;
  std::unordered_map<uint64_t, TF_TransactionToken*> tokens_
      ABSL_GUARDED_BY(mutex_);
  uint64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fsload
