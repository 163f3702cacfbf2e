// Errors that are a wheel's own fault, distinguished from the system's.
#pragma once

#include "absl/status/status.h"
#include "fsload/rules.h"

namespace fsload {

// Returns `error`, marked as caused by the wheel's contents breaking this rule:
// reading the same wheel again fails again. Errors of the system are not.
absl::Status AsWheelsFault(absl::Status error, RuleId rule);

// Returns `error`, marked as an error of fsload's cache.
absl::Status AsCacheFault(absl::Status error);

// Returns the rule that an error of loader/wheels/wheel_file.h is about.
RuleId RuleOfWheel(const absl::Status& error);

// Returns whether `error` has the mark of AsWheelsFault.
bool IsWheelsFault(const absl::Status& error);

}  // namespace fsload
