// Transactions: changes that a file system makes together (L721-L845).
#ifndef FSLOAD_TRANSACTION_H_
#define FSLOAD_TRANSACTION_H_

#include "absl/status/status.h"
#include "fsload/export.h"
#include "fsload/internal/ref_counted.h"

struct TF_TransactionToken;

namespace FSLOAD_API fsload {

class FileSystem;

// Identifies a transaction. Owned by the file system that returned it; valid
// until the transaction ends (L723-L725).
using TransactionToken = TF_TransactionToken*;

// A started transaction, ended by End, or by the destructor, which can only log
// an error. Keeps its file system alive. One thread at a time.
class Transaction final {
 public:
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Ends the transaction; it is over even if this fails (L742-L757).
  // FAILED_PRECONDITION if it was ended before or moved from.
  absl::Status End();

  // Returns the token for FileSystem::AddToTransaction; null after End.
  TransactionToken token() const { return token_; }

 private:
  friend class FileSystem;
  Transaction(RefPtr<const FileSystem> file_system, TransactionToken token);

  RefPtr<const FileSystem> file_system_;
  TransactionToken token_;
};

}  // namespace fsload

#endif  // FSLOAD_TRANSACTION_H_
