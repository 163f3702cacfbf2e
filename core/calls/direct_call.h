// Calls of plugins at the least cost, for operations that are short: small
// enough to be part of the caller, with all that is rare out of line.
#ifndef FSLOAD_CORE_CALLS_DIRECT_CALL_H_
#define FSLOAD_CORE_CALLS_DIRECT_CALL_H_

#include <cxxabi.h>

#include <string_view>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "compat/tf_status_storage.h"
#include "core/calls/call_scope.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"

namespace fsload {

// The error that `status`, one of fsload's own that is not OK, is to the caller
// of the facade: "stat(s3://b/k): <message>", with its code and payloads.
absl::Status ErrorOf(const StatusStorage& status, Op op, std::string_view uri);

// Makes `status` INTERNAL, with the words of the exception that is being
// handled; UNIMPLEMENTED, and known to IsMissingFunction, where that is a
// MissingFunction.
void SetToCurrentException(StatusStorage& status);

// Whether CallDirectly does for operations of `tables`: their statuses are
// fsload's own, and nobody looks on. Never where the caller is compiled without
// exceptions, and so cannot stop those of a plugin.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool TakesDirectCalls(
    const SchemeTables& tables) {
#ifdef ABSL_HAVE_EXCEPTIONS
  return ABSL_PREDICT_TRUE(tables.observer == nullptr) &&
         ABSL_PREDICT_TRUE(tables.status.is_own());
#else
  static_cast<void>(tables);
  return false;
#endif
}

// Calls `function`, one of the plugin of `tables`, with `arguments`. What it
// throws becomes `status`, which may be one of them, and the result, if any, is
// -1. The unwinding of a cancelled thread is no exception and goes on; its
// reference is null, which the undefined behaviour sanitizer must not look at.
template <typename Function, typename... Arguments>
#if defined(ABSL_HAVE_ADDRESS_SANITIZER) && defined(ABSL_HAVE_EXCEPTIONS)
// Comes with the undefined behaviour sanitizer, which looks at what is inlined.
// (Without exceptions it is never a function of its own: the linker would keep
// one of the two.)
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED ABSL_ATTRIBUTE_NOINLINE
#else
ABSL_ATTRIBUTE_ALWAYS_INLINE
#endif
    inline auto
    CallDirectly(const SchemeTables& tables, StatusStorage& status,
                 Function function, Arguments... arguments) {
  const CallScope::Mark mark(tables.status);
  const CallScope scope(mark);
#ifdef ABSL_HAVE_EXCEPTIONS
  using Result = decltype(function(arguments...));
  try {
    return function(arguments...);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    SetToCurrentException(status);
  }
  if constexpr (!std::is_void_v<Result>) return Result{-1};
#else
  static_cast<void>(status);
  return function(arguments...);
#endif
}

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_DIRECT_CALL_H_
