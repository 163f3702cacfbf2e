#include "fsload/transaction.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/calls/plugin_strings.h"
#include "core/calls/uri_call.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

absl::Status NullToken(Op op, std::string_view uri) {
  return Unusable(op, uri, "a token", "null");
}

// FAILED_PRECONDITION for the token of an ended Transaction.
absl::Status Ended(Op op, std::string_view uri) {
  return absl::FailedPreconditionError(
      CallMessage(op, uri, "the transaction has already ended"));
}

// The token that `function`, the pointer for `op`, returns for `uri`.
template <typename Function>
absl::StatusOr<TransactionToken> TokenFor(const PluginOps& ops, Op op,
                                          Function function,
                                          std::string_view uri) {
  TransactionToken token = nullptr;
  const absl::Status status = CallOnOwnUri(ops, op, function, uri, &token);
  if (!status.ok()) return status;
  if (token == nullptr) return NullToken(op, uri);
  return token;
}

}  // namespace

Transaction::Transaction(FileSystemPtr file_system, TransactionToken token)
    : file_system_(std::move(file_system)), token_(token) {}

Transaction::Transaction(Transaction&& other) noexcept
    : file_system_(std::move(other.file_system_)),
      token_(std::exchange(other.token_, nullptr)) {}

Transaction::~Transaction() {
  if (token_ == nullptr) return;
  const absl::Status status = End();
  if (!status.ok()) LogError(status);
}

absl::Status Transaction::End() {
  if (file_system_ == nullptr) {
    return absl::FailedPreconditionError(
        "end_transaction: the transaction was moved to another object; end it "
        "there");
  }
  return file_system_->EndTransaction(std::exchange(token_, nullptr));
}

absl::StatusOr<Transaction> FileSystem::StartTransaction() const {
  constexpr Op kOp = Op::kFilesystem_start_transaction;
  const auto start = tables().filesystem.start_transaction;
  if (start == nullptr) return ops().Offers(kOp, Root());
  CallStatus status(tables().status);
  TransactionToken token = nullptr;
  CallOp(tables(), kOp, Root(), status,
         [&] { start(&ops().filesystem(), &token, status.get()); });
  if (!status.ok()) return status.ToError(kOp, Root());
  if (token == nullptr) return NullToken(kOp, Root());
  return Transaction(FileSystemPtr(this), token);
}

absl::Status FileSystem::EndTransaction(TransactionToken token) const {
  constexpr Op kOp = Op::kFilesystem_end_transaction;
  const auto end = tables().filesystem.end_transaction;
  if (end == nullptr) return ops().Offers(kOp, Root());
  if (token == nullptr) return Ended(kOp, Root());
  CallStatus status(tables().status);
  CallOp(tables(), kOp, Root(), status,
         [&] { end(&ops().filesystem(), token, status.get()); });
  return status.ok() ? absl::OkStatus() : status.ToError(kOp, Root());
}

absl::Status FileSystem::AddToTransaction(std::string_view uri,
                                          TransactionToken token) const {
  constexpr Op kOp = Op::kFilesystem_add_to_transaction;
  return WithPath(ops(), kOp, uri, [&](const PathArgument& path) {
    return token == nullptr
               ? Ended(kOp, uri)
               : ops().Call(kOp, tables().filesystem.add_to_transaction, path,
                            token);
  });
}

absl::StatusOr<TransactionToken> FileSystem::GetTransactionForPath(
    std::string_view uri) const {
  return TokenFor(ops(), Op::kFilesystem_get_transaction_for_path,
                  tables().filesystem.get_transaction_for_path, uri);
}

absl::StatusOr<TransactionToken> FileSystem::GetTokenOrStartTransaction(
    std::string_view uri) const {
  return TokenFor(ops(), Op::kFilesystem_get_or_start_transaction_for_path,
                  tables().filesystem.get_or_start_transaction_for_path, uri);
}

absl::StatusOr<std::string> FileSystem::DecodeTransaction(
    TransactionToken token) const {
  constexpr Op kOp = Op::kFilesystem_decode_transaction_token;
  const auto decode = tables().filesystem.decode_transaction_token;
  if (token == nullptr) return Ended(kOp, Root());
  if (decode == nullptr) {  // L843: token and owner.
    return fmt::format("token {} of {}", static_cast<void*>(token->token),
                       static_cast<void*>(token->owner));
  }
  CallStatus status(tables().status);
  PluginText decoded(tables());
  CallOp(tables(), kOp, Root(), status,
         [&] { decoded.text = decode(&ops().filesystem(), token); });
  if (!status.ok()) return status.ToError(kOp, Root());
  if (decoded.text == nullptr) {  // L837: must not be null.
    return Unusable(kOp, Root(), "a text", "null");
  }
  return std::string(decoded.text);
}

}  // namespace fsload
