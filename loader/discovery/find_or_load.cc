#include "fsload/find_or_load.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/paths/uri.h"
#include "fsload/scheme_registry.h"
#include "loader/discovery/plugin_catalog.h"

namespace fsload {

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
  CatalogOptions trying;
  trying.load = options;
  const absl::StatusOr<CatalogEntry> entry =
      PluginCatalog(std::move(trying)).FindForScheme(scheme);
  if (!entry.ok()) return entry.status();
  // Its other schemes may already belong to another plugin.
  LoadOptions partial = options;
  partial.partial = true;
  const LoadReport report = LoadPlugin(entry->path, partial);
  return report.status.ok() ? registry.Resolve(uri) : report.status;
}

}  // namespace fsload
