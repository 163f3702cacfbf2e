#include "loader/worker/open_objects.h"

namespace fsload {

uint64_t NumberedTokens::NumberOf(TF_TransactionToken* token) {
  if (token == nullptr) return 0;
  const MutexLock lock(mutex_);
  for (const auto& [number, known] : tokens_) {
    if (known == token) return number;
  }
  tokens_.emplace(++last_, token);
  return last_;
}

TF_TransactionToken* NumberedTokens::Find(uint64_t number) const {
  const MutexLock lock(mutex_);
  const auto found = tokens_.find(number);
  return found == tokens_.end() ? nullptr : found->second;
}

void NumberedTokens::Forget(uint64_t number) {
  const MutexLock lock(mutex_);
  tokens_.erase(number);
}

void NumberedTokens::Remember(uint64_t number, TF_TransactionToken* token) {
  const MutexLock lock(mutex_);
  for (const auto& [other, known] : tokens_) {
    if (known == token) return;
  }
  tokens_.emplace(number, token);
}

}  // namespace fsload
