// Transactions: changes that a filesystem makes together (L721-L845).
#ifndef FSLOAD_TRANSACTION_H_
#define FSLOAD_TRANSACTION_H_

#include "absl/status/status.h"
#include "fsload/internal/owner_count.h"

struct TF_TransactionToken;

namespace fsload {

class FileSystem;

// Names a transaction of the filesystem that gave it out, which owns it: it is
// valid until that transaction ends (L723-L725).
using TransactionToken = TF_TransactionToken*;

// A transaction that was started and will be ended: by End, or by the
// destructor, where what fails can only be logged. Keeps its file system alive.
// One thread at a time.
class Transaction final {
 public:
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Ends the transaction; also when that fails it is over (L742-L757).
  // FAILED_PRECONDITION when it was ended before, or moved elsewhere.
  absl::Status End();

  // For FileSystem::AddToTransaction; null after End.
  TransactionToken token() const { return token_; }

 private:
  friend class FileSystem;
  Transaction(OwnerPtr<const FileSystem> file_system, TransactionToken token);

  OwnerPtr<const FileSystem> file_system_;
  TransactionToken token_;
};

}  // namespace fsload

#endif  // FSLOAD_TRANSACTION_H_
