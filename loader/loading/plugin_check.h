// What TF_InitPlugin hands over, from its call to sealed tables.
#ifndef FSLOAD_LOADER_LOADING_PLUGIN_CHECK_H_
#define FSLOAD_LOADER_LOADING_PLUGIN_CHECK_H_

#include <optional>
#include <string>
#include <string_view>

#include "fsload/internal/status_provider.h"
#include "fsload/plugin_loader.h"
#include "loader/linking/library.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/rules/findings.h"

namespace fsload {

// Calls `init` of the plugin `name`, whose TF_Status is that of `status`, and
// copies, checks and seals the tables that it hands over. What is wrong with
// those, and with its schemes, is in what is yielded. None, and findings, when
// it does not come to tables. For who has the LoadMutex.
std::optional<CheckedPlugin> CheckPlugin(const std::string& name,
                                         InitFunction init,
                                         const StatusProvider& status,
                                         const LoadOptions& options,
                                         Findings& findings);

// Logs a step of loading `plugin`, where that was asked for (FSLOAD_DEBUG).
void LogLoadStep(std::string_view plugin, std::string_view step);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LOADING_PLUGIN_CHECK_H_
