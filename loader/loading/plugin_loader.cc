#include "fsload/plugin_loader.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/calls/missing_function.h"
#include "core/calls/plugin_call.h"
#include "core/file_system/plugin_file_system.h"
#include "core/registry/pinned.h"
#include "core/tables/operations.h"
#include "core/wrappers/range_check.h"
#include "fsload/file_system.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/plugin_variables.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/loading/plugin_check.h"
#include "loader/report/debug.h"
#include "loader/tables/unusable_scheme.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// The observer of a plugin that is loaded with `options`. Call with LoadMutex()
// held.
OpObserver* ObserverOf(const LoadOptions& options) {
  if (!IsDebugged(DebugTopic::kOps)) return options.observer;
  if (options.observer == nullptr) return &OpLogger();
  // One for each observer, never freed, like the tables.
  static auto* const lists = new std::map<OpObserver*, OpObserverList>;
  const auto list = lists->try_emplace(
      options.observer,
      std::vector<OpObserver*>{options.observer, &OpLogger()});
  return &list.first->second;
}

// `sealed`, or a copy whose calls `observer` sees.
absl::StatusOr<OpTables> Observed(const OpTables& sealed,
                                  OpObserver* observer) {
  if (sealed->observer == observer) return sealed;
  SchemeTables tables = *sealed;
  tables.observer = observer;
  tables.copied_from = &*sealed;
  absl::StatusOr<std::vector<OpTables>> copies = OpTables::Seal({&tables, 1});
  if (!copies.ok()) return copies.status();
  return std::move(copies->front());
}

// One load, step by step.
class Load {
 public:
  Load(std::string name, const LoadOptions& options)
      : options_(options),
        registry_(options.registry != nullptr ? *options.registry
                                              : SchemeRegistry::Default()),
        observer_(ObserverOf(options)) {
    report_.plugin = std::move(name);
    if (options.warnings_as_errors) findings_.RefuseWarnings();
  }

  LoadReport Contents(std::unique_ptr<PrivateCopy> contents,
                      const std::string& path) {
    if (contents != nullptr) report_.known_as = KnownNameOf(contents->bytes());
    LoadedPlugin* const plugin =
        contents == nullptr || findings_.PluginRefused()
            ? nullptr
            : FindOrOpen(std::move(contents), path);
    if (plugin == nullptr) return Finish();
    const Library& library = *plugin->library;
    report_.imports = library.imports;
    report_.stubs = library.stubs;
    report_.status_provider = library.status_provider;
    findings_.AddAll(library.findings);
    if (library.init == nullptr) return Finish();
    if (!plugin->checked.has_value()) {
      plugin->checked =
          CheckPlugin(report_.plugin, report_.known_as, library.init,
                      library.status, options_, observer_, findings_);
      if (plugin->checked.has_value()) {
        CheckOpened(library.opened, nullptr, options_.trust,
                    plugin->checked->findings);
      }
    }
    plugin->looked = LoadedLibraries::Now();
    plugin->trust = options_.trust;
    if (plugin->checked.has_value()) Register(*plugin->checked, plugin);
    return Finish();
  }

  LoadReport LinkedIn(InitFunction init) {
    report_.status_provider = "fsload";
    std::optional<CheckedPlugin> checked =
        CheckPlugin(report_.plugin, "", init, StatusProvider(), options_,
                    observer_, findings_);
    if (checked.has_value()) Register(*checked, nullptr);
    return Finish();
  }

  Findings& findings() { return findings_; }

 private:
  void Enter(LoadPhase phase, std::string_view scheme = "") const {
    if (options_.on_phase != nullptr) options_.on_phase(phase, scheme);
  }

  LoadedPlugin* FindOrOpen(std::unique_ptr<PrivateCopy> contents,
                           const std::string& path) {
    for (const std::unique_ptr<LoadedPlugin>& plugin : LoadedPlugins()) {
      if (!plugin->library->contents->HasSameOrigin(*contents)) continue;
      report_.loaded_before = true;
      LogLoadStep(report_.plugin, "the same contents are loaded already");
      return CheckAllowed(*plugin->library->contents, options_.trust,
                          findings_) &&
                     CheckStubs(*plugin->library)
                 ? plugin.get()
                 : nullptr;
    }
    if (options_.sets_variables) SetPluginVariables(report_.known_as);
    Enter(LoadPhase::kStaticInitializers);
    std::unique_ptr<Library> library =
        OpenLibrary(std::move(contents),
                    {path, report_.known_as, options_.in_place && !path.empty(),
                     options_.trust, options_.missing_symbols},
                    findings_);
    if (library == nullptr) return nullptr;
    LogLoadStep(report_.plugin,
                Format("opened; {} imports; TF_Status from {}",
                       library->imports.size(), library->status_provider));
    LoadedLibraries opened = library->opened;
    LoadedPlugins().push_back(std::make_unique<LoadedPlugin>(LoadedPlugin{
        std::move(library), std::nullopt, std::move(opened), options_.trust}));
    return LoadedPlugins().back().get();
  }

