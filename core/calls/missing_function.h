// What a call ends with that came to a function which nobody provides: a
// plugin's host throws it in the function's place, and the boundary
// (core/calls/plugin_call.h) makes an UNIMPLEMENTED error of it.
#ifndef FSLOAD_CORE_CALLS_MISSING_FUNCTION_H_
#define FSLOAD_CORE_CALLS_MISSING_FUNCTION_H_

#include <stdexcept>
#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// The payload of that error, also where a TF_Status carries it.
inline constexpr char kMissingFunctionPayload[] = "fsload.missing_function";

// Makes `error` one that IsMissingFunction knows.
void MarkMissingFunction(absl::Status& error);

// Whether `error` is that of a call which came to a missing function: a plugin
// has reasons of its own for UNIMPLEMENTED.
bool IsMissingFunction(const absl::Status& error);

// For a plugin that catches it, and for a thread that nobody catches it on,
// what() says all that there is to say.
class MissingFunction final : public std::runtime_error {
 public:
  // `function` as people write it: "tsl::mutex::lock()".
  explicit MissingFunction(std::string_view function);
};

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_MISSING_FUNCTION_H_
