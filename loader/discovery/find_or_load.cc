#include "fsload/find_or_load.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/paths/uri.h"
#include "fsload/scheme_registry.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/discovery/plugin_to_load.h"

namespace fsload {
namespace {

// Returns the scheme that `options` name `scheme`: a plugin's, or one in the
// user's file of schemes. `scheme` itself if it is no such name.
std::string SchemeNamed(std::string_view scheme, const LoadOptions& options) {
  for (const auto& [named, name] : options.scheme_as) {
    if (name == scheme) return named;
  }
  return std::string(scheme);
}

// Returns the plugin of `scheme`, as `options`, the user's file of schemes or
// else the catalog have it.
absl::StatusOr<PluginToLoad> FindPlugin(std::string_view scheme,
                                        const LoadOptions& options) {
  CatalogOptions trying;
  trying.load = options;
  PluginCatalog catalog(std::move(trying));
  const std::string wanted = SchemeNamed(scheme, options);
  const absl::StatusOr<std::optional<SchemeAlias>> alias = FindAlias(wanted);
  if (!alias.ok()) return alias.status();
  if (alias->has_value()) {
    absl::StatusOr<PluginToLoad> plugin = PluginOf(**alias, options, catalog);
    if (plugin.ok()) {
      plugin->options.scheme_as = {{(*alias)->scheme, std::string(scheme)}};
    }
    return plugin;
  }
  absl::StatusOr<CatalogEntry> entry = catalog.FindForScheme(wanted);
  if (!entry.ok()) return entry.status();
  PluginToLoad found{std::move(entry->path), options};
  // Its other schemes may already belong to another plugin.
  found.options.partial = true;
  return found;
}

}  // namespace

absl::StatusOr<FileSystemPtr> FindOrLoad(std::string_view uri,
                                         const LoadOptions& options) {
  SchemeRegistry& registry = options.registry != nullptr
                                 ? *options.registry
                                 : SchemeRegistry::Default();
  absl::StatusOr<FileSystemPtr> found = registry.Resolve(uri);
  const std::string_view scheme = ParseUri(uri).scheme;
  if (found.ok()) return found;
  if (scheme.empty()) {
    return absl::Status(found.status().code(),
                        absl::StrCat(found.status().message(),
                                     "; the plugin of posix:// has them, as in "
                                     "posix:///tmp"));
  }
  const absl::StatusOr<PluginToLoad> plugin = FindPlugin(scheme, options);
  if (!plugin.ok()) return plugin.status();
  const LoadReport report = Load(*plugin);
  // Another thread may have been faster.
  found = registry.Resolve(uri);
  return found.ok() || report.status.ok() ? found : report.status;
}

}  // namespace fsload
