#include "loader/loading/scheme_registration.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/calls/missing_function.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/scheme_names.h"
#include "core/registry/pinned.h"
#include "core/wrappers/range_check.h"
#include "loader/linking/library.h"
#include "loader/loading/plugin_check.h"
#include "loader/tables/unusable_scheme.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Returns `sealed`, or a copy whose calls `observer` sees.
absl::StatusOr<OpTables> Observed(const OpTables& sealed,
                                  OpObserver* observer) {
  if (sealed->observer == observer) return sealed;
  SchemeTables tables = *sealed;
  tables.observer = observer;
  tables.copied_from = &*sealed;
  return OpTables::SealOnce(tables);
}

// Initialises the file system of `scheme`, whose tables are right, for the
// plugin `owner`; `observer`, which may be null, sees its calls. If init calls
// a stub, returns a file system whose operations only report that, and makes
// `scheme` unusable. Fails as init does.
absl::StatusOr<FileSystemPtr> CreateFileSystem(CheckedScheme& scheme,
                                               const std::string& owner,
                                               OpObserver* observer,
                                               const LoadOptions& options) {
  const std::string& name = scheme.report.scheme;
  absl::StatusOr<OpTables> tables = Observed(*scheme.tables, observer);
  if (!tables.ok()) return tables.status();
  if (scheme.unusable.empty()) {
    if (options.on_phase != nullptr) options.on_phase(LoadPhase::kInit, name);
    absl::StatusOr<FileSystemPtr> created = PluginFileSystem::Create(
        *tables, name, owner,
        scheme.state ? scheme.state() : TF_Filesystem{nullptr});
    if (!IsMissingFunction(created.status())) return created;
    const absl::StatusOr<OpTables> unusable = SealUnusable(**scheme.tables);
    if (!unusable.ok()) return created;
    scheme.tables = *unusable;
    scheme.unusable = std::string(created.status().message());
    tables = Observed(*scheme.tables, observer);
    if (!tables.ok()) return tables.status();
  }
  return CreateUnusable(*tables, name, owner, scheme.unusable);
}

}  // namespace

std::string NameIsTaken(std::string_view name) {
  return Format("'{}' stands for another scheme in this process, {}://",
                std::string(name), std::string(SchemeInPlugin(name)));
}

SchemeRegistration::SchemeRegistration(const LoadOptions& options,
                                       OpObserver* observer, Findings& findings,
                                       LoadReport& report)
    : options_(options),
      registry_(options.registry != nullptr ? *options.registry
                                            : SchemeRegistry::Default()),
      observer_(observer),
      findings_(findings),
      report_(report) {}

SchemeRegistration::~SchemeRegistration() {
  // After an exception, such as one of LoadOptions::wrap.
  while (!created_.empty()) created_.pop_back();
  RemoveNames();
}

bool SchemeRegistration::MustStop() const {
  return options_.partial ? findings_.PluginRefused() : findings_.AnyRefused();
}

void SchemeRegistration::CreateFileSystems(CheckedPlugin& checked,
                                           LoadedPlugin* plugin) {
  plugin_ = plugin;
  findings_.AddAll(checked.findings);
  std::vector<CheckedScheme>& schemes = checked.schemes;
  for (const CheckedScheme& scheme : schemes) {
    report_.schemes.push_back(scheme.report);
  }
  for (size_t i = 0; i < schemes.size() && !MustStop(); ++i) {
    FileSystemPtr created = CreateScheme(schemes[i], report_.schemes[i]);
    if (created != nullptr) created_.push_back(std::move(created));
  }
}

void SchemeRegistration::RegisterFileSystems() {
  if (!MustStop()) {
    options_.partial ? RegisterEach() : RegisterAll(created_);
  }
  while (!created_.empty()) {  // what was not registered
    if (options_.on_phase != nullptr) {
      options_.on_phase(LoadPhase::kCleanup, created_.back()->scheme());
    }
    created_.pop_back();
  }
}

