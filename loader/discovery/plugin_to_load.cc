#include "loader/discovery/plugin_to_load.h"

#include <string>
#include <utility>

#include "fsload/plugin_loader.h"
#include "loader/known_plugins/known_plugins.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// The plugin with a scheme called `name`, on this machine or published; "" if
// there is none.
std::string PluginWith(const std::string& name, PluginCatalog& catalog) {
  if (const KnownPlugin* const known = KnownPluginFor(name)) {
    return std::string(known->package);
  }
  const absl::StatusOr<CatalogEntry> found = catalog.FindForScheme(name);
  if (found.ok()) return found->FileOfUser();
  const CatalogEntry* const refused = catalog.WouldServe(name);
  return refused != nullptr ? refused->FileOfUser() : "";
}

}  // namespace

absl::Status LoadStatusOf(const PluginToLoad& plugin,
                          const absl::Status& status) {
  return status.ok() || plugin.origin.empty()
             ? status
             : AliasError(plugin.origin, status);
}

LoadReport Load(const PluginToLoad& plugin) {
  LoadReport report = LoadPlugin(plugin.path, plugin.options);
  report.status = LoadStatusOf(plugin, report.status);
  return report;
}

absl::StatusOr<PluginToLoad> PluginOf(const SchemeAlias& alias,
                                      const LoadOptions& options,
                                      PluginCatalog& catalog) {
  const std::string other =
      alias.overrides ? "" : PluginWith(alias.name, catalog);
  if (!other.empty()) {
    return FailedPreconditionError(
        "{0}: [{1}] would replace the scheme {1} of {2}; choose another name, "
        "or add override = true",
        alias.location, alias.name, other);
  }
  absl::StatusOr<LoadOptions> own = OptionsFor(alias, options);
  if (!own.ok()) return own.status();
  own->partial = true;  // its other schemes are not registered
  PluginToLoad plugin{alias.plugin, *std::move(own),
                      alias.Where(alias.plugin.empty() ? "scheme" : "plugin")};
  if (!plugin.path.empty()) return plugin;
  absl::StatusOr<CatalogEntry> found = catalog.FindForScheme(alias.scheme);
  if (!found.ok()) {
    const auto another = FindAlias(alias.scheme);
    const bool is_alias = another.ok() && another->has_value() &&
                          alias.scheme != alias.name &&
                          absl::IsNotFound(found.status());
    return AliasError(
        plugin.origin,
        is_alias ? FailedPreconditionError(
                       "\"{}\" is another entry of this file, not a plugin's "
                       "scheme; write scheme = \"{}\"",
                       alias.scheme, (*another)->scheme)
                 : found.status());
  }
  plugin.path = std::move(found->path);
  return plugin;
}

}  // namespace fsload
