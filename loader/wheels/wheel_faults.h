// Errors that are the fault of a wheel, told apart from the system's.
#ifndef FSLOAD_LOADER_WHEELS_WHEEL_FAULTS_H_
#define FSLOAD_LOADER_WHEELS_WHEEL_FAULTS_H_

#include "absl/status/status.h"
#include "fsload/rules.h"

namespace fsload {

// `error`, marked as one of what is in a wheel, against this rule: who reads
// the same wheel again meets it again. What the system says is none.
absl::Status AsWheelsFault(absl::Status error, RuleId rule);

// The rule that an error of loader/wheels/wheel_file.h or of the cache is
// about.
RuleId RuleOfWheel(const absl::Status& error);

// Whether `error` is marked so.
bool IsWheelsFault(const absl::Status& error);

}  // namespace fsload

#endif  // FSLOAD_LOADER_WHEELS_WHEEL_FAULTS_H_
