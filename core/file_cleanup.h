// How an open file ends.
#ifndef FSLOAD_CORE_FILE_CLEANUP_H_
#define FSLOAD_CORE_FILE_CLEANUP_H_

#include <string>
#include <string_view>

#include "compat/log_sink.h"
#include "core/op_call.h"
#include "core/op_tables.h"

namespace fsload {

// Logs an error that nobody is there to receive.
inline void LogError(const absl::Status& error) {
  const absl::string_view message = error.message();
  Log(TF_ERROR, {message.data(), message.size()});
}

// Calls a cleanup operation, which has no status: what it throws is logged.
template <typename Call>
void CleanUpFile(const SchemeTables& tables, Op op, std::string_view uri,
                 Call&& call) {
  CallStatus status(tables.status);
  CallOp(tables, op, uri, status, call);
  if (!status.ok()) LogError(status.ToError(op, uri));
}

}  // namespace fsload

#endif  // FSLOAD_CORE_FILE_CLEANUP_H_
