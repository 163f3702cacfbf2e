// The plugin of a scheme that the user has named.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/discovery/plugin_catalog.h"

namespace fsload {

// A plugin's file, and how it is loaded.
struct PluginToLoad {
  std::string path;
  LoadOptions options;
  std::string origin = {};  // of an alias: "FILE: line N: [NAME] KEY"
};

// Returns the status of loading `plugin`; of an alias, as AliasError has it.
absl::Status LoadStatusOf(const PluginToLoad& plugin,
                          const absl::Status& status);

// Does what LoadPlugin does; the report's status is that of LoadStatusOf.
LoadReport Load(const PluginToLoad& plugin);

// Returns the plugin that `alias` names, or the first in `catalog` with its
// scheme, to be loaded according to `options` and the alias.
// FAILED_PRECONDITION if another plugin has a scheme of the alias's name, which
// the alias does not override. Fails like PluginCatalog::FindForScheme and
// OptionsFor.
absl::StatusOr<PluginToLoad> PluginOf(const SchemeAlias& alias,
                                      const LoadOptions& options,
                                      PluginCatalog& catalog);

}  // namespace fsload
