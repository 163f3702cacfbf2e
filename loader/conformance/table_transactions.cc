#include "loader/conformance/table_transactions.h"

#include <string>

#include "core/calls/plugin_strings.h"
#include "core/paths/uri.h"
#include "fsload/filesystem_interface.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

// What an operation that answers 0 or -1 may answer beside its status.
absl::Status ResultOf(const Call& call, int answer) {
  const int right = call.code() == TF_OK ? 0 : -1;
  if (answer != right) {
    call.Violation(Format("returned {}, not {}, beside {} (L727, L745, L785)",
                          answer, right, right == 0 ? "OK" : "an error"));
  }
  return call.Result();
}

}  // namespace

template <typename Function, typename... Path>
absl::StatusOr<TransactionToken> TableTransactions::Ask(Op op,
                                                        Function function,
                                                        const std::string& uri,
                                                        Path... path) {
  if (function == nullptr) return Missing(op);
  TransactionToken token = nullptr;
  Call call = plugin_.Begin(op, uri);
  const int answer = call.Do(function, &plugin_.filesystem, path..., &token);
  const absl::Status status = ResultOf(call, answer);
  if (!status.ok()) return status;
  if (token == nullptr) {
    call.Violation("returned OK and no token");
    return InternalError("null");
  }
  if (token->owner == nullptr) {
    call.Violation("returned a token without an owner (L83)");
  }
  return token;
}

template <typename Function>
absl::StatusOr<TransactionToken> TableTransactions::AskOfPath(
    Op op, Function function, const std::string& uri) {
  if (function == nullptr) return Missing(op);
  const TranslatedPath path = Translate(op, uri);
  if (!path.status().ok()) return path.status();
  return Ask(op, function, uri, path.c_str());
}

TranslatedPath TableTransactions::Translate(Op op,
                                            const std::string& uri) const {
  return TranslatedPath(plugin_.tables, plugin_.filesystem, op, uri,
                        SchemeBytesOf(uri));
}

absl::StatusOr<TransactionToken> TableTransactions::Start() {
  return Ask(Op::kFilesystem_start_transaction, ops().start_transaction, "");
}

absl::Status TableTransactions::End(TransactionToken token) {
  constexpr Op kOp = Op::kFilesystem_end_transaction;
  if (ops().end_transaction == nullptr) return Missing(kOp);
  Call call = plugin_.Begin(kOp, "");
  const int answer = call.Do(ops().end_transaction, &plugin_.filesystem, token);
  return ResultOf(call, answer);
}

absl::Status TableTransactions::Add(const std::string& uri,
                                    TransactionToken token) {
  constexpr Op kOp = Op::kFilesystem_add_to_transaction;
  if (ops().add_to_transaction == nullptr) return Missing(kOp);
  const TranslatedPath path = Translate(kOp, uri);
  if (!path.status().ok()) return path.status();
  Call call = plugin_.Begin(kOp, uri);
  const int answer = call.Do(ops().add_to_transaction, &plugin_.filesystem,
                             path.c_str(), token);
  return ResultOf(call, answer);
}

absl::StatusOr<TransactionToken> TableTransactions::Find(
    const std::string& uri) {
  return AskOfPath(Op::kFilesystem_get_transaction_for_path,
                   ops().get_transaction_for_path, uri);
}

absl::StatusOr<TransactionToken> TableTransactions::FindOrStart(
    const std::string& uri) {
  return AskOfPath(Op::kFilesystem_get_or_start_transaction_for_path,
                   ops().get_or_start_transaction_for_path, uri);
}

absl::StatusOr<std::string> TableTransactions::Decode(TransactionToken token) {
  constexpr Op kOp = Op::kFilesystem_decode_transaction_token;
  if (ops().decode_transaction_token == nullptr) return Missing(kOp);
  PluginText decoded(plugin_.tables);
  CallStatus thrown(plugin_.tables.status);
  CallPlugin(thrown, [&] {
    decoded.text = ops().decode_transaction_token(&plugin_.filesystem, token);
  });
  if (!thrown.ok()) return thrown.ToError(kOp, "");
  if (decoded.text == nullptr) {
    plugin_.violation("decode_transaction_token returned null (L837)");
    return InternalError("null");
  }
  return std::string(decoded.text);
}

}  // namespace fsload::conformance
