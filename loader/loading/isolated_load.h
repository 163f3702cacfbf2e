// A load in a process of its own: what it found, and tables that forward calls
// there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "loader/isolation/worker_environment.h"
#include "loader/loading/loaded_plugins.h"

namespace fsload {

struct IsolatedPlugin {
  LoadReport report;  // without findings and schemes, which are in `checked`
  CheckedPlugin checked;
};

// Starts a process that loads the plugin `name`, whose contents are `bytes` if
// it is no file; `environment` is this process's. A plugin that is refused
// there has findings and no tables.
// INVALID_ARGUMENT for options that contradict each other, or name schemes that
// the plugin lacks; fails like PluginWorker::Start if no process can be had.
absl::StatusOr<IsolatedPlugin> StartIsolated(const std::string& name,
                                             std::optional<std::string> bytes,
                                             const LoadOptions& options,
                                             Environment environment,
                                             OpObserver* observer);

// Returns INVALID_ARGUMENT: a plugin that is linked in cannot be isolated.
absl::Status LinkedInIsIsolated(std::string_view name);

}  // namespace fsload
