// A clock for deadlines.
#pragma once

#include <chrono>

#include "absl/time/time.h"

namespace fsload {

// Returns a time that nobody sets, and that stands still while the machine is
// suspended: only its differences mean something. Thread-safe.
inline absl::Time SteadyNow() {
  return absl::UnixEpoch() +
         absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

// Returns it as condition variables wait for it.
inline std::chrono::steady_clock::time_point ToSteadyTime(absl::Time time) {
  return std::chrono::steady_clock::time_point(
      absl::ToChronoNanoseconds(time - absl::UnixEpoch()));
}

}  // namespace fsload
