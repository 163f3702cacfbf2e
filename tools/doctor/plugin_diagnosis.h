// Finds out what is wrong with a plugin, without a URI.
#pragma once

#include <vector>

#include "tools/doctor/diagnosis.h"

namespace fsload {

// Loads each of `options.plugins` in a confined child
// (loader/confined_load/confined_load.h), examines the variables that a
// known plugin reads, and what the TensorFlow of this machine makes of it. The
// process must have one thread.
std::vector<DiagnosisStep> DiagnosePlugins(const DiagnosisOptions& options);

}  // namespace fsload
