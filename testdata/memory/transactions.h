// Transactions of the memory plugin: each is a set of paths, and a path is in
// at most one.
#ifndef FSLOAD_TESTDATA_MEMORY_TRANSACTIONS_H_
#define FSLOAD_TESTDATA_MEMORY_TRANSACTIONS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "fsload/filesystem_interface.h"

namespace memory_plugin {

// Any number of concurrent transactions. Tokens are looked up, never
// dereferenced, so an invalid one is NOT_FOUND. Thread-safe.
class Transactions {
 public:
  Transactions() = default;
  ~Transactions();
  Transactions(const Transactions&) = delete;
  Transactions& operator=(const Transactions&) = delete;

  // A new transaction's token, valid until End; null if out of memory.
  TF_TransactionToken* Start(TF_Filesystem* owner);

  // Ends the transaction: frees its token and releases its paths.
  TF_Code End(TF_TransactionToken* token);

  // FAILED_PRECONDITION for a path that is in another transaction.
  TF_Code Add(const std::string& path, TF_TransactionToken* token);

  // The transaction that `path` is in, or null.
  TF_TransactionToken* Find(const std::string& path) const;

  // The same, or a new one with `path` in it; null if out of memory.
  TF_TransactionToken* FindOrStart(const std::string& path,
                                   TF_Filesystem* owner);

  // "transaction 3 with 2 paths", or what is wrong with the token.
  std::string Describe(const TF_TransactionToken* token) const;

 private:
  // Requires `mutex_`.
  TF_TransactionToken* StartLocked(TF_Filesystem* owner);

  mutable std::mutex mutex_;
  std::map<const TF_TransactionToken*, uint64_t>
      numbers_;  // of active transactions
  std::map<std::string, TF_TransactionToken*> paths_;
  uint64_t last_number_ = 0;
};

}  // namespace memory_plugin

#endif  // FSLOAD_TESTDATA_MEMORY_TRANSACTIONS_H_