// Returns null for a scheme that is not to be registered.
FileSystemPtr SchemeRegistration::CreateScheme(CheckedScheme& scheme,
                                               SchemeReport& report) {
  if (!scheme.tables.has_value()) return nullptr;
  report_.sealing = scheme.tables->tier();
  if (findings_.SchemeRefused(report.scheme)) return nullptr;
  switch (FindRegistered(scheme)) {
    case Registered::kNo:
      break;
    case Registered::kYes:
      report.registered = true;
      AddInitFinding(scheme, absl::OkStatus());
      return nullptr;
    case Registered::kWithoutWrapper:
      return RefuseRegistered(report.scheme, "wrapper");
    case Registered::kWithoutObserver:
      return RefuseRegistered(report.scheme, "observer");
  }
  if (!AddName(report.scheme)) return nullptr;
  absl::StatusOr<FileSystemPtr> created =
      CreateFileSystem(scheme, report_.plugin, observer_, options_);
  if (created.ok() && options_.wrap != nullptr) {
    created = options_.wrap(*std::move(created));
  }
  if (created.ok() && *created != nullptr) {
    created = CheckRanges(*std::move(created), report.scheme);
  }
  AddInitFinding(scheme, created.status());
  if (plugin_ != nullptr) CheckOpenedSince(*plugin_, findings_);
  if (!created.ok() || findings_.SchemeRefused(report.scheme)) return nullptr;
  return *std::move(created);
}

// Makes `scheme` a name of the plugin's, before anything asks what it is a name
// of. False, with a finding, if it is one of another scheme.
bool SchemeRegistration::AddName(const std::string& scheme) {
  std::string_view in_plugin = scheme;
  for (const auto& [named, name] : options_.scheme_as) {
    if (name == scheme) in_plugin = named;
  }
  const bool is_new = !HasSchemeName(scheme);
  if (!AddSchemeName(scheme, in_plugin)) {
    findings_.AddFor(scheme, RuleId::kSchemeFree, NameIsTaken(scheme));
    return false;
  }
  if (is_new) new_names_.push_back(scheme);
  return true;
}

// Removes the new names of schemes that were not registered.
void SchemeRegistration::RemoveNames() {
  for (const SchemeReport& report : report_.schemes) {
    if (report.registered) continue;
    for (const std::string& name : new_names_) {
      if (name == report.scheme) RemoveSchemeName(name);
    }
  }
}

// What wraps the plugin has other tables, but the same plugin. A load with a
// state of its own is another plugin, though its tables are shared.
SchemeRegistration::Registered SchemeRegistration::FindRegistered(
    const CheckedScheme& scheme) const {
  const Pinned pinned(registry_, scheme.report.scheme);
  if (!pinned || scheme.state) return Registered::kNo;
  const OpTables& tables = *scheme.tables;
  const SchemeTables& registered = TablesOf(WithoutRangeCheck(*pinned.get()));
  if (&registered != &*tables && registered.copied_from != &*tables) {
    const bool is_wrapped =
        options_.wrap != nullptr && pinned->plugin() == report_.plugin;
    return is_wrapped ? Registered::kYes : Registered::kNo;
  }
  if (observer_ != nullptr && registered.observer != observer_) {
    return Registered::kWithoutObserver;
  }
  return options_.wrap == nullptr ? Registered::kYes
                                  : Registered::kWithoutWrapper;
}

FileSystemPtr SchemeRegistration::RefuseRegistered(const std::string& scheme,
                                                   std::string_view lacks) {
  findings_.AddFor(scheme, RuleId::kSchemeFree,
                   Format("the plugin is registered already, without the {} "
                          "of this load; retire the scheme first",
                          lacks));
  return nullptr;
}

// Adds a finding about a scheme's init.
void SchemeRegistration::AddInitFinding(const CheckedScheme& scheme,
                                        const absl::Status& status) {
  const std::string& name = scheme.report.scheme;
  if (status.ok() && scheme.unusable.empty()) return;
  std::string text =
      status.ok() ? scheme.unusable : std::string(status.message());
  if (text.empty()) text = absl::StatusCodeToString(status.code());
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

void SchemeRegistration::RegisterEach() {
  for (FileSystemPtr& file_system : created_) {
    std::vector<FileSystemPtr> one;
    one.push_back(std::exchange(file_system, nullptr));
    RegisterAll(one);
  }
  created_.clear();
}

// Registers all of `file_systems`, or adds a finding; empties it.
void SchemeRegistration::RegisterAll(std::vector<FileSystemPtr>& file_systems) {
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

// Returns the scheme of `file_systems` that is taken in the registry.
std::string SchemeRegistration::TakenScheme(
    const std::vector<FileSystemPtr>& file_systems) const {
  for (const FileSystemPtr& file_system : file_systems) {
    if (Pinned(registry_, file_system->scheme())) {
      return file_system->scheme();
    }
  }
  return file_systems.front()->scheme();  // retired in the meantime
}

}  // namespace fsload
