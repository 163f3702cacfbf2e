// Ends the use of an open file.
#pragma once

#include <string_view>

#include "core/calls/op_call.h"
#include "core/tables/op_tables.h"
#include "fsload/log_sink.h"

namespace fsload {

// Logs an error that has no caller to go to.
ABSL_ATTRIBUTE_NOINLINE inline void LogError(const absl::Status& error) {
  const absl::string_view message = error.message();
  Log(TF_ERROR, {message.data(), message.size()});
}

// Calls the plugin's cleanup, the operation `op`. It has no status, so
// exceptions are logged.
template <Op op, typename Wrapper>
ABSL_ATTRIBUTE_NOINLINE void CleanUpSlow(const SchemeTables& tables,
                                         std::string_view uri,
                                         Wrapper* wrapper) {
  const absl::Status status = CallOp<op>(
      tables, uri, [&](auto cleanup, TF_Status*) { cleanup(wrapper); });
  if (!status.ok()) LogError(status);
}

// Does what CleanUpSlow does, at the lowest cost if there is no observer and
// the statuses are our own.
template <Op op, typename Wrapper>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void CleanUp(const SchemeTables& tables,
                                                 std::string_view uri,
                                                 Wrapper* wrapper) {
  if (ABSL_PREDICT_FALSE(!TakesDirectCalls(tables))) {
    return CleanUpSlow<op>(tables, uri, wrapper);
  }
  StatusStorage status;
  CallDirectly(tables.status, status, FunctionOf<op>(tables), wrapper);
  if (ABSL_PREDICT_FALSE(status.code != TF_OK)) {
    LogError(ErrorOf(status, op, uri));
  }
}

}  // namespace fsload
