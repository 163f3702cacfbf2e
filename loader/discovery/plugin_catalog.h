// The plugins on this machine: what they serve, whether they are valid, and
// lookup by scheme or name.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/discovery/plugin_records.h"
#include "loader/discovery/search_locations.h"

namespace fsload {

struct CatalogEntry {
  std::string name;     // "tensorflow_io_plugins", from its file name
  std::string path;     // of its shared object; of the wheel if that has none
  std::string wheel;    // that contains it; "" if none
  std::string package;  // on PyPI: "tensorflow-io"; "" if unknown
  SearchLocationKind kind;
  std::vector<std::string> schemes;
  std::string problem;      // the first that prevents loading; "": none
  bool is_untried = false;  // whether the problem is only that
  std::vector<std::string> stubs = {};  // LoadReport's, if tried just now

  // Returns the file that the user has: the wheel, or the shared object.
  const std::string& FileOfUser() const { return wheel.empty() ? path : wheel; }
};

struct CatalogOptions {
  // How plugins are tried: the way they will be loaded, but not isolated.
  LoadOptions load;

  // The time limit for trying a plugin; none given: FSLOAD_DISCOVERY_TIMEOUT in
  // seconds, or 10 s.
  std::optional<absl::Duration> timeout = std::nullopt;

  // Try plugins even if the result is known from earlier runs.
  bool anew = false;

  // Called while plugins are tried; once it returns true, no more are, and
  // nothing is known of the rest. Null: it never does.
  std::function<bool()> stop = nullptr;
};

// Plugins are tried in a confined child (loader/confined_load/confined_load.h),
// in the order of FindSearchLocations; the results are remembered for later
// runs (loader/discovery/plugin_records.h). One thread at a time. A
// multi-threaded process tries nothing: it relies on what is remembered or
// known of a plugin (loader/known_plugins/known_plugins.h).
class PluginCatalog final {
 public:
  explicit PluginCatalog(CatalogOptions options);

  // Returns all plugins, including refused ones.
  const std::vector<CatalogEntry>& All();

  // Returns what could not be read, and why, during All.
  const std::vector<std::string>& problems() const {
    return locations_.problems;
  }

  // Returns the first loadable plugin that has `scheme`. NOT_FOUND, saying what
  // to install if that is known; FAILED_PRECONDITION, saying why, if every
  // plugin that serves it is refused.
  absl::StatusOr<CatalogEntry> FindForScheme(std::string_view scheme);

  // Returns the first plugin that would serve `scheme` if it could be loaded;
  // null if there is none. Valid until the next call.
  const CatalogEntry* WouldServe(std::string_view scheme);

  // Returns the first loadable plugin that would have `scheme` if an
  // environment variable were set (RenamedText,
  // loader/known_plugins/usable_schemes.h); null if there is none. Valid until
  // the next call.
  const CatalogEntry* Renaming(std::string_view scheme);

  // Returns the first plugin with this name, file name or package. NOT_FOUND,
  // listing the known names. Runs nothing.
  absl::StatusOr<CatalogEntry> FindNamed(std::string_view name);

  // Returns the plugins in the wheel at `path`, unpacked to the cache; at least
  // one. If the wheel and its unpacked files are unchanged since an earlier
  // run, neither is read. Fails like UnpackWheel. Runs nothing.
  absl::StatusOr<std::vector<std::string>> Unpack(const std::string& path);

 private:
  // Returns the plugins of one location, with schemes and problem still
  // unknown.
  std::vector<CatalogEntry> EntriesOf(const SearchLocation& location);
  PluginRecord RecordOfWheel(const std::string& path);

  // Returns what a plugin that cannot be tried here and now would probably
  // have.
  std::optional<PluginRecord> LikelyRecord(const std::string& path);
  PluginRecords& Records();

  // Finds out what is unknown of `entries_`; if `anew`, everything that was not
  // tried just now.
  void Try(bool anew);
  void TryOnes(const std::vector<CatalogEntry*>& entries);

  const std::vector<CatalogEntry>& Entries();
  absl::Status NobodyServes(std::string_view scheme);

  // Returns "; a.so was passed over: FSP035: ..."; "" if all can be loaded.
  std::string PassedOverText() const;

  const CatalogOptions options_;
  const std::string deciding_;  // the options on which records depend
  SearchLocations locations_;
  std::optional<PluginRecords> records_;              // none: not read
  std::optional<std::vector<CatalogEntry>> entries_;  // none: not searched yet
  bool tried_ = false;
  std::set<std::string> tried_now_;  // paths, not what earlier runs tried
};

}  // namespace fsload