  // Whether stubs are allowed, if `library` has some.
  bool CheckStubs(const Library& library) {
    if (library.stubs.empty() ||
        options_.missing_symbols == MissingSymbols::kStub) {
      return true;
    }
    findings_.Add(
        RuleId::kOtherSymbols,
        Format(
            "when the plugin was loaded before, functions that fail replaced "
            "missing ones (number: {}, first: '{}'); it is not used where "
            "LoadOptions::missing_symbols forbids that",
            library.stubs.size(), library.stubs.front()));
    return false;
  }

  bool MustStop() const {
    return options_.partial ? findings_.PluginRefused()
                            : findings_.AnyRefused();
  }

  // Whether the registry has this plugin under a scheme, or only without
  // something that the load asks for.
  enum class Registered { kNo, kYes, kWithoutWrapper, kWithoutObserver };

  // What wraps the plugin has other tables, but the same owner.
  Registered FindRegistered(const std::string& scheme,
                            const OpTables& tables) const {
    const Pinned pinned(registry_, scheme);
    if (!pinned) return Registered::kNo;
    const SchemeTables& registered = TablesOf(WithoutRangeCheck(*pinned.get()));
    if (&registered != &*tables && registered.copied_from != &*tables) {
      const bool is_wrapped =
          options_.wrap != nullptr && pinned->owner() == report_.plugin;
      return is_wrapped ? Registered::kYes : Registered::kNo;
    }
    if (observer_ != nullptr && registered.observer != observer_) {
      return Registered::kWithoutObserver;
    }
    return options_.wrap == nullptr ? Registered::kYes
                                    : Registered::kWithoutWrapper;
  }

  // `plugin` is the one that is `checked`; null if that is not a library.
  void Register(CheckedPlugin& checked, LoadedPlugin* plugin) {
    findings_.AddAll(checked.findings);
    for (const CheckedScheme& scheme : checked.schemes) {
      report_.schemes.push_back(scheme.report);
    }
    if (!MustStop()) RegisterSchemes(checked, plugin);
  }

  // Initialises the file system of `scheme`. If its init calls a stub,
  // returns one whose operations only report that.
  absl::StatusOr<FileSystemPtr> Create(CheckedScheme& scheme) {
    const std::string& name = scheme.report.scheme;
    absl::StatusOr<OpTables> tables = Observed(*scheme.tables, observer_);
    if (!tables.ok()) return tables.status();
    if (scheme.unusable.empty()) {
      Enter(LoadPhase::kInit, name);
      absl::StatusOr<FileSystemPtr> created =
          PluginFileSystem::Create(*tables, name, report_.plugin);
      if (!IsMissingFunction(created.status())) return created;
      const absl::StatusOr<OpTables> unusable = SealUnusable(**scheme.tables);
      if (!unusable.ok()) return created;
      scheme.tables = *unusable;
      scheme.unusable = std::string(created.status().message());
      tables = Observed(*scheme.tables, observer_);
      if (!tables.ok()) return tables.status();
    }
    return CreateUnusable(*tables, name, report_.plugin, scheme.unusable);
  }

  // Adds a finding about a scheme's init.
  void AddInitFinding(const CheckedScheme& scheme, const absl::Status& status) {
    const std::string& name = scheme.report.scheme;
    const std::string text =
        status.ok() ? scheme.unusable : std::string(status.message());
    if (text.empty()) return;
    // The finding names the scheme and the operation already.
    absl::string_view why = absl::StripPrefix(text, name + "://: ");
    why = absl::StripSuffix(why, " (init)");
    findings_.AddFor(
        name, status.ok() ? RuleId::kNoStubs : RuleId::kInitSucceeds,
        Format("init failed: {}; {}", std::string(why),
               status.ok() ? "all operations of the scheme report this"
                           : "the scheme is not registered"),
        Table::kFilesystem, Op::kFilesystem_init);
  }

  // Checks what the init of `plugin` opened: if that is not allowed, the plugin
  // is never used.
  void CheckOpenedByInit(CheckedPlugin& checked, LoadedPlugin* plugin) {
    if (plugin == nullptr) return;
    Findings found;
    CheckOpened(plugin->looked, nullptr, options_.trust, found);
    if (found.all().empty()) return;
    plugin->looked = LoadedLibraries::Now();
    checked.findings.AddAll(found);
    findings_.AddAll(found);
  }

