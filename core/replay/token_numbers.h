// Numbers for transactions' tokens.
#pragma once

#include <cstdint>
#include <map>

#include "fsload/internal/mutex.h"

namespace fsload {

// Counts tokens in the order in which they occur: two runs have the same.
// Thread-safe.
class TokenNumbers final {
 public:
  uint64_t Of(const void* token) {
    const MutexLock lock(mutex_);
    const auto [found, is_new] = numbers_.emplace(token, next_);
    if (is_new) ++next_;
    return found->second;
  }

  // Does the same, and forgets the token: once the plugin has freed it, another
  // one may have its address.
  uint64_t Take(const void* token) {
    const MutexLock lock(mutex_);
    const auto known = numbers_.extract(token);
    return known.empty() ? next_++ : known.mapped();
  }

  // Restores the number of a token that is still there.
  void PutBack(const void* token, uint64_t number) {
    const MutexLock lock(mutex_);
    numbers_.emplace(token, number);
  }

 private:
  Mutex mutex_;
  std::map<const void*, uint64_t> numbers_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_ ABSL_GUARDED_BY(mutex_) = 1;
};

}  // namespace fsload
