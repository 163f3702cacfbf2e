#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_strings.h"
#include "core/calls/translated_path.h"
#include "fsload/filesystem_interface.h"
#include "loader/conformance/table_call.h"
#include "loader/conformance/target.h"
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

class TableTransactions final : public TransactionTarget {
 public:
  explicit TableTransactions(const Plugin& plugin) : plugin_(plugin) {}

  absl::StatusOr<TransactionToken> Start() override {
    return Ask(Op::kFilesystem_start_transaction, ops().start_transaction, "");
  }

  absl::Status End(TransactionToken token) override {
    constexpr Op kOp = Op::kFilesystem_end_transaction;
    if (ops().end_transaction == nullptr) return Missing(kOp);
    Call call(plugin_, kOp, "");
    const int answer =
        call.Do(ops().end_transaction, &plugin_.filesystem, token);
    return ResultOf(call, answer);
  }

  absl::Status Add(const std::string& uri, TransactionToken token) override {
    constexpr Op kOp = Op::kFilesystem_add_to_transaction;
    if (ops().add_to_transaction == nullptr) return Missing(kOp);
    const TranslatedPath path = plugin_.Translate(kOp, uri);
    if (!path.status().ok()) return path.status();
    Call call(plugin_, kOp, uri);
    const int answer = call.Do(ops().add_to_transaction, &plugin_.filesystem,
                               path.c_str(), token);
    return ResultOf(call, answer);
  }

  absl::StatusOr<TransactionToken> Find(const std::string& uri) override {
    return AskOfPath(Op::kFilesystem_get_transaction_for_path,
                     ops().get_transaction_for_path, uri);
  }

  absl::StatusOr<TransactionToken> FindOrStart(
      const std::string& uri) override {
    return AskOfPath(Op::kFilesystem_get_or_start_transaction_for_path,
                     ops().get_or_start_transaction_for_path, uri);
  }

  absl::StatusOr<std::string> Decode(TransactionToken token) override {
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

 private:
  const TF_FilesystemOps& ops() const { return plugin_.tables.filesystem; }

  // Calls `function`, with `path` if it takes one, for a token.
  template <typename Function, typename... Path>
  absl::StatusOr<TransactionToken> Ask(Op op, Function function,
                                       const std::string& uri, Path... path) {
    if (function == nullptr) return Missing(op);
    TransactionToken token = nullptr;
    Call call(plugin_, op, uri);
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

  // Does the same with the path of `uri`.
  template <typename Function>
  absl::StatusOr<TransactionToken> AskOfPath(Op op, Function function,
                                             const std::string& uri) {
    if (function == nullptr) return Missing(op);
    const TranslatedPath path = plugin_.Translate(op, uri);
    if (!path.status().ok()) return path.status();
    return Ask(op, function, uri, path.c_str());
  }

  const Plugin& plugin_;
};

}  // namespace

std::unique_ptr<TransactionTarget> MakeTableTransactions(const Plugin& plugin) {
  return std::make_unique<TableTransactions>(plugin);
}

}  // namespace fsload::conformance
