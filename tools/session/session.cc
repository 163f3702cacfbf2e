#include "tools/session/session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "compat/environment.h"
#include "core/paths/uri.h"
#include "core/system/descriptor.h"
#include "core/wrappers/range_check.h"
#include "fsload/load_phase.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/confined_load/host_state.h"
#include "loader/discovery/plugin_to_load.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/usable_schemes.h"
#include "loader/rules/findings.h"
#include "loader/trust/base_name.h"
#include "third_party/fmt/format.h"
#include "tools/session/bundled_plugin.h"
#include "tools/session/interruption.h"
#include "tools/session/running_ops.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

// The environment variable that silences WarnOfStubs.
constexpr const char* kHidesStubWarning = "FSLOAD_HIDE_MISSING_FUNCTIONS";

// What this command's own paths and files depend on, as it is before a load.
class OwnPlace {
 public:
  // Restores what has changed, and returns a finding for it.
  std::optional<Finding> Restore() const {
    const std::optional<Finding> moved =
        ChangeOf(RuleId::kKeepsWorkingDirectory, directory_);
    const std::optional<Finding> masked = ChangeOf(RuleId::kKeepsUmask, umask_);
    if (moved.has_value() && fchdir(folder_.get()) != 0) std::abort();
    if (masked.has_value()) {
      umask(static_cast<mode_t>(std::strtoul(umask_.c_str(), nullptr, 8)));
    }
    return moved.has_value() ? moved : masked;
  }

 private:
  static std::string Read(RuleId rule) { return PartOf(rule)->read(); }

  static std::optional<Finding> ChangeOf(RuleId rule,
                                         const std::string& before) {
    const std::string now = Read(rule);
    // /proc may be missing.
    if (now == before || now.empty() || before.empty()) return std::nullopt;
    const HostStatePart& part = *PartOf(rule);
    return Finding{rule, "", false,
                   Format("loading it changed {}: {} before, {} after; {}",
                          part.name, before, now, part.effect)};
  }

  const Descriptor folder_{open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  const std::string directory_ = Read(RuleId::kKeepsWorkingDirectory);
  const std::string umask_ = Read(RuleId::kKeepsUmask);
};

}  // namespace

LoadOptions CommandLoadOptions() {
  LoadOptions options;
  options.stub_missing_functions = true;
  return options;
}

LoadReport LoadNamed(const std::string& path, const LoadOptions& options) {
  if (!path.empty()) return LoadPlugin(path, options);
  LoadOptions trusted = options;
  trusted.trust = {};
  return LoadPluginFromBytes(kBundledPluginName, BundledPlugin(), trusted);
}

void WarnOfStubs(const LoadReport& report) {
  const size_t missing = report.stubs.size();
  if (missing == 0 || EnvironmentVariable(kHidesStubWarning) != nullptr) return;
  PrintWarning(Format(
      "{}: {} imported function{} undefined; operations that call {} fail "
      "(`fsload check` names {}, and {}=1 hides this warning)",
      BaseName(report.plugin), missing, missing == 1 ? " is" : "s are",
      missing == 1 ? "it" : "them", missing == 1 ? "it" : "them",
      kHidesStubWarning));
}

Session::~Session() {
  const absl::Status status = registry_.RetireAll(absl::Seconds(10));
  if (!status.ok()) PrintError(status);
}

void Session::Warn(const std::string& text) const {
  if (warns_) PrintWarning(text);
}

absl::StatusOr<FileSystemPtr> Session::Wrapped(
    FileSystemPtr file_system) const {
  absl::StatusOr<FileSystemPtr> wrapped = std::move(file_system);
  if (recorder_ != nullptr) {
    wrapped = RecordCalls(*std::move(wrapped), recorder_);
  }
  if (wrapped.ok() && wrap_ != nullptr) wrapped = wrap_(*std::move(wrapped));
  return wrapped;
}

