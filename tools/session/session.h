// The plugins that one run of `fsload` uses.
#ifndef FSLOAD_TOOLS_SESSION_SESSION_H_
#define FSLOAD_TOOLS_SESSION_SESSION_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/load_report.h"
#include "fsload/op_observer.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/discovery/named_plugins.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/trust/trust.h"

namespace fsload {

// The bundled plugin's name, where a plugin is named, and its scheme.
inline constexpr char kBundledName[] = "posix";

// How this command loads plugins, and tries those that it finds by itself.
LoadOptions CommandLoadOptions();

// Loads the plugin at `path`, or the bundled one where that is empty, which is
// trusted.
LoadReport LoadNamed(const std::string& path, const LoadOptions& options);

// Has a registry of its own. One thread at a time. Its file systems are cleaned
// up when it ends, so none may be in use then.
class Session final {
 public:
  // `observer`, which may be null, sees the calls of all plugins, and outlives
  // the process's use of them. `warns`: standard error says which plugins lack
  // functions.
  explicit Session(Trust trust = {}, OpObserver* observer = nullptr,
                   bool warns = true)
      : trust_(std::move(trust)), observer_(observer), warns_(warns) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Loads the plugin at `path`, or the bundled one where that is empty. Warns
  // of stand-ins on standard error, where these are allowed.
  LoadReport Load(const std::string& path,
                  MissingSymbols missing_symbols = MissingSymbols::kRefuse);

  // The shared objects that `plugin`, which is not empty, names
  // (loader/discovery/named_plugins.h). "" is the bundled one's path.
  absl::StatusOr<NamedPlugins> FindNamed(const std::string& plugin);

  // The file system for `uri`: of what `plugin` names, where that is not empty
  // (of a folder, all that is right), or else of the bundled plugin, to which
  // bare paths are local, or else of one that this machine has
  // (loader/discovery/plugin_catalog.h). Each plugin is loaded once.
  absl::StatusOr<FileSystemPtr> Open(const std::string& plugin,
                                     std::string_view uri);

 private:
  LoadReport LoadWith(const std::string& path, bool partial,
                      MissingSymbols missing_symbols);
  absl::Status LoadNamedOnce(const std::string& plugin);
  PluginCatalog& Catalog();

  SchemeRegistry registry_;
  const Trust trust_;
  OpObserver* const observer_;
  const bool warns_;                      // of functions that plugins lack
  std::optional<PluginCatalog> catalog_;  // made at its first use
  std::set<std::string> named_;           // what was loaded by its name
  std::string refused_;                   // what was not, of a folder
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_SESSION_SESSION_H_
