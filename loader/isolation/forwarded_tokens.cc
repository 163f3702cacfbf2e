#include "loader/isolation/forwarded_tokens.h"

#include <utility>

namespace fsload {

TF_TransactionToken* ForwardedTokens::Of(
    const std::shared_ptr<WorkerProcess>& process, uint64_t number,
    TF_Filesystem* owner) {
  Tokens& tokens = tokens_.get();
  const MutexLock lock(tokens.mutex);
  for (auto& [token, known] : tokens.known) {
    if (known.transaction.process == process &&
        known.transaction.number == number) {
      return known.token.get();
    }
  }
  auto token = std::make_unique<TF_TransactionToken>();
  TF_TransactionToken* const made = token.get();
  *made = {made, owner};
  tokens.known[made] = {std::move(token), {process, number}};
  return made;
}

ForwardedTransaction ForwardedTokens::Find(const TF_TransactionToken* token) {
  Tokens& tokens = tokens_.get();
  const MutexLock lock(tokens.mutex);
  const auto found = tokens.known.find(token);
  return found == tokens.known.end() ? ForwardedTransaction()
                                     : found->second.transaction;
}

void ForwardedTokens::Forget(const TF_TransactionToken* token) {
  Tokens& tokens = tokens_.get();
  Known forgotten;  // destroyed without the mutex
  const MutexLock lock(tokens.mutex);
  const auto found = tokens.known.find(token);
  if (found == tokens.known.end()) return;
  forgotten = std::move(found->second);
  tokens.known.erase(found);
}

}  // namespace fsload