  void RegisterSchemes(CheckedPlugin& checked, LoadedPlugin* plugin) {
    std::vector<CheckedScheme>& schemes = checked.schemes;
    std::vector<FileSystemPtr> file_systems;
    for (size_t i = 0; i < schemes.size(); ++i) {
      CheckedScheme& scheme = schemes[i];
      if (!scheme.tables.has_value()) continue;
      SchemeReport& report = report_.schemes[i];
      report_.sealing = scheme.tables->tier();
      if (findings_.SchemeRefused(report.scheme)) continue;
      const Registered found = FindRegistered(report.scheme, *scheme.tables);
      if (found != Registered::kNo && found != Registered::kYes) {
        findings_.AddFor(
            report.scheme, RuleId::kSchemeFree,
            Format(
                "the plugin is registered already, without the {} of "
                "this load; retire the scheme first",
                found == Registered::kWithoutWrapper ? "wrapper" : "observer"));
        if (!options_.partial) break;
        continue;
      }
      report.registered = found == Registered::kYes;
      absl::StatusOr<FileSystemPtr> created =
          report.registered ? nullptr : Create(scheme);
      if (created.ok() && *created != nullptr && options_.wrap != nullptr) {
        created = options_.wrap(*std::move(created));
      }
      if (created.ok() && *created != nullptr) {
        created = CheckRanges(*std::move(created));
      }
      AddInitFinding(scheme, created.status());
      if (report.registered) continue;
      CheckOpenedByInit(checked, plugin);
      if (findings_.SchemeRefused(report.scheme)) {
        if (!options_.partial) break;
        continue;
      }
      file_systems.push_back(*std::move(created));
      if (findings_.PluginRefused()) break;
    }
    if (!MustStop() && options_.partial) {
      for (FileSystemPtr& file_system : file_systems) {
        std::vector<FileSystemPtr> one;
        one.push_back(std::exchange(file_system, nullptr));
        RegisterAll(one);
      }
      file_systems.clear();
    } else if (!MustStop()) {
      RegisterAll(file_systems);
    }
    // What was not registered is cleaned up in reverse order.
    while (!file_systems.empty()) {
      Enter(LoadPhase::kCleanup, file_systems.back()->scheme());
      file_systems.pop_back();
    }
  }

  // The scheme of `file_systems` that is taken in the registry.
  std::string TakenScheme(const std::vector<FileSystemPtr>& file_systems) {
    for (const FileSystemPtr& file_system : file_systems) {
      if (Pinned(registry_, file_system->scheme())) {
        return file_system->scheme();
      }
    }
    return file_systems.front()->scheme();  // retired in the meantime
  }

  // Registers all of `file_systems`, or adds a finding.
  void RegisterAll(std::vector<FileSystemPtr>& file_systems) {
    const absl::Status status = registry_.Register(file_systems);
    for (const FileSystemPtr& file_system : file_systems) {
      for (SchemeReport& report : report_.schemes) {
        if (report.scheme != file_system->scheme()) continue;
        report.registered = status.ok();
      }
    }
    if (status.ok()) {
      LogLoadStep(report_.plugin,
                  Format("registered {} schemes", file_systems.size()));
      file_systems.clear();
    } else {
      findings_.AddFor(TakenScheme(file_systems), RuleId::kSchemeFree,
                       std::string(status.message()));
      while (!file_systems.empty()) file_systems.pop_back();
    }
  }

  LoadReport Finish() {
    bool any_registered = false;
    for (const SchemeReport& scheme : report_.schemes) {
      any_registered |= scheme.registered;
    }
    report_.findings = findings_.all();
    if (options_.partial ? !any_registered : findings_.AnyRefused()) {
      report_.status = FirstRefusal();
    }
    return std::move(report_);
  }

  absl::Status FirstRefusal() const {
    const Finding* const finding = findings_.FirstRefusal();
    return finding == nullptr ? absl::OkStatus()
                              : RefusalOf(report_.plugin, *finding);
  }

  const LoadOptions& options_;
  SchemeRegistry& registry_;
  OpObserver* const observer_;
  Findings findings_;
  LoadReport report_;
};

}  // namespace

LoadReport LoadPlugin(const std::string& path, const LoadOptions& options) {
  const std::lock_guard<std::recursive_timed_mutex> lock(LoadMutex());
  Load load(path, options);
  return load.Contents(PrivateCopy::OfFile(path, load.findings()), path);
}

LoadReport LoadPluginFromBytes(std::string_view name,
                               absl::Span<const char> bytes,
                               const LoadOptions& options) {
  const std::lock_guard<std::recursive_timed_mutex> lock(LoadMutex());
  Load load(std::string(name), options);
  return load.Contents(PrivateCopy::OfBytes(name, bytes, load.findings()), "");
}

LoadReport RegisterPlugin(std::string_view name, InitFunction init,
                          const LoadOptions& options) {
  const std::lock_guard<std::recursive_timed_mutex> lock(LoadMutex());
  return Load(std::string(name), options).LinkedIn(init);
}

}  // namespace fsload
