// Transactions: changes that a filesystem makes together (L721-L845).
#ifndef FSLOAD_CORE_FILE_SYSTEM_TRANSACTION_H_
#define FSLOAD_CORE_FILE_SYSTEM_TRANSACTION_H_

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "compat/filesystem_interface.h"

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
  Transaction(Transaction&& other) noexcept
      : file_system_(std::move(other.file_system_)),
        token_(std::exchange(other.token_, nullptr)) {}
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
  Transaction(std::shared_ptr<const FileSystem> file_system,
              TransactionToken token)
      : file_system_(std::move(file_system)), token_(token) {}

  std::shared_ptr<const FileSystem> file_system_;
  TransactionToken token_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_FILE_SYSTEM_TRANSACTION_H_
