// Finds out whether a plugin is for the processor of this program.
#ifndef FSLOAD_TOOLS_DOCTOR_PROCESSOR_STEP_H_
#define FSLOAD_TOOLS_DOCTOR_PROCESSOR_STEP_H_

#include <optional>
#include <string>

#include "tools/doctor/diagnosis.h"

namespace fsload {

// Returns the problem of a plugin at `path` that is for another processor, and
// what to install; none for other files, and for none.
std::optional<DiagnosisStep> ProcessorStep(const std::string& path);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_DOCTOR_PROCESSOR_STEP_H_
