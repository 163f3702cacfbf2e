// The shortest calls of a plugin, small enough to inline into a program: read,
// append and tell.
#ifndef FSLOAD_INTERNAL_DIRECT_CALL_H_
#define FSLOAD_INTERNAL_DIRECT_CALL_H_

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "fsload/export.h"
#include "fsload/internal/call_scope.h"
#include "fsload/internal/status_provider.h"
#include "fsload/internal/tf_status_storage.h"

struct TF_RandomAccessFile;
struct TF_WritableFile;

namespace FSLOAD_API fsload {

// The part of a scheme's tables (core/tables/op_tables.h) that these calls
// need, in read-only pages. The functions are null if a call must take the
// general path: with an observer, or with a TF_Status that is not fsload's.
struct DirectOps {
  StatusProvider status;
  int64_t (*read)(const TF_RandomAccessFile*, uint64_t, size_t, char*,
                  TF_Status*) = nullptr;
  void (*append)(const TF_WritableFile*, const char*, size_t,
                 TF_Status*) = nullptr;
  int64_t (*tell)(const TF_WritableFile*, TF_Status*) = nullptr;
};

// Whether CallDirectly can catch a plugin's exceptions. Code compiled without
// exceptions takes the general path, which is in the library.
#ifdef ABSL_HAVE_EXCEPTIONS
constexpr bool kCallsDirectly = true;
#else
constexpr bool kCallsDirectly = false;
#endif

// Sets `status` to INTERNAL with the text of the current exception; for a
// MissingFunction to UNIMPLEMENTED, in a form that IsMissingFunction
// recognizes.
void SetToCurrentException(StatusStorage& status);

// Calls `function` of the plugin that uses `provider` with `arguments`. An
// exception is stored in `status`, which may be one of the arguments, and the
// result, if any, is -1. The unwinding of a cancelled thread is not a C++
// exception and continues; its reference is null, so the undefined behaviour
// sanitizer must not check it.
template <typename Function, typename... Arguments>
#if defined(ABSL_HAVE_ADDRESS_SANITIZER) && defined(ABSL_HAVE_EXCEPTIONS)
// Needed because the undefined behaviour sanitizer checks inlined code.
// (Without exceptions this is always inlined: the linker would keep only one of
// the two versions.)
ABSL_ATTRIBUTE_NO_SANITIZE_UNDEFINED ABSL_ATTRIBUTE_NOINLINE
#else
ABSL_ATTRIBUTE_ALWAYS_INLINE
#endif
    inline auto
    CallDirectly(const StatusProvider& provider, StatusStorage& status,
                 Function function, Arguments... arguments) {
  const CallScope::Mark mark(provider);
  const CallScope scope(mark);
#ifdef ABSL_HAVE_EXCEPTIONS
  using Result = decltype(function(arguments...));
  try {
    return function(arguments...);
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {
    throw;
#endif
  } catch (...) {
#ifndef __GLIBCXX__
    // Without a C++ exception this is the unwinding of a cancelled thread.
    if (abi::__cxa_current_exception_type() == nullptr) throw;
#endif
    SetToCurrentException(status);
  }
  if constexpr (!std::is_void_v<Result>) return Result{-1};
#else
  static_cast<void>(status);
  return function(arguments...);
#endif
}

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_DIRECT_CALL_H_
