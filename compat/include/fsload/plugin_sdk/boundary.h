// Where the host's call becomes a call of a method: no exception passes, and
// the status is always set.
#ifndef FSLOAD_PLUGIN_SDK_BOUNDARY_H_
#define FSLOAD_PLUGIN_SDK_BOUNDARY_H_

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/status.h"

#if FSLOAD_PLUGIN_HAS_EXCEPTIONS && defined(__GLIBCXX__)
#include <cxxabi.h>
#endif

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// Sets `status` to an errno value. OUT_OF_RANGE would be the end of a file
// (L229), which none is.
inline void SetErrno(int error, const char* text, TF_Status* status) {
  if (error != ERANGE && error != EOVERFLOW) {
    return TF_SetStatusFromIOError(status, error, text);
  }
  const std::string message = std::string(text) + ": " + std::strerror(error);
  TF_SetStatus(status, TF_INTERNAL, message.c_str());
}

inline void SetStatus(const Status& from, TF_Status* status) {
  if (from.error_number() != 0) {
    SetErrno(from.error_number(), from.message().c_str(), status);
  } else {
    TF_SetStatus(status, from.code(), from.ok() ? "" : from.message().c_str());
  }
}

#if FSLOAD_PLUGIN_HAS_EXCEPTIONS

inline bool IsErrno(const std::error_code& code) {
  return code.value() != 0 && (code.category() == std::generic_category() ||
                               code.category() == std::system_category());
}

// Sets `status` to the exception that is being handled. Rethrows only what ends
// a thread, which must not be held up.
inline void SetStatusOfException(TF_Status* status) {
  try {
    throw;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    throw;
#endif
  } catch (const Error& error) {
    if (error.status().ok()) {
      TF_SetStatus(status, TF_INTERNAL, "an error was thrown that is TF_OK");
    } else {
      SetStatus(error.status(), status);
    }
  } catch (const std::bad_alloc&) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  } catch (const std::system_error& error) {
    TF_Code code = TF_INTERNAL;
    if (IsErrno(error.code())) {
      // The host knows the code. The text of the errno value is in what().
      SetErrno(error.code().value(), "", status);
      code = TF_GetCode(status);
    }
    TF_SetStatus(status, code, error.what());
  } catch (const std::exception& error) {
    TF_SetStatus(status, TF_INTERNAL, error.what());
  } catch (...) {
    TF_SetStatus(status, TF_INTERNAL,
                 "threw an exception that is no std::exception");
  }
}

// Drops the exception that is being handled, where no status can be set.
inline void DropException() {
#ifdef __GLIBCXX__
  try {
    throw;
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
  }
#endif
}

#else  // nothing throws

inline void SetStatusOfException(TF_Status*) {}
inline void DropException() {}

#endif

// Runs `body`, which returns a Status, and sets `status` to that, or to what
// it threw. Returns whether it is TF_OK.
template <typename Body>
bool Guard(TF_Status* status, const Body& body) {
  FSLOAD_PLUGIN_TRY {
    const Status result = body();
    SetStatus(result, status);
    return result.ok();
  }
  FSLOAD_PLUGIN_CATCH {
    SetStatusOfException(status);
    return false;
  }
}

// Runs `body` where an operation has no status. Returns false if it threw.
template <typename Body>
bool GuardSilently(const Body& body) {
  FSLOAD_PLUGIN_TRY {
    body();
    return true;
  }
  FSLOAD_PLUGIN_CATCH {
    DropException();
    return false;
  }
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_BOUNDARY_H_