LoadOptions Session::OptionsForPlugins() {
  LoadOptions options = CommandLoadOptions();
  options.registry = &registry_;
  options.trust = trust_;
  options.observer = observer_;
  options.isolation = isolation_;
  options.wrap = [this](FileSystemPtr file_system) {
    return Wrapped(std::move(file_system));
  };
  return options;
}

LoadReport Session::LoadWith(const std::string& path, bool partial,
                             bool stub_missing_functions) {
  LoadOptions options = OptionsForPlugins();
  options.partial = partial;
  options.stub_missing_functions = stub_missing_functions;
  if (path.empty()) {
    options.isolation.reset();
    options.wrap = nullptr;
  }
  return LoadAndWarn(path, options);
}

LoadReport Session::LoadAndWarn(const std::string& path, LoadOptions options) {
  const auto harmful = harmful_.find(path);
  if (harmful != harmful_.end()) return harmful->second;
  const OwnPlace before;
  std::optional<LocalCall> loading;
  // A worker has its own limit, and the bundled plugin is no file.
  if (!options.isolation.has_value() && !path.empty()) {
    loading.emplace("load", path);
    // That and what follows are calls of their own.
    options.on_phase = [&loading](LoadPhase phase, std::string_view) {
      if (phase >= LoadPhase::kInit) loading.reset();
    };
  }
  LoadReport report = LoadNamed(path, options);
  if (const std::optional<Finding> change = before.Restore()) {
    for (SchemeReport& scheme : report.schemes) {
      if (!scheme.registered) continue;
      registry_.Retire(scheme.scheme).IgnoreError();
      scheme.registered = false;
    }
    report.findings.push_back(*change);
    report.status = RefusalOf(report.plugin, *change);
    harmful_.emplace(path, report);
  }
  if (warns_ && !report.loaded_before) WarnOfStubs(report);
  return report;
}

LoadReport Session::Load(const std::string& path, bool stub_missing_functions) {
  // Schemes that another plugin serves already stay with it.
  return LoadWith(path, path.empty() && !registry_.Schemes().empty(),
                  stub_missing_functions);
}

absl::StatusOr<FileSystemPtr> Session::OpenAlias(const SchemeAlias& alias,
                                                 std::string_view uri) {
  LoadOptions options = OptionsForPlugins();
  if (!options.isolation.has_value()) options.isolation = of_aliases_;
  const absl::StatusOr<PluginToLoad> plugin =
      PluginOf(alias, options, Catalog());
  if (!plugin.ok()) return plugin.status();
  const LoadReport report = LoadAndWarn(plugin->path, plugin->options);
  return report.status.ok() ? registry_.Resolve(uri)
                            : LoadStatusOf(*plugin, report.status);
}

absl::Status Session::Replay(Journal journal) {
  // What the bundled plugin serves is changed on the disk itself, and where it
  // is there is for the journal to say.
  for (const JournaledScheme& each : journal.schemes()) {
    if (each.plugin != kBundledPluginName) continue;
    return InvalidArgumentError(
        "the journal has calls of {}, which fsload never records",
        kBundledPluginName);
  }
  absl::StatusOr<std::vector<FileSystemPtr>> file_systems =
      journal.Replay(observer_);
  if (!file_systems.ok()) return file_systems.status();
  for (FileSystemPtr& each : *file_systems) {
    absl::StatusOr<FileSystemPtr> wrapped = Wrapped(std::move(each));
    if (wrapped.ok()) wrapped = CheckRanges(*wrapped, (*wrapped)->scheme());
    if (!wrapped.ok()) return wrapped.status();
    each = *std::move(wrapped);
  }
  journal_ = std::move(journal);
  return registry_.Register(*file_systems);
}

