#include "fsload/transaction.h"

#include <string>
#include <utility>

#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/calls/plugin_strings.h"
#include "core/calls/uri_call.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"
#include "third_party/fmt/format.h"

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

// The token that `op` returns for `uri`.
template <Op op>
absl::StatusOr<TransactionToken> TokenFor(const PluginOps& ops,
                                          std::string_view uri) {
  TransactionToken token = nullptr;
  const absl::Status status = CallOnOwnUri<op>(ops, uri, &token);
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
    return FailedPreconditionError(
        "end_transaction: the transaction was moved to another object; end it "
        "there");
  }
  return file_system_->EndTransaction(std::exchange(token_, nullptr));
}

absl::StatusOr<Transaction> FileSystem::StartTransaction() const {
  constexpr Op kOp = Op::kFilesystem_start_transaction;
  TransactionToken token = nullptr;
  const absl::Status status =
      CallOp<kOp>(tables(), Root(), [&](auto start, TF_Status* to_set) {
        start(&ops().filesystem(), &token, to_set);
      });
  if (!status.ok()) return status;
  if (token == nullptr) return NullToken(kOp, Root());
  return Transaction(FileSystemPtr(this), token);
}

absl::Status FileSystem::EndTransaction(TransactionToken token) const {
  constexpr Op kOp = Op::kFilesystem_end_transaction;
  if (token == nullptr && ops().Has(kOp)) return Ended(kOp, Root());
  return CallOp<kOp>(tables(), Root(), [&](auto end, TF_Status* status) {
    end(&ops().filesystem(), token, status);
  });
}

absl::Status FileSystem::AddToTransaction(std::string_view uri,
                                          TransactionToken token) const {
  constexpr Op kOp = Op::kFilesystem_add_to_transaction;
  return WithPath(ops(), kOp, uri, [&](const PathArgument& path) {
    return token == nullptr ? Ended(kOp, uri) : ops().Call<kOp>(path, token);
  });
}

absl::StatusOr<TransactionToken> FileSystem::GetTransactionForPath(
    std::string_view uri) const {
  return TokenFor<Op::kFilesystem_get_transaction_for_path>(ops(), uri);
}

absl::StatusOr<TransactionToken> FileSystem::GetTokenOrStartTransaction(
    std::string_view uri) const {
  return TokenFor<Op::kFilesystem_get_or_start_transaction_for_path>(ops(),
                                                                     uri);
}

absl::StatusOr<std::string> FileSystem::DecodeTransaction(
    TransactionToken token) const {
  constexpr Op kOp = Op::kFilesystem_decode_transaction_token;
  if (token == nullptr) return Ended(kOp, Root());
  if (!ops().Has(kOp)) {  // L843: token and owner.
    return Format("token {} of {}", static_cast<void*>(token->token),
                  static_cast<void*>(token->owner));
  }
  PluginText decoded(tables());
  const absl::Status status =
      CallOp<kOp>(tables(), Root(), [&](auto decode, TF_Status*) {
        decoded.text = decode(&ops().filesystem(), token);
      });
  if (!status.ok()) return status;
  if (decoded.text == nullptr) {  // L837: must not be null.
    return Unusable(kOp, Root(), "a text", "null");
  }
  return std::string(decoded.text);
}

}  // namespace fsload
