#include "testdata/memory/transactions.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>

#include "testdata/memory/filesystem.h"
#include "testdata/plugin_memory.h"

namespace memory_plugin {

using Lock = std::lock_guard<std::mutex>;

Transactions::~Transactions() {
  for (const auto& [token, number] : numbers_) {
    plugin_memory::Free(const_cast<TF_TransactionToken*>(token));
  }
}

TF_TransactionToken* Transactions::StartLocked(TF_Filesystem* owner) {
  auto* token = static_cast<TF_TransactionToken*>(
      plugin_memory::Allocate(sizeof(TF_TransactionToken)));
  if (token == nullptr) return nullptr;
  const uint64_t number = ++last_number_;
  *token = {reinterpret_cast<void*>(number), owner};
  numbers_[token] = number;
  return token;
}

TF_TransactionToken* Transactions::Start(TF_Filesystem* owner) {
  const Lock lock(mutex_);
  return StartLocked(owner);
}

TF_Code Transactions::End(TF_TransactionToken* token) {
  const Lock lock(mutex_);
  if (numbers_.erase(token) == 0) return TF_NOT_FOUND;
  for (auto path = paths_.begin(); path != paths_.end();) {
    path = path->second == token ? paths_.erase(path) : std::next(path);
  }
  plugin_memory::Free(token);
  return TF_OK;
}

TF_Code Transactions::Add(const std::string& path, TF_TransactionToken* token) {
  const Lock lock(mutex_);
  if (numbers_.count(token) == 0) return TF_NOT_FOUND;
  const auto [entry, is_new] = paths_.emplace(path, token);
  return is_new || entry->second == token ? TF_OK : TF_FAILED_PRECONDITION;
}

TF_TransactionToken* Transactions::Find(const std::string& path) const {
  const Lock lock(mutex_);
  const auto found = paths_.find(path);
  return found == paths_.end() ? nullptr : found->second;
}

TF_TransactionToken* Transactions::FindOrStart(const std::string& path,
                                               TF_Filesystem* owner) {
  const Lock lock(mutex_);
  const auto found = paths_.find(path);
  if (found != paths_.end()) return found->second;
  TF_TransactionToken* token = StartLocked(owner);
  if (token != nullptr) paths_[path] = token;
  return token;
}

std::string Transactions::Describe(const TF_TransactionToken* token) const {
  const Lock lock(mutex_);
  const auto found = numbers_.find(token);
  if (found == numbers_.end()) return "no transaction that is under way";
  const auto paths =
      std::count_if(paths_.begin(), paths_.end(),
                    [token](const auto& path) { return path.second == token; });
  return "transaction " + std::to_string(found->second) + " with " +
         std::to_string(paths) + " paths";
}

namespace {

Transactions& Of(const TF_Filesystem* filesystem) {
  return Self(filesystem)->transactions;
}

// The token's owner, which is not const in the interface (L83).
TF_Filesystem* Owner(const TF_Filesystem* filesystem) {
  return const_cast<TF_Filesystem*>(filesystem);
}

// Sets the status; yields 0, or -1 for an error.
int Answer(TF_Code code, const char* message, TF_Status* status) {
  TF_SetStatus(status, code, code == TF_OK ? "" : message);
  return code == TF_OK ? 0 : -1;
}

int Give(TF_TransactionToken* found, TF_Code code_of_null, const char* message,
         TF_TransactionToken** token, TF_Status* status) {
  if (found != nullptr) *token = found;
  return Answer(found != nullptr ? TF_OK : code_of_null, message, status);
}

int StartTransaction(const TF_Filesystem* filesystem,
                     TF_TransactionToken** token, TF_Status* status) {
  return Give(Of(filesystem).Start(Owner(filesystem)), TF_RESOURCE_EXHAUSTED,
              "no memory for a transaction", token, status);
}

int EndTransaction(const TF_Filesystem* filesystem, TF_TransactionToken* token,
                   TF_Status* status) {
  return Answer(Of(filesystem).End(token), "no such transaction", status);
}

int AddToTransaction(const TF_Filesystem* filesystem, const char* path,
                     TF_TransactionToken* token, TF_Status* status) {
  const TF_Code code = Of(filesystem).Add(path, token);
  return Answer(code,
                code == TF_NOT_FOUND ? "no such transaction"
                                     : "the path is in another transaction",
                status);
}

int GetTransactionForPath(const TF_Filesystem* filesystem, const char* path,
                          TF_TransactionToken** token, TF_Status* status) {
  return Give(Of(filesystem).Find(path), TF_NOT_FOUND,
              "the path is in no transaction", token, status);
}

int GetOrStartTransactionForPath(const TF_Filesystem* filesystem,
                                 const char* path, TF_TransactionToken** token,
                                 TF_Status* status) {
  return Give(Of(filesystem).FindOrStart(path, Owner(filesystem)),
              TF_RESOURCE_EXHAUSTED, "no memory for a transaction", token,
              status);
}

char* DecodeTransactionToken(const TF_Filesystem* filesystem,
                             const TF_TransactionToken* token) {
  return plugin_memory::CopyString(Of(filesystem).Describe(token));
}

}  // namespace

void AddTransactionOps(TF_FilesystemOps* ops) {
  ops->start_transaction = StartTransaction;
  ops->end_transaction = EndTransaction;
  ops->add_to_transaction = AddToTransaction;
  ops->get_transaction_for_path = GetTransactionForPath;
  ops->get_or_start_transaction_for_path = GetOrStartTransactionForPath;
  ops->decode_transaction_token = DecodeTransactionToken;
}

}  // namespace memory_plugin
