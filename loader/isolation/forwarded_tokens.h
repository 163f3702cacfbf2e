// The transactions of a worker, as its host's callers name them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "core/system/of_process.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/mutex.h"
#include "loader/isolation/worker_process.h"

namespace fsload {

// A transaction of a worker's process, and its number there.
struct ForwardedTransaction {
  std::shared_ptr<WorkerProcess> process;  // null: none that is known
  uint64_t number = 0;
};

// The tokens of transactions here. Thread-safe, also in a forked child, which
// does not know those of its parent.
class ForwardedTokens final {
 public:
  TF_TransactionToken* Of(const std::shared_ptr<WorkerProcess>& process,
                          uint64_t number, TF_Filesystem* owner);

  // Returns the transaction of a token.
  ForwardedTransaction Find(const TF_TransactionToken* token);

  // Frees the token of a transaction that has ended.
  void Forget(const TF_TransactionToken* token);

 private:
  struct Known {
    std::unique_ptr<TF_TransactionToken> token;
    ForwardedTransaction transaction;
  };
  struct Tokens {
    Mutex mutex;
    std::map<const TF_TransactionToken*, Known> known ABSL_GUARDED_BY(mutex);
  };

  OfProcess<Tokens> tokens_;
};

}  // namespace fsload
