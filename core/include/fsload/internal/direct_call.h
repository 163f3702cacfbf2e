// The shortest calls of a plugin, small enough to be inlined into a program:
// read, append and tell.
#ifndef FSLOAD_INTERNAL_DIRECT_CALL_H_
#define FSLOAD_INTERNAL_DIRECT_CALL_H_

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/base/config.h"
#include "fsload/internal/call_scope.h"
#include "fsload/internal/status_provider.h"
#include "fsload/internal/tf_status_storage.h"

struct TF_RandomAccessFile;
struct TF_WritableFile;

namespace fsload {

// The part of a scheme's tables (core/tables/op_tables.h) that these calls
// need, in pages that nothing can write to. The functions are null where a call
// takes the general path: with an observer, or a TF_Status that is not
// fsload's.
struct DirectOps {
  StatusProvider status;
  int64_t (*read)(const TF_RandomAccessFile*, uint64_t, size_t, char*,
                  TF_Status*) = nullptr;
  void (*append)(const TF_WritableFile*, const char*, size_t,
                 TF_Status*) = nullptr;
  int64_t (*tell)(const TF_WritableFile*, TF_Status*) = nullptr;
};

// Whether CallDirectly can stop a plugin's exceptions. Not in code that is
// compiled without them: it takes the general path, which is the library's.
#ifdef ABSL_HAVE_EXCEPTIONS
constexpr bool kCallsDirectly = true;
#else
constexpr bool kCallsDirectly = false;
#endif

// Makes `status` INTERNAL, with the words of the exception that is being
// handled; UNIMPLEMENTED, and known to IsMissingFunction, where that is a
// MissingFunction.
void SetToCurrentException(StatusStorage& status);

// Calls `function`, one of the plugin of `provider`, with `arguments`. What it
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
    // What is no C++ exception is the end of a cancelled thread.
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
