// What the TensorFlow of this machine makes of a plugin.
#pragma once

#include <string>
#include <vector>

#include "tools/doctor/diagnosis.h"

namespace fsload {

// Returns whether TensorFlow can load the plugin at `plugin`, and why not;
// nothing if no TensorFlow is installed. Never a problem, as fsload needs none
// of it.
std::vector<DiagnosisStep> TensorFlowSteps(const std::string& plugin);

}  // namespace fsload
