// Calls of a plugin's operations: what core/calls/plugin_call.h does for any
// call, plus the observer.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/calls/plugin_call.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/internal/call_scope.h"

namespace fsload {

// Returns OK if `op` can be called, as the plugin's own or by default;
// otherwise UNIMPLEMENTED, naming what is missing.
absl::Status CheckSupported(const SchemeTables& tables, Op op,
                            std::string_view uri);

// Reports a call that is about to be made to the observer of `tables`.
void ShowStartToObserver(const SchemeTables& tables, Op op,
                         std::string_view uri);

// Reports a call that began at `start` to the observer of `tables`.
void ShowToObserver(const SchemeTables& tables, Op op, std::string_view uri,
                    std::chrono::steady_clock::time_point start, int64_t bytes,
                    TF_Code code);

// Without them a plugin's exceptions cannot be caught.
#ifdef ABSL_HAVE_EXCEPTIONS
// Does what CallOp does with an observer, out of line so that it does not slow
// the path without one. The reference that stands for a thread's end is null:
// see CallPlugin.
template <typename Call>
ABSL_ATTRIBUTE_NOINLINE ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED void CallObserved(
    const SchemeTables& tables, Op op, std::string_view uri, CallStatus& status,
    Call&& call) {
  // The observer must not retire the file system: that would wait for this
  // call.
  const CallScope::Mark mark(tables.status);
  const CallScope scope(mark);
  ShowStartToObserver(tables, op, uri);
  const auto start = std::chrono::steady_clock::now();
  int64_t bytes = -1;
  try {
    CallPlugin(status, [&] {
      if constexpr (std::is_void_v<decltype(call())>) {
        call();
      } else {
        bytes = call();
      }
    });
  } catch (abi::__forced_unwind&) {
    ShowToObserver(tables, op, uri, start, bytes, TF_INTERNAL);
    throw;
  }
  ShowToObserver(tables, op, uri, start, bytes, status.code());
}

// Calls the plugin's function for `op`, which is there, like CallPlugin:
// `call` gets it and the TF_Status for it. The result of `call`, if any, is the
// number of bytes read or written.
template <Op op, typename Call>
inline void CallOpInto(const SchemeTables& tables, std::string_view uri,
                       CallStatus& status, const Call& call) {
  const auto bound = [&] { return call(FunctionOf<op>(tables), status.get()); };
  if (ABSL_PREDICT_TRUE(tables.observer == nullptr)) {
    CallPlugin(status, bound);
  } else {
    CallObserved(tables, op, uri, status, bound);
  }
}

// Does the same, with the result as the caller of the facade gets it; that of
// `by_default` if the plugin lacks `op`.
template <Op op, typename Call, typename Default>
absl::Status CallOp(const SchemeTables& tables, std::string_view uri,
                    const Call& call, const Default& by_default) {
  if (FunctionOf<op>(tables) == nullptr) return by_default();
  CallStatus status(tables.status);
  CallOpInto<op>(tables, uri, status, call);
  return status.ok() ? absl::OkStatus() : status.ToError(op, uri);
}

// Does the same for an operation whose absence means what CheckSupported says.
template <Op op, typename Call>
absl::Status CallOp(const SchemeTables& tables, std::string_view uri,
                    const Call& call) {
  return CallOp<op>(tables, uri, call,
                    [&] { return CheckSupported(tables, op, uri); });
}
#endif

}  // namespace fsload
