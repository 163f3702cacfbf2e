// Finds out whether a plugin is for the processor of this program.
#pragma once

#include <optional>
#include <string>

#include "tools/doctor/diagnosis.h"

namespace fsload {

// Returns the problem of a plugin at `path` that is for another processor, and
// what to install; none for other files, and for none.
std::optional<DiagnosisStep> ProcessorStep(const std::string& path);

}  // namespace fsload
