#include "fsload/plugin_loader.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "fsload/internal/mutex.h"
#include "loader/isolation/worker_environment.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/plugin_variables.h"
#include "loader/loading/isolated_load.h"
#include "loader/loading/load_same_file.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/loading/plugin_check.h"
#include "loader/loading/scheme_registration.h"
#include "loader/report/debug.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Returns the observer of a plugin that is loaded with `options`.
OpObserver* ObserverOf(const LoadOptions& options) {
  if (!IsDebugged(DebugTopic::kOps)) return options.observer;
  if (options.observer == nullptr) return &OpLogger();
  // One for each observer.
  struct Lists {
    Mutex mutex;
    std::map<OpObserver*, OpObserverList> by_observer ABSL_GUARDED_BY(mutex);
  };
  static auto* const lists = new Lists;  // never freed, like the tables
  const MutexLock lock(lists->mutex);
  const auto list = lists->by_observer.try_emplace(
      options.observer,
      std::vector<OpObserver*>{options.observer, &OpLogger()});
  return &list.first->second;
}

// One load. Each step does nothing once the plugin is refused.
class Load {
 public:
  Load(std::string_view name, const LoadOptions& options)
      : options_(options), observer_(ObserverOf(options)) {
    report_.plugin = std::string(name);
    if (options.warnings_as_errors) findings_.RefuseWarnings();
  }

  // The first step of a plugin that is a file. Sets `identity` to the file's,
  // which, unless that is "", must not be another one.
  void CopyFile(const std::string& path, std::string& identity) {
    path_ = path;
    contents_ = PrivateCopy::OfFile(path, findings_);
    if (contents_ == nullptr) return;
    const std::string& found = contents_->file_identity();
    if (identity.empty()) identity = found;
    if (IsSameFile(identity, found)) return;
    failure_ = FailedPreconditionError(
        "{}: it has changed since it was loaded first; retire its schemes and "
        "load it again",
        path);
    contents_ = nullptr;
  }

  // The first step of a plugin that never was a file.
  void CopyBytes(absl::Span<const char> bytes) {
    contents_ = PrivateCopy::OfBytes(report_.plugin, bytes, findings_);
  }

  // Finds a plugin with the same contents, which is not opened twice.
  void FindLoaded() {
    if (contents_ == nullptr) return;
    report_.known_as = KnownNameOf(contents_->bytes());
    if (findings_.PluginRefused()) return;
    for (const std::unique_ptr<LoadedPlugin>& plugin : LoadedPlugins()) {
      const Library& library = *plugin->library;
      if (!library.contents->HasSameOrigin(*contents_)) continue;
      report_.loaded_before = true;
      LogLoadStep(report_.plugin, "the same contents are loaded already");
      if (CheckInPlace(library) &&
          CheckAllowed(*library.contents, options_.trust, findings_) &&
          CheckStubs(library)) {
        plugin_ = plugin.get();
      }
      contents_ = nullptr;
      return;
    }
  }

  // Links the imports and calls dlopen, unless the plugin is loaded already.
  // Checks what it has ever opened: this load may allow less, or more.
  void OpenLibrary() {
    if (contents_ != nullptr && !findings_.PluginRefused()) {
      plugin_ = OpenNew();
    }
    if (plugin_ == nullptr) return;
    const Library& library = *plugin_->library;
    report_.imports = library.imports;
    report_.stubs = library.stubs;
    report_.status_provider = library.status_provider;
    findings_.AddAll(library.findings);
    // What the program has opened since an earlier load is no matter of the
    // plugin's.
    if (report_.loaded_before) plugin_->looked = LoadedLibraries::Now();
    is_allowed_ = CheckOpened(library.opened, options_.trust, findings_);
    plugin_->trust = options_.trust;
  }

  // Calls TF_InitPlugin, unless an earlier load did, and checks and seals the
  // tables that it hands over.
  void CallInitPlugin() {
    if (plugin_ == nullptr || plugin_->library->init == nullptr) return;
    const Library& library = *plugin_->library;
    std::optional<CheckedPlugin>& checked = plugin_->checked;
    if (!checked.has_value() && is_allowed_) {
      checked = CheckPlugin(report_.plugin, report_.known_as, library.init,
                            library.status, options_, observer_, findings_);
      CheckOpenedSince(*plugin_, findings_);
    }
    if (checked.has_value()) checked_ = &*checked;
  }

  // Like CallInitPlugin, for a plugin that is linked in.
  void CallLinkedIn(InitFunction init) {
    report_.status_provider = "fsload";
    linked_in_ = CheckPlugin(report_.plugin, "", init, StatusProvider(),
                             options_, observer_, findings_);
    if (linked_in_.has_value()) checked_ = &*linked_in_;
  }

  // The first step of a plugin in a process of its own, which takes the steps
  // above and calls init there; `bytes` are the contents of one that never was
  // a file.
  void StartWorker(std::optional<std::string> bytes, Environment environment) {
    absl::StatusOr<IsolatedPlugin> started =
        StartIsolated(report_.plugin, std::move(bytes), options_,
                      std::move(environment), observer_);
    if (!started.ok()) {
      failure_ = started.status();
      return;
    }
    report_ = std::move(started->report);
    failure_ = report_.status;
    linked_in_ = std::move(started->checked);
    checked_ = &*linked_in_;
  }

  // Calls init of each scheme, and registers what it makes.
  void RegisterSchemes() {
    if (checked_ == nullptr) return;
    SchemeRegistration registration(options_, observer_, findings_, report_);
    registration.CreateFileSystems(*checked_, plugin_);
    registration.RegisterFileSystems();
  }

