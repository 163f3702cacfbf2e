#include "loader/discovery/plugin_catalog.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "compat/environment.h"
#include "core/threads/processors.h"
#include "fsload/log_sink.h"
#include "loader/confined_load/confined_load.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/usable_schemes.h"
#include "loader/trust/base_name.h"
#include "loader/wheels/package_name.h"
#include "loader/wheels/wheel_faults.h"
#include "loader/wheels/wheel_file.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// "tensorflow_io_plugins" for "a/libtensorflow_io_plugins.so.2".
std::string NameOf(std::string_view path) {
  std::string name(BaseName(path));
  name = name.substr(0, name.rfind(".so"));
  constexpr std::string_view kPrefix = "lib";
  const bool prefixed = name.rfind(kPrefix, 0) == 0;
  return prefixed ? name.substr(kPrefix.size()) : name;
}

bool Has(const std::vector<std::string>& schemes, std::string_view scheme) {
  return std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
}

// The message of `status`, without the `path` that it begins with.
std::string ProblemOf(const absl::Status& status, const std::string& path) {
  std::string problem(status.message());
  const std::string prefix = path + ": ";
  if (problem.rfind(prefix, 0) == 0) problem.erase(0, prefix.size());
  return problem;
}

PluginRecord RecordOf(const LoadReport& report) {
  PluginRecord record;
  for (const SchemeReport& scheme : report.schemes) {
    record.schemes.push_back(scheme.scheme);
  }
  record.problem = ProblemOf(report.status, report.plugin);
  return record;
}

// An allow list and what tells that it was changed.
std::string VersionOf(const std::string& allow_list) {
  const auto file =
      PluginRecords::Identify(allow_list).value_or(PluginRecords::Identity());
  return Format("only {} ({} bytes, {})", allow_list, file.bytes, file.changed);
}

// What decides whether a plugin is refused, and which schemes it has.
std::string Deciding(const LoadOptions& load) {
  const char* const modular = EnvironmentVariable(kModularVariable);
  const std::pair<bool, std::string> parts[] = {
      {modular != nullptr,
       Format("{}={}", kModularVariable, modular == nullptr ? "" : modular)},
      {load.stub_missing_functions, "stubs"},
      {load.partial, "partial"},
      {load.in_place, "in place"},
      {load.warnings_as_errors, "warnings as errors"},
      {!load.trust.allow_list.empty(), VersionOf(load.trust.allow_list)}};
  std::string text;
  for (const auto& [set, name] : parts) {
    if (set) text += name + ";";
  }
  return text;
}

constexpr char kUntried[] =
    "it was not tried, as this process has several threads; run `fsload "
    "plugins` once, or find it before there are other threads";

// Returns how long a plugin may take by default while it is tried.
absl::Duration DefaultTimeout() {
  constexpr char kVariable[] = "FSLOAD_DISCOVERY_TIMEOUT";
  const char* const text = EnvironmentVariable(kVariable);
  if (text == nullptr) return absl::Seconds(kUsualDeadline);
  double seconds = 0;
  if (absl::SimpleAtod(text, &seconds) && seconds > 0 &&
      seconds <= kLongestDeadline) {
    return absl::Seconds(seconds);
  }
  Log(TF_WARNING, Format("{}: '{}' is ignored, as it is no number of seconds "
                         "above 0, at most {}; a plugin has {} s",
                         kVariable, text, kLongestDeadline, kUsualDeadline));
  return absl::Seconds(kUsualDeadline);
}

// A confined process starts no other.
CatalogOptions NotIsolated(CatalogOptions options) {
  options.load.isolation.reset();
  options.load.scheme_as.clear();
  return options;
}

}  // namespace

PluginCatalog::PluginCatalog(CatalogOptions options)
    : options_(NotIsolated(std::move(options))),
      deciding_(Deciding(options_.load)) {}

PluginRecords& PluginCatalog::Records() {
  if (!records_.has_value()) records_ = PluginRecords::Read();
  return *records_;
}

absl::StatusOr<std::vector<std::string>> PluginCatalog::Unpack(
    const std::string& path) {
  const auto file = PluginRecords::Identify(path);
  std::optional<PluginRecord> known = Records().Find(path);
  if (known.has_value() && known->problem.empty() &&
      std::all_of(known->plugins.begin(), known->plugins.end(),
                  &IsStillUnpacked)) {
    return std::move(known->plugins);
  }
  absl::StatusOr<UnpackedWheel> unpacked = UnpackWheel(path);
  if (unpacked.ok()) {
    Records().Put(path, file, {"", {}, unpacked->plugins});
  } else if (IsWheelsFault(unpacked.status())) {
    // This result is permanent; other problems may be gone next time.
    Records().Put(path, file, {ProblemOf(unpacked.status(), path), {}, {}});
  }
  Records().Write();
  if (!unpacked.ok()) return unpacked.status();
  return std::move(unpacked->plugins);
}

