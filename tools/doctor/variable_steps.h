// The environment variables that a plugin reads.
#pragma once

#include <string>
#include <vector>

#include "tools/doctor/diagnosis.h"

namespace fsload {

// Returns which of the variables that the plugin for `scheme`, which may be the
// name of an alias, reads are not set
// and should be, and how many are; nothing if none are known. Never shows their
// values, which may be secrets.
std::vector<DiagnosisStep> VariableSteps(const std::string& scheme);

}  // namespace fsload
