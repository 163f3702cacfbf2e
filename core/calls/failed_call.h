// Thrown by a function of fsload's own in the place of a plugin's that has no
// status: the boundary (core/calls/plugin_call.h) makes it the call's error.
#pragma once

#include <stdexcept>
#include <string>

#include "fsload/tf_status.h"

namespace fsload {

// What the plugin would have reported.
class FailedCall final : public std::runtime_error {
 public:
  // Takes what the plugin would have reported, and whether that is that it
  // called a function that nobody provides.
  FailedCall(TF_Code code, const std::string& message, bool misses = false)
      : std::runtime_error(message), code_(code), misses_(misses) {}

  TF_Code code() const { return code_; }
  bool misses() const { return misses_; }

 private:
  const TF_Code code_;
  const bool misses_;
};

}  // namespace fsload