PluginRecord PluginCatalog::RecordOfWheel(const std::string& path) {
  const std::optional<PluginRecord> known = Records().Find(path);
  if (known.has_value() && !known->problem.empty() && !options_.anew) {
    return *known;
  }
  absl::StatusOr<std::vector<std::string>> plugins = Unpack(path);
  if (plugins.ok()) return {"", {}, *std::move(plugins)};
  return {ProblemOf(plugins.status(), path), {}, {}};
}

std::vector<CatalogEntry> PluginCatalog::EntriesOf(
    const SearchLocation& location) {
  CatalogEntry entry;
  entry.name = NameOf(location.path);
  entry.path = location.path;
  entry.package = location.package;
  entry.kind = location.kind;
  if (!IsWheelName(location.path)) return {entry};
  entry.wheel = location.path;
  const PluginRecord record = RecordOfWheel(location.path);
  if (!record.problem.empty()) {
    entry.name = location.package;
    entry.problem = record.problem;
    return {entry};
  }
  std::vector<CatalogEntry> entries;
  for (const std::string& plugin : record.plugins) {
    entry.name = NameOf(plugin);
    entry.path = plugin;
    entries.push_back(entry);
  }
  return entries;
}

const std::vector<CatalogEntry>& PluginCatalog::Entries() {
  if (entries_.has_value()) return *entries_;
  locations_ = FindSearchLocations();
  entries_.emplace();
  for (const SearchLocation& location : locations_.found) {
    for (CatalogEntry& entry : EntriesOf(location)) {
      entries_->push_back(std::move(entry));
    }
  }
  return *entries_;
}

void PluginCatalog::TryOnes(const std::vector<CatalogEntry*>& entries) {
  if (entries.empty()) return;
  std::vector<NamedLoader> loaders;
  std::vector<std::optional<PluginRecords::Identity>> files;
  for (const CatalogEntry* const entry : entries) {
    files.push_back(PluginRecords::Identify(entry->path));
    const auto load = [this, path = entry->path](const LoadOptions& confined) {
      LoadOptions options = options_.load;
      options.registry = confined.registry;
      options.on_phase = confined.on_phase;
      return LoadPlugin(path, options);
    };
    loaders.push_back({entry->path, load});
  }
  size_t next = 0;
  const auto note = [&](const ConfinedReport& report) {
    const auto& file = files[next];
    CatalogEntry& entry = *entries[next++];
    const PluginRecord record = RecordOf(report.load);
    entry.schemes = record.schemes;
    entry.problem = record.problem;
    entry.stubs = report.load.stubs;
    // INTERNAL: the plugin is not to blame for not being tried.
    if (!absl::IsInternal(report.load.status)) {
      Records().Put(entry.path, file, record, deciding_);
      tried_now_.insert(entry.path);
    }
  };
  LoadAllConfined(loaders, Processors(),
                  options_.timeout ? *options_.timeout : DefaultTimeout(), note,
                  options_.stop);
}

std::optional<PluginRecord> PluginCatalog::LikelyRecord(
    const std::string& path) {
  // Whether it is refused with these options, the load will tell.
  if (auto tried = Records().FindGood(path)) return tried;
  const KnownPlugin* const known = KnownPluginAt(path);
  if (known == nullptr) return std::nullopt;
  return PluginRecord{"", {known->schemes.begin(), known->schemes.end()}, {}};
}

void PluginCatalog::Try(bool anew) {
  Entries();
  std::vector<CatalogEntry*> untried;
  const bool may_try = HasOneThread();
  for (CatalogEntry& entry : *entries_) {
    if (entry.path == entry.wheel) continue;  // nothing was unpacked
    if (tried_now_.count(entry.path) > 0) continue;
    std::optional<PluginRecord> record = Records().Find(entry.path, deciding_);
    if (may_try && (anew || !record.has_value())) {
      untried.push_back(&entry);
      continue;
    }
    if (!record.has_value()) record = LikelyRecord(entry.path);
    entry.is_untried = !record.has_value();
    entry.schemes =
        record.has_value() ? record->schemes : std::vector<std::string>();
    entry.problem = record.has_value() ? record->problem : kUntried;
  }
  TryOnes(untried);
  Records().Write();
  tried_ = true;
}

const std::vector<CatalogEntry>& PluginCatalog::All() {
  if (!tried_) Try(options_.anew);
  return *entries_;
}

