// Text, and statuses with that text, from format strings, by fmt.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// Returns what fmt::vformat returns, of which this library has the only copy:
// an executable then needs no libfmt at run time, and sources compile quickly.
std::string FormatArguments(fmt::string_view format,
                            fmt::format_args arguments);

// Returns what fmt::format would return. Thread-safe.
template <typename... Arguments>
std::string Format(fmt::format_string<Arguments...> format,
                   Arguments&&... arguments) {
  return FormatArguments(format, fmt::make_format_args(arguments...));
}

// NotFoundError("{}: does not exist", uri) is absl::NotFoundError with that
// text, and so on. Formats are literals, so that no text of a user or a plugin
// becomes one. There is no RETURN_IF_ERROR: `if (!status.ok()) return status;`
// shows where a function ends, and most callers add to an error what they know.
#define FSLOAD_ERROR(name)                                                   \
  template <size_t n, typename... Arguments>                                 \
  absl::Status name(const char(&format)[n], const Arguments&... arguments) { \
    return absl::name(FormatArguments({format, n - 1},                       \
                                      fmt::make_format_args(arguments...))); \
  }
FSLOAD_ERROR(AbortedError)
FSLOAD_ERROR(AlreadyExistsError)
FSLOAD_ERROR(CancelledError)
FSLOAD_ERROR(DataLossError)
FSLOAD_ERROR(DeadlineExceededError)
FSLOAD_ERROR(FailedPreconditionError)
FSLOAD_ERROR(InternalError)
FSLOAD_ERROR(InvalidArgumentError)
FSLOAD_ERROR(NotFoundError)
FSLOAD_ERROR(PermissionDeniedError)
FSLOAD_ERROR(ResourceExhaustedError)
FSLOAD_ERROR(UnavailableError)
FSLOAD_ERROR(UnimplementedError)
FSLOAD_ERROR(UnknownError)
#undef FSLOAD_ERROR

// Returns the status of a system call that set errno to `error`, with the text
// of the format, ": " and strerror's text.
template <size_t n, typename... Arguments>
absl::Status ErrnoError(int error, const char (&format)[n],
                        const Arguments&... arguments) {
  return absl::ErrnoToStatus(
      error,
      FormatArguments({format, n - 1}, fmt::make_format_args(arguments...)));
}

// Returns `status`, an error, with `text` and ": " before its message.
inline absl::Status Prepend(std::string_view text, const absl::Status& status) {
  return absl::Status(status.code(),
                      Format("{}: {}", text, std::string(status.message())));
}

}  // namespace fsload