  // Ends the load before it began.
  LoadReport Refused(absl::Status why) {
    failure_ = std::move(why);
    return TakeReport();
  }

  LoadReport TakeReport() {
    bool any_registered = false;
    for (const SchemeReport& scheme : report_.schemes) {
      any_registered |= scheme.registered;
    }
    report_.findings = findings_.all();
    if (!failure_.ok()) {
      report_.status = failure_;
      return std::move(report_);
    }
    if (options_.partial ? !any_registered : findings_.AnyRefused()) {
      report_.status = FirstRefusal();
    }
    return std::move(report_);
  }

 private:
  void Enter(LoadPhase phase, std::string_view scheme = "") const {
    if (options_.on_phase != nullptr) options_.on_phase(phase, scheme);
  }

  // Returns whether `library`, which is loaded, may have been opened in place.
  bool CheckInPlace(const Library& library) {
    if (options_.trust.allow_list.empty() ||
        !(library.in_place || options_.in_place)) {
      return true;
    }
    findings_.Add(RuleId::kAllowed,
                  "an allow list cannot be used for a file that is, or was "
                  "before, opened in place; the file may be changed after the "
                  "check");
    return false;
  }

  // Returns whether stubs are allowed, if `library` has some.
  bool CheckStubs(const Library& library) {
    if (library.stubs.empty() || options_.stub_missing_functions) {
      return true;
    }
    findings_.Add(
        RuleId::kOtherSymbols,
        Format(
            "when the plugin was loaded before, functions that fail replaced "
            "missing ones (number: {}, first: '{}'); it is not used where "
            "LoadOptions::stub_missing_functions forbids that",
            library.stubs.size(), library.stubs.front()));
    return false;
  }

  // Returns null, with findings, if the plugin cannot be opened.
  LoadedPlugin* OpenNew() {
    if (!options_.keep_environment) SetPluginVariables(report_.known_as);
    Enter(LoadPhase::kStaticInitializers);
    std::unique_ptr<Library> library = fsload::OpenLibrary(
        std::move(contents_),
        {path_, report_.known_as, options_.in_place && !path_.empty(),
         options_.trust, options_.stub_missing_functions},
        findings_);
    if (library == nullptr) return nullptr;
    LogLoadStep(report_.plugin,
                Format("opened; {} imports; TF_Status from {}",
                       library->imports.size(), library->status_provider));
    LoadedLibraries looked = library->looked;
    LoadedPlugins().push_back(std::make_unique<LoadedPlugin>(
        LoadedPlugin{std::move(library), std::nullopt, std::move(looked), {}}));
    return LoadedPlugins().back().get();
  }

  absl::Status FirstRefusal() const {
    const Finding* const finding = findings_.FirstRefusal();
    return finding == nullptr ? absl::OkStatus()
                              : RefusalOf(report_.plugin, *finding);
  }

  const LoadOptions& options_;
  OpObserver* const observer_;
  Findings findings_;
  LoadReport report_;

  std::string path_;                       // "": it was never a file
  std::unique_ptr<PrivateCopy> contents_;  // until the library has them
  LoadedPlugin* plugin_ = nullptr;         // null: refused, or linked in
  bool is_allowed_ = false;                // all that it has opened
  std::optional<CheckedPlugin> linked_in_;
  CheckedPlugin* checked_ = nullptr;  // null: there are no tables
  absl::Status failure_;              // of what is no fault of the plugin
};

// Asked for, or needed for what is asked for.
bool IsIsolated(const LoadOptions& options) {
  return options.isolation.has_value() || !options.scheme_as.empty();
}

// Without the LoadMutex while the process starts: nothing here is loaded. But
// loads in this process, which have it, change the environment.
LoadReport LoadIsolated(std::string_view name, std::optional<std::string> bytes,
                        const LoadOptions& options) {
  std::unique_lock<std::recursive_timed_mutex> lock(LoadMutex());
  Load load(name, options);
  Environment environment = CopyOfEnvironment();
  lock.unlock();
  load.StartWorker(std::move(bytes), std::move(environment));
  lock.lock();
  load.RegisterSchemes();
  return load.TakeReport();
}

}  // namespace

LoadReport LoadSameFile(const std::string& path, std::string& identity,
                        const LoadOptions& options) {
  const LoadLock lock;
  Load load(path, options);
  load.CopyFile(path, identity);  // into memory that nobody else can write to
  load.FindLoaded();
  load.OpenLibrary();
  load.CallInitPlugin();
  load.RegisterSchemes();
  return load.TakeReport();
}

LoadReport LoadPlugin(const std::string& path, const LoadOptions& options) {
  if (IsIsolated(options)) return LoadIsolated(path, std::nullopt, options);
  std::string any;
  return LoadSameFile(path, any, options);
}

LoadReport LoadPluginFromBytes(std::string_view name,
                               absl::Span<const char> bytes,
                               const LoadOptions& options) {
  if (IsIsolated(options)) {
    return LoadIsolated(name, std::string(bytes.begin(), bytes.end()), options);
  }
  const LoadLock lock;
  Load load(name, options);
  load.CopyBytes(bytes);
  load.FindLoaded();
  load.OpenLibrary();
  load.CallInitPlugin();
  load.RegisterSchemes();
  return load.TakeReport();
}

LoadReport RegisterPlugin(std::string_view name, InitFunction init,
                          const LoadOptions& options) {
  const LoadLock lock;
  Load load(name, options);
  if (IsIsolated(options)) return load.Refused(LinkedInIsIsolated(name));
  load.CallLinkedIn(init);
  load.RegisterSchemes();
  return load.TakeReport();
}

}  // namespace fsload
