// Transactions by a plugin's table.
#ifndef FSLOAD_LOADER_CONFORMANCE_TABLE_TRANSACTIONS_H_
#define FSLOAD_LOADER_CONFORMANCE_TABLE_TRANSACTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/translated_path.h"
#include "loader/conformance/table_call.h"
#include "loader/conformance/target.h"

namespace fsload::conformance {

class TableTransactions final : public TransactionTarget {
 public:
  explicit TableTransactions(const Plugin& plugin) : plugin_(plugin) {}

  absl::StatusOr<TransactionToken> Start() override;
  absl::Status End(TransactionToken token) override;
  absl::Status Add(const std::string& uri, TransactionToken token) override;
  absl::StatusOr<TransactionToken> Find(const std::string& uri) override;
  absl::StatusOr<TransactionToken> FindOrStart(const std::string& uri) override;
  absl::StatusOr<std::string> Decode(TransactionToken token) override;

 private:
  const TF_FilesystemOps& ops() const { return plugin_.tables.filesystem; }

  // Calls `function`, with `path` if it takes one, for a token.
  template <typename Function, typename... Path>
  absl::StatusOr<TransactionToken> Ask(Op op, Function function,
                                       const std::string& uri, Path... path);

  // Does the same with the path of `uri`.
  template <typename Function>
  absl::StatusOr<TransactionToken> AskOfPath(Op op, Function function,
                                             const std::string& uri);

  TranslatedPath Translate(Op op, const std::string& uri) const;

  const Plugin& plugin_;
};

}  // namespace fsload::conformance

#endif  // FSLOAD_LOADER_CONFORMANCE_TABLE_TRANSACTIONS_H_
