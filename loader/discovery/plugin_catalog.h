// The plugins that this machine has, what they serve and whether they are
// right; which of them serves a scheme, and which has a name.
#ifndef FSLOAD_LOADER_DISCOVERY_PLUGIN_CATALOG_H_
#define FSLOAD_LOADER_DISCOVERY_PLUGIN_CATALOG_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/discovery/plugin_places.h"
#include "loader/discovery/plugin_records.h"

namespace fsload {

// One plugin.
struct CatalogEntry {
  std::string name;   // "tensorflow_io_plugins", by its file's
  std::string path;   // of its shared object; of a wheel's where that has none
  std::string wheel;  // that it came in; "" for none
  std::string package;  // of PyPI: "tensorflow-io"; "" where unknown
  PlaceKind kind;
  std::vector<std::string> schemes;
  std::string problem;  // the first that keeps it from being loaded; "": none
};

struct CatalogOptions {
  // How plugins are tried: as they will be loaded.
  LoadOptions load;

  // What a plugin may take to be loaded.
  absl::Duration deadline = absl::Seconds(10);

  // Try plugins although it is known from earlier runs what comes of it.
  bool anew = false;
};

// Plugins are tried in a confined child (loader/confined_load/confined_load.h),
// in the order of FindPluginPlaces; what comes of it is remembered for later
// runs (loader/discovery/plugin_records.h). One thread at a time. In a process
// that has more threads nothing is tried: what is remembered or known of a
// plugin (loader/known_plugins/known_plugins.h) must do then.
class PluginCatalog final {
 public:
  explicit PluginCatalog(CatalogOptions options)
      : options_(std::move(options)) {}

  // All plugins, those that are refused as well.
  const std::vector<CatalogEntry>& All();

  // What could not be looked at, and why; as of All.
  const std::vector<std::string>& problems() const { return places_.problems; }

  // The first plugin that can be loaded and has `scheme`. NOT_FOUND, saying
  // what to install where that is known; FAILED_PRECONDITION, saying why, where
  // all that would serve it are refused.
  absl::StatusOr<CatalogEntry> FindForScheme(std::string_view scheme);

  // The first plugin that would serve `scheme` if it could be loaded; null
  // where there is none. Valid until the next call.
  const CatalogEntry* WouldServe(std::string_view scheme);

  // The first plugin of this name, file name or package. NOT_FOUND, naming
  // those that there are. Runs nothing.
  absl::StatusOr<CatalogEntry> FindNamed(std::string_view name);

  // The plugins in the wheel at `path`, unpacked to the cache, at least one.
  // Where the wheel, and what it was unpacked to, are as they were in an
  // earlier run, neither is read. Fails as UnpackWheel does. Runs nothing.
  absl::StatusOr<std::vector<std::string>> Unpack(const std::string& path);

 private:
  // The plugins of one place, of which schemes and problem are not known yet.
  std::vector<CatalogEntry> EntriesOf(const PluginPlace& place);
  PluginRecord RecordOfWheel(const std::string& path);
  PluginRecords& Records();

  // Finds out what is not known of `entries_`; all of it, where `anew`.
  void Try(bool anew);
  void TryOnes(const std::vector<CatalogEntry*>& entries);

  const std::vector<CatalogEntry>& Entries();
  absl::Status NobodyServes(std::string_view scheme);

  const CatalogOptions options_;
  PluginPlaces places_;
  std::optional<PluginRecords> records_;              // none: not read
  std::optional<std::vector<CatalogEntry>> entries_;  // none: not looked for
  bool tried_ = false;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_DISCOVERY_PLUGIN_CATALOG_H_