absl::StatusOr<CatalogEntry> PluginCatalog::FindForScheme(
    std::string_view scheme) {
  const auto serves = [scheme](const CatalogEntry& entry) {
    return entry.problem.empty() && Has(entry.schemes, scheme);
  };
  All();
  auto found = std::find_if(entries_->begin(), entries_->end(), serves);
  const bool stops = options_.stop != nullptr && options_.stop();
  if (found == entries_->end() && !options_.anew && !stops) {
    // What was missing when they were refused may be there by now.
    Try(/*anew=*/true);
    found = std::find_if(entries_->begin(), entries_->end(), serves);
  }
  if (found == entries_->end()) return NobodyServes(scheme);
  return *found;
}

const CatalogEntry* PluginCatalog::WouldServe(std::string_view scheme) {
  const KnownPlugin* const known = KnownPluginFor(scheme);
  const auto would_serve = [&](const CatalogEntry& entry) {
    if (entry.problem.empty()) return false;
    return Has(entry.schemes, scheme) ||
           (known != nullptr && (KnownPluginAt(entry.path) == known ||
                                 entry.package == known->package));
  };
  All();
  const auto found =
      std::find_if(entries_->begin(), entries_->end(), would_serve);
  return found == entries_->end() ? nullptr : &*found;
}

const CatalogEntry* PluginCatalog::Renaming(std::string_view scheme) {
  for (const CatalogEntry& entry : All()) {
    const bool loads = entry.problem.empty();
    if (loads && !RenamedText(entry.schemes, scheme).empty()) return &entry;
  }
  return nullptr;
}

std::string PluginCatalog::PassedOverText() const {
  const auto is_refused = [](const CatalogEntry& entry) {
    return !entry.problem.empty();
  };
  // Nothing tells what it would serve.
  const auto is_unknown = [&](const CatalogEntry& entry) {
    return is_refused(entry) && entry.schemes.empty() &&
           KnownPluginAt(entry.path) == nullptr;
  };
  auto refused = std::count_if(entries_->begin(), entries_->end(), is_refused);
  const auto unknown =
      std::find_if(entries_->begin(), entries_->end(), is_unknown);
  std::string text;
  if (unknown != entries_->end()) {
    text = Format("; {} was passed over: {}", unknown->FileOfUser(),
                  unknown->problem);
    --refused;
  }
  if (refused > 0) {
    text += Format(" ({}{} refused: `fsload plugins` says why)", refused,
                   text.empty() ? "" : " more");
  }
  return text;
}

absl::Status PluginCatalog::NobodyServes(std::string_view scheme) {
  const KnownPlugin* const known = KnownPluginFor(scheme);
  if (const CatalogEntry* const entry = WouldServe(scheme)) {
    return FailedPreconditionError(
        "{0}: refused, so nothing serves {1}://: {2}; `fsload "
        "check {0}` says more",
        entry->path, scheme, entry->problem);
  }
  std::string text = Format("no plugin for {}:// is installed", scheme);
  const CatalogEntry* const renaming = Renaming(scheme);
  std::string install;
  if (known != nullptr) {
    install = Format("; {}try: {}, or name a wheel in FSLOAD_PLUGIN_PATH",
                     renaming == nullptr ? "" : "set that, or ",
                     InstallCommand(*known));
  }
  const auto untried =
      std::find_if(entries_->begin(), entries_->end(),
                   [](const CatalogEntry& entry) { return entry.is_untried; });
  if (untried != entries_->end()) {
    return NotFoundError("{}, unless it is {}: {}{}", text, untried->path,
                         kUntried, install);
  }
  text += PassedOverText();
  if (renaming != nullptr) {
    text += Format("; {} {}", renaming->FileOfUser(),
                   RenamedText(renaming->schemes, scheme));
  }
  text +=
      known != nullptr
          ? install
          : "; name one in FSLOAD_PLUGIN_PATH or with the command's --plugin "
            "option";
  return absl::NotFoundError(text);
}

absl::StatusOr<CatalogEntry> PluginCatalog::FindNamed(std::string_view name) {
  for (const CatalogEntry& entry : Entries()) {
    if (entry.name == name || BaseName(entry.path) == name ||
        (!entry.package.empty() && entry.package == NormalPackageName(name))) {
      return entry;
    }
  }
  std::string repair;
  for (const KnownPlugin& known : KnownPlugins()) {
    if (known.package == NormalPackageName(name) ||
        NameOf(known.path) == name) {
      repair += "; try: " + InstallCommand(known);
    }
  }
  if (repair.empty()) repair = "; `fsload plugins` lists them";
  return NotFoundError("{}: no installed plugin has this name{}", name, repair);
}

}  // namespace fsload
