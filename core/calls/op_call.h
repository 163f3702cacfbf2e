// Calls of a plugin's operations: what core/calls/plugin_call.h does for any
// call, plus the observer.
#ifndef FSLOAD_CORE_CALLS_OP_CALL_H_
#define FSLOAD_CORE_CALLS_OP_CALL_H_

#include <chrono>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "absl/base/optimization.h"
#include "core/calls/plugin_call.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"

namespace fsload {

// Reports a call that is about to be made to the observer of `tables`.
void ShowStartToObserver(const SchemeTables& tables, Op op,
                         std::string_view uri);

// Reports a call that began at `start` to the observer of `tables`.
void ShowToObserver(const SchemeTables& tables, Op op, std::string_view uri,
                    std::chrono::steady_clock::time_point start, int64_t bytes,
                    TF_Code code);

// Without them a plugin's exceptions cannot be caught.
#ifdef ABSL_HAVE_EXCEPTIONS
// CallOp with an observer, out of line so that it does not slow the path
// without one. The reference that stands for a thread's end is null: see
// CallPlugin.
template <typename Call>
ABSL_ATTRIBUTE_NOINLINE ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED void CallObserved(
    const SchemeTables& tables, Op op, std::string_view uri, CallStatus& status,
    Call&& call) {
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

// Runs `call`, which calls `op` of `tables` for `uri`, like CallPlugin. The
// result of `call`, if any, is the number of bytes read or written.
template <typename Call>
inline void CallOp(const SchemeTables& tables, Op op, std::string_view uri,
                   CallStatus& status, Call&& call) {
  if (ABSL_PREDICT_TRUE(tables.observer == nullptr)) {
    CallPlugin(status, call);
  } else {
    CallObserved(tables, op, uri, status, call);
  }
}
#endif

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_OP_CALL_H_
