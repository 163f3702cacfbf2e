// Thrown when a plugin calls a function that nobody provides: the host throws
// it in the function's place, and the boundary (core/calls/plugin_call.h) turns
// it into an UNIMPLEMENTED error.
#pragma once

#include <stdexcept>
#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// The payload of that error, also in a TF_Status.
inline constexpr char kMissingFunctionPayload[] = "fsload.missing_function";

// Marks `error` so that IsMissingFunction recognizes it.
void MarkMissingFunction(absl::Status& error);

// Returns whether `error` comes from a call of a missing function: a plugin may
// return UNIMPLEMENTED for its own reasons.
bool IsMissingFunction(const absl::Status& error);

// If a plugin catches it, or nobody does, what() is a complete message.
class MissingFunction final : public std::runtime_error {
 public:
  // Takes the demangled name of the function: "tsl::mutex::lock()".
  explicit MissingFunction(std::string_view function);
};

}  // namespace fsload
