// How an open file ends.
#ifndef FSLOAD_CORE_FILE_CLEANUP_H_
#define FSLOAD_CORE_FILE_CLEANUP_H_

#include <string>
#include <string_view>

#include "compat/logging.h"
#include "core/op_tables.h"
#include "core/plugin_call.h"

namespace fsload {

// Logs an error that nobody is there to receive.
inline void LogError(const absl::Status& error) {
  TF_Log(TF_ERROR, "%s", std::string(error.message()).c_str());
}

// Calls a cleanup operation, which has no status: what it throws is logged.
template <typename Call>
void CleanUpFile(const SchemeTables& tables, Op op, std::string_view uri,
                 Call&& call) {
  CallStatus status(tables.status);
  CallPlugin(status, call);
  if (!status.ok()) LogError(status.ToError(op, uri));
}

}  // namespace fsload

#endif  // FSLOAD_CORE_FILE_CLEANUP_H_
