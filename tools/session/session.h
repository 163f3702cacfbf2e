// The plugins that one run of `fsload` uses.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/isolation.h"
#include "fsload/load_report.h"
#include "fsload/op_observer.h"
#include "fsload/plugin_loader.h"
#include "fsload/recorder.h"
#include "fsload/replay.h"
#include "fsload/scheme_registry.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/discovery/named_plugins.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/trust/trust.h"

namespace fsload {

// The bundled plugin's name on the command line, and its scheme.
inline constexpr char kBundledName[] = "posix";

// Returns how this command loads plugins, and tries those that it finds itself.
LoadOptions CommandLoadOptions();

// Loads the plugin at `path`, or the bundled one, which is trusted, if `path`
// is empty.
LoadReport LoadNamed(const std::string& path, const LoadOptions& options);

// Warns on standard error of the functions that a loaded plugin lacks, if any,
// unless the user hides that.
void WarnOfStubs(const LoadReport& report);

// Has its own registry. One thread at a time. Its destructor cleans up its file
// systems, so none may be in use then.
class Session final {
 public:
  // Begins a session. `observer`, which may be null, sees the calls of all
  // plugins, and must outlive their use. `warns`: warn on standard error of
  // plugins that lack functions, and of files in a folder of plugins that
  // cannot be read.
  explicit Session(Trust trust = {}, OpObserver* observer = nullptr,
                   bool warns = true)
      : trust_(std::move(trust)), observer_(observer), warns_(warns) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Lets `recorder` record the calls of plugins that are loaded from here on;
  // those of the bundled plugin, which uses no network, are not recorded.
  void Record(std::shared_ptr<Recorder> recorder) {
    recorder_ = std::move(recorder);
  }

  // Puts what `wrap` returns in the place of file systems that are loaded or
  // replayed from here on, above what records; not in that of the bundled
  // plugin's.
  using Wrap = std::function<absl::StatusOr<FileSystemPtr>(FileSystemPtr)>;
  void WrapWith(Wrap wrap) { wrap_ = std::move(wrap); }

  // Loads plugins from here on, but for the bundled one, into processes of
  // their own.
  void Isolate(Isolation isolation) { isolation_ = std::move(isolation); }

  // Sets how long a call of a scheme of the user's file of schemes may take, at
  // most, and its Isolation::restarts, unless the file has another number.
  // Without this, calls have no limit.
  void LimitAliases(absl::Duration timeout, int restarts) {
    of_aliases_.call_timeout = timeout;
    of_aliases_.restarts = restarts;
  }

  // Answers from `journal` instead of from plugins: schemes that it lacks are
  // NOT_FOUND. The bundled plugin serves bare paths and its own scheme, unless
  // the journal does. INVALID_ARGUMENT if the journal has calls of the
  // bundled plugin.
  absl::Status Replay(Journal journal);

  // Loads the plugin at `path`, or the bundled one if `path` is empty.
  LoadReport Load(const std::string& path, bool stub_missing_functions = false);

  // Returns the shared objects that `plugin`, which is not empty, names
  // (loader/discovery/named_plugins.h). The bundled plugin's path is "".
  absl::StatusOr<NamedPlugins> FindNamed(const std::string& plugin);

  // Returns what is installed on this machine, as this session loads it.
  PluginCatalog& Catalog();

  // Returns the file system for `uri`, from `plugin` if that is not empty (for
  // a folder, from all valid plugins in it); otherwise from the bundled plugin,
  // to which bare paths are local, from the user's file of schemes
  // (loader/aliases/scheme_alias.h), or from a plugin installed on this machine
  // (loader/discovery/plugin_catalog.h). Loads each plugin once.
  absl::StatusOr<FileSystemPtr> Open(const std::string& plugin,
                                     std::string_view uri);

 private:
  void Warn(const std::string& text) const;

  // Returns the options for all plugins but the bundled one.
  LoadOptions OptionsForPlugins();
  LoadReport LoadAndWarn(const std::string& path, LoadOptions options);
  absl::StatusOr<FileSystemPtr> OpenAlias(const SchemeAlias& alias,
                                          std::string_view uri);
  LoadReport LoadWith(const std::string& path, bool partial,
                      bool stub_missing_functions);
  absl::Status LoadNamedOnce(const std::string& plugin);
  absl::StatusOr<FileSystemPtr> Wrapped(FileSystemPtr file_system) const;
  absl::Status NotRecorded(std::string_view uri) const;

  SchemeRegistry registry_;
  const Trust trust_;
  OpObserver* const observer_;
  const bool warns_;
  std::shared_ptr<Recorder> recorder_;    // null: nothing is recorded
  Wrap wrap_;                             // null: nothing is wrapped
  std::optional<Isolation> isolation_;    // none: they run in this process
  Isolation of_aliases_;                  // if those do not say otherwise
  std::optional<Journal> journal_;        // replaces plugins
  std::optional<PluginCatalog> catalog_;  // created on first use
  std::set<std::string> named_;           // loaded by name
  std::string refused_;                   // refused plugins of a folder
  // By path, of plugins whose load changed what is this process's.
  std::map<std::string, LoadReport> harmful_;
};

}  // namespace fsload