absl::Status Session::NotRecorded(std::string_view uri) const {
  std::vector<std::string> schemes;
  for (const JournaledScheme& each : journal_->schemes()) {
    schemes.push_back(each.scheme + "://");
  }
  return NotFoundError(
      "{}: the journal has no calls for this scheme; it has {}", uri,
      schemes.empty() ? "no calls at all" : absl::StrJoin(schemes, ", "));
}

PluginCatalog& Session::Catalog() {
  if (!catalog_.has_value()) {
    CatalogOptions options;
    options.load = CommandLoadOptions();
    options.load.trust = trust_;
    options.stop = [] { return !CheckInterruption().ok(); };
    catalog_.emplace(std::move(options));
  }
  return *catalog_;
}

absl::StatusOr<NamedPlugins> Session::FindNamed(const std::string& plugin) {
  absl::StatusOr<NamedPlugins> named = FindNamedPlugins(plugin, Catalog());
  if (!named.ok() && plugin == kBundledName) {
    return NamedPlugins{{""}, false, {}};
  }
  return named;
}

absl::Status Session::LoadNamedOnce(const std::string& plugin) {
  if (plugin.empty() || named_.count(plugin) > 0) return absl::OkStatus();
  const absl::StatusOr<NamedPlugins> found = FindNamed(plugin);
  if (!found.ok()) return found.status();
  for (const std::string& problem : found->problems) Warn(problem);
  bool any_loaded = false;
  for (const std::string& path : found->plugins) {
    const LoadReport report =
        found->folder
            ? LoadWith(path, /*partial=*/true, /*stub_missing_functions=*/true)
            : Load(path, /*stub_missing_functions=*/true);
    any_loaded |= report.status.ok();
    if (report.status.ok()) continue;
    if (!found->folder) return report.status;
    if (refused_.empty()) refused_ = std::string(report.status.message());
  }
  if (!any_loaded) return absl::FailedPreconditionError(refused_);
  named_.insert(plugin);
  return absl::OkStatus();
}

absl::StatusOr<FileSystemPtr> Session::Open(const std::string& plugin,
                                            std::string_view uri) {
  const absl::Status named = LoadNamedOnce(plugin);
  if (!named.ok()) return named;
  absl::StatusOr<FileSystemPtr> found = registry_.Resolve(uri);
  if (found.ok()) return found;
  const std::string scheme(ParseUri(uri).scheme);
  if (scheme.empty() || scheme == kBundledName) {
    const LoadReport bundled = Load("");
    return bundled.status.ok() ? registry_.Resolve(uri) : bundled.status;
  }
  if (journal_.has_value()) return NotRecorded(uri);
  const absl::StatusOr<std::optional<SchemeAlias>> alias = FindAlias(scheme);
  if (!alias.ok()) return alias.status();
  if (alias->has_value()) return OpenAlias(**alias, uri);
  absl::StatusOr<CatalogEntry> entry = Catalog().FindForScheme(scheme);
  if (!entry.ok()) {
    const std::string renamed = RenamedText(registry_.Schemes(), scheme);
    if (!renamed.empty()) {
      return NotFoundError("{}: {} {}; set that", uri, plugin, renamed);
    }
    if (refused_.empty() && !plugin.empty() &&
        absl::IsNotFound(entry.status()) && KnownPluginFor(scheme) == nullptr) {
      return NotFoundError(
          "{}: {} does not provide {}://; name another plugin with "
          "--plugin",
          uri, plugin, scheme);
    }
    const std::string why =
        Format("{}: {}", uri, std::string(entry.status().message()));
    if (refused_.empty()) return absl::Status(entry.status().code(), why);
    return absl::Status(entry.status().code(),
                        Format("{}; a plugin that '{}' names is refused: {}",
                               why, plugin, refused_));
  }
  // Another plugin may serve its other schemes already.
  const LoadReport report =
      LoadWith(entry->path, /*partial=*/true, /*stub_missing_functions=*/true);
  return report.status.ok() ? registry_.Resolve(uri) : report.status;
}

}  // namespace fsload
