// Ends the use of an open file.
#ifndef FSLOAD_CORE_CALLS_FILE_CLEANUP_H_
#define FSLOAD_CORE_CALLS_FILE_CLEANUP_H_

#include <string>
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

// Calls `cleanup`, the pointer for `op`. It has no status, so exceptions are
// logged.
template <typename Wrapper>
ABSL_ATTRIBUTE_NOINLINE void CleanUpSlow(const SchemeTables& tables, Op op,
                                         std::string_view uri,
                                         void (*cleanup)(Wrapper*),
                                         Wrapper* wrapper) {
  CallStatus status(tables.status);
  CallOp(tables, op, uri, status, [&] { cleanup(wrapper); });
  if (!status.ok()) LogError(status.ToError(op, uri));
}

// CleanUpSlow at the lowest cost if there is no observer and the statuses are
// our own.
template <typename Wrapper>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void CleanUp(const SchemeTables& tables,
                                                 Op op, std::string_view uri,
                                                 void (*cleanup)(Wrapper*),
                                                 Wrapper* wrapper) {
  if (ABSL_PREDICT_FALSE(!TakesDirectCalls(tables))) {
    return CleanUpSlow(tables, op, uri, cleanup, wrapper);
  }
  StatusStorage status;
  CallDirectly(tables.status, status, cleanup, wrapper);
  if (ABSL_PREDICT_FALSE(status.code != TF_OK)) {
    LogError(ErrorOf(status, op, uri));
  }
}

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_FILE_CLEANUP_H_
