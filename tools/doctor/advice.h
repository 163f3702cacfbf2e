// What to do about an error of a server.
#ifndef FSLOAD_TOOLS_DOCTOR_ADVICE_H_
#define FSLOAD_TOOLS_DOCTOR_ADVICE_H_

#include <string>

#include "absl/status/status.h"

namespace fsload {

// Returns what to do about `status`, an error that a plugin reported of a URI,
// or, if it `is_local`, of a path of this machine.
std::string RepairFor(const absl::Status& status, bool is_local);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_DOCTOR_ADVICE_H_
