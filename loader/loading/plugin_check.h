// From the call of TF_InitPlugin to sealed tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fsload/internal/status_provider.h"
#include "fsload/plugin_loader.h"
#include "loader/linking/library.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/rules/findings.h"

namespace fsload {

// Calls `init` of the plugin `name`, which is known as `known_as` (KnownNameOf
// in loader/known_plugins/known_plugins.h) and whose TF_Status is that of
// `status`, and copies, checks and seals its tables, whose calls `observer`
// sees. The result includes findings about the tables and schemes. None, with
// findings, if it does not get as far as tables. The caller holds the
// LoadMutex.
std::optional<CheckedPlugin> CheckPlugin(
    const std::string& name, std::string_view known_as, InitFunction init,
    const StatusProvider& status, const LoadOptions& options,
    OpObserver* observer, Findings& findings);

// Logs a step of loading `plugin`, if FSLOAD_DEBUG requests it.
void LogLoadStep(std::string_view plugin, std::string_view step);

}  // namespace fsload
