// The host of a worker that lies: for lying_worker_test.cc and
// answer_fuzzer.cc.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {

// Returns options for a worker that tells `lie` (lying_worker.cc).
LoadOptions OptionsFor(const std::string& lie, SchemeRegistry& registry,
                       absl::Duration call_timeout);

// Calls each operation of a scheme "lie". Returns the error of the first one,
// Stat; whether others fail does not matter.
absl::Status CallAll(const FileSystem& file_system);

// Calls each operation of a worker that makes its answers of `bytes`
// (given_lies.h). Returns what CallAll does. Not thread-safe.
absl::Status CallAllWith(std::string_view bytes);

}  // namespace fsload
