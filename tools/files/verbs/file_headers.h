// The headers that head and tail print above each of several files.
#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/run/verb.h"

namespace fsload {

// Calls `show` for each file, with the header to print above it once it is
// open; "" if none is wanted. Reports its errors.
void ForEachWithHeader(
    VerbRun& run,
    const std::function<absl::Status(const std::string& uri,
                                     const std::string& header)>& show);

}  // namespace fsload
