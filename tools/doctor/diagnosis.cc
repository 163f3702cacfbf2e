#include "tools/doctor/diagnosis.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/calls/missing_function.h"
#include "core/paths/uri.h"
#include "fsload/rules.h"
#include "loader/aliases/plugin_environment.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/confinement/confinement.h"
#include "loader/discovery/plugin_to_load.h"
#include "loader/known_plugins/endpoint.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/usable_schemes.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/static_pass.h"
#include "third_party/fmt/format.h"
#include "tools/doctor/advice.h"
#include "tools/doctor/alias_steps.h"
#include "tools/doctor/processor_step.h"
#include "tools/doctor/tensorflow_steps.h"
#include "tools/doctor/uri_probe.h"
#include "tools/doctor/variable_steps.h"
#include "tools/network/connection.h"
#include "tools/network/foreign_variables.h"

namespace fsload {
namespace {

// `path` is "" for the bundled plugin.
std::string CheckCommand(const std::string& path) {
  return Format("run `fsload check{}{}`", path.empty() ? "" : " ", path);
}

class Diagnosis {
 public:
  Diagnosis(const std::string& uri, PluginCatalog& catalog,
            const DiagnosisOptions& options)
      : uri_(uri),
        scheme_(ParseUri(uri).scheme),
        catalog_(catalog),
        options_(options) {}

  std::vector<DiagnosisStep> Run() {
    const bool found = FindPlugin();
    if (!is_refused_ && ReadsKnownVariables()) AddAll(VariableSteps(scheme_));
    for (const std::string& missing : UnavailableConfinement()) {
      Add(StepVerdict::kNote, "system", missing);
    }
    if (found) AskPlugin();
    CheckTensorFlow();
    return std::move(steps_);
  }

 private:
  void Add(StepVerdict verdict, std::string_view what, std::string found,
           std::string repair = "") {
    steps_.push_back(
        {verdict, std::string(what), std::move(found), std::move(repair)});
  }

  // Whether the plugin is the known one for the scheme, or would be, if it were
  // installed.
  bool ReadsKnownVariables() const {
    return plugins_.empty() ||
           std::any_of(plugins_.begin(), plugins_.end(),
                       [](const WantedPlugin& plugin) {
                         return KnownPluginAt(plugin.path) != nullptr;
                       });
  }

  // Whether there is a plugin to ask.
  bool FindPlugin() {
    if (!options_.plugins.empty()) {
      for (const WantedPlugin& plugin : options_.plugins) {
        if (AddForeign(plugin.path)) continue;
        Add(StepVerdict::kOk, "plugin", plugin.name);
        plugins_.push_back(plugin);
      }
      // A folder may have builds for several processors.
      for (DiagnosisStep& step : steps_) {
        if (plugins_.empty() || step.verdict != StepVerdict::kProblem) continue;
        step.verdict = StepVerdict::kNote;
      }
      is_refused_ = plugins_.empty();
      return !plugins_.empty();
    }
    const absl::StatusOr<std::optional<SchemeAlias>> alias = FindAlias(scheme_);
    if (!alias.ok()) {
      Add(StepVerdict::kProblem, "scheme",
          std::string(alias.status().message()));
      return false;
    }
    if (alias->has_value()) return FindPluginOf(**alias);
    const absl::StatusOr<CatalogEntry> entry = catalog_.FindForScheme(scheme_);
    if (entry.ok()) {
      Add(StepVerdict::kOk, "plugin",
          Format("{}, {} ({})", entry->name, entry->path,
                 Describe(entry->kind)));
      plugins_.push_back({entry->name, entry->path,
                          [path = entry->path](const LoadOptions& load) {
                            return LoadPlugin(path, load);
                          }});
      AddOthers(*entry);
      return true;
    }
    const CatalogEntry* const refused = catalog_.WouldServe(scheme_);
    if (refused != nullptr) {
      AddRefused(*refused);
    } else {
      AddMissing();
    }
    for (const std::string& problem : catalog_.problems()) {
      Add(StepVerdict::kNote, "plugin", problem);
    }
    return false;
  }

  bool FindPluginOf(const SchemeAlias& alias) {
    Add(StepVerdict::kOk, "scheme",
        Format("{}: {}", alias.location, Describe(alias)));
    absl::StatusOr<PluginToLoad> plugin =
        PluginOf(alias, options_.load, catalog_);
    if (!plugin.ok()) {
      Add(StepVerdict::kProblem, "plugin",
          std::string(plugin.status().message()));
      return false;
    }
    if (AddForeign(plugin->path)) return false;
    Add(StepVerdict::kOk, "plugin", plugin->path);
    const std::string path = plugin->path;
    plugins_.push_back(
        {path, path, [plugin = *std::move(plugin)](const LoadOptions& load) {
           LoadOptions own = plugin.options;
           own.registry = load.registry;
           own.on_phase = load.on_phase;
           return Load({plugin.path, std::move(own), plugin.origin});
         }});
    return true;
  }

  // Whether the plugin at `path` is for another processor.
  bool AddForeign(const std::string& path) {
    std::optional<DiagnosisStep> step = ProcessorStep(path);
    if (!step.has_value()) return false;
    steps_.push_back(*std::move(step));
    return is_refused_ = true;
  }

  // Of several plugins for the scheme the first that loads is used.
  void AddOthers(const CatalogEntry& used) {
    for (const CatalogEntry& entry : catalog_.All()) {
      const auto& schemes = entry.schemes;
      const bool serves =
          std::find(schemes.begin(), schemes.end(), scheme_) != schemes.end();
      if (entry.FileOfUser() == used.FileOfUser()) continue;
      if (entry.problem.empty() && serves) {
        Add(StepVerdict::kNote, "plugin",
            Format("{} ({}) provides {}:// too, and is not used",
                   entry.FileOfUser(), Describe(entry.kind), scheme_));
      } else if (serves ||
                 (!used.package.empty() && entry.package == used.package)) {
        AddPassedOver(entry);
      }
    }
  }

  void AddPassedOver(const CatalogEntry& entry) {
    if (entry.problem.empty()) return;
    Add(StepVerdict::kNote, "plugin",
        Format("{} was passed over: {}", entry.FileOfUser(), entry.problem));
  }

  void AddMissing() {
    const KnownPlugin* const known = KnownPluginFor(scheme_);
    const CatalogEntry* const renaming = catalog_.Renaming(scheme_);
    std::string repair =
        known == nullptr
            ? "name one with --plugin or in FSLOAD_PLUGIN_PATH; no known "
              "package provides one"
            : InstallCommand(*known) +
                  ", or name its wheel with --plugin or in FSLOAD_PLUGIN_PATH";
    if (renaming != nullptr) {
      repair = Format("export {}=1, or {}", kModularVariable, repair);
    }
    Add(StepVerdict::kProblem, "plugin",
        Format("no plugin for {}:// is installed{}", scheme_,
               renaming == nullptr
                   ? ""
                   : Format("; {} {}", renaming->FileOfUser(),
                            RenamedText(renaming->schemes, scheme_))),
        repair);
    for (const CatalogEntry& entry : catalog_.All()) AddPassedOver(entry);
  }

  // Every reason in its file not to load it; otherwise the result of trying it.
  void AddRefused(const CatalogEntry& entry) {
    is_refused_ = true;
    if (AddForeign(entry.path)) return;
    bool reported = false;
    const bool unpacked = entry.path != entry.wheel;
    StaticOptions as_loaded;
    as_loaded.stub_missing_functions = options_.load.stub_missing_functions;
    const Findings findings =
        unpacked ? CheckStatically(entry.path, as_loaded) : Findings();
    for (const Finding& finding : findings.all()) {
      const Rule& rule = Describe(finding.rule);
      if (rule.severity != Severity::kMust) continue;
      Add(StepVerdict::kProblem, "plugin",
          Format("{}: {}: {}", entry.path, Name(finding.rule), finding.message),
          std::string(rule.repair));
      reported = true;
    }
    if (reported) return;
    const std::string instead = InsteadText(entry.path, entry.package);
    Add(StepVerdict::kProblem, "plugin",
        Format("{}: {}", entry.path, entry.problem),
        instead.empty() ? CheckCommand(entry.path) + " for details" : instead);
  }

  void AddAll(std::vector<DiagnosisStep> steps) {
    for (DiagnosisStep& each : steps) steps_.push_back(std::move(each));
  }

  // It cannot load the plugin inside fsload's command, which is no file.
  void CheckTensorFlow() {
    for (const WantedPlugin& plugin : plugins_) {
      if (!plugin.path.empty()) AddAll(TensorFlowSteps(plugin.path));
    }
  }

  void AskPlugin() {
    ProbeOptions probe;
    probe.deadline = options_.deadline;
    const PluginEnvironment environment = PluginEnvironment::Of(scheme_);
    probe.library = std::string(LibraryOpenedBy(environment.scheme()));
    const std::optional<std::string> hadoop =
        environment.Value("HADOOP_HDFS_HOME");
    if (!probe.library.empty() && hadoop.has_value()) {
      probe.library_folder = *hadoop + "/lib/native";
    }
    probe.load = [this](const LoadOptions& child) { return LoadAll(child); };
    const absl::StatusOr<ProbeReport> report = ProbeUri(uri_, probe);
    if (!report.ok()) {
      Add(StepVerdict::kProblem, "load",
          std::string(report.status().message()));
      return;
    }
    for (const ProbeAnswer& answer : report->answers) {
      AddAnswer(answer, *report, probe);
    }
    if (!report->crash.empty()) AddCrash(*report);
  }

  // In the child: loads all; yields the report of the first that loads, or the
  // last.
  LoadReport LoadAll(const LoadOptions& child) const {
    LoadReport loaded;
    bool any_loaded = false;
    for (const WantedPlugin& plugin : plugins_) {
      LoadOptions load = options_.load;
      load.registry = child.registry;
      load.on_phase = child.on_phase;
      LoadReport report = plugin.load(load);
      if (any_loaded) continue;
      any_loaded = report.status.ok();
      loaded = std::move(report);
    }
    return loaded;
  }

  void AddAnswer(const ProbeAnswer& answer, const ProbeReport& report,
                 const ProbeOptions& probe) {
    if (answer.status.ok()) {
      Add(StepVerdict::kOk, answer.what, answer.found);
      if (answer.what == "load" && !report.stubs.empty()) {
        steps_.push_back(UndefinedFunctionsStep(report.stubs));
      }
      return;
    }
    const std::string found =
        Format("{}: {}", absl::StatusCodeToString(answer.status.code()),
               std::string(answer.status.message()));
    if (answer.what == probe.library) {
      Add(StepVerdict::kProblem, answer.what, found,
          "install Hadoop's native libraries and Java, and set "
          "HADOOP_HDFS_HOME and JAVA_HOME (and LD_LIBRARY_PATH to the "
          "directory "
          "of libjvm.so)");
    } else if (answer.what == kServer) {
      const std::optional<Endpoint> endpoint = EndpointOf(uri_);
      Add(StepVerdict::kProblem, answer.what,
          std::string(answer.status.message()),
          endpoint.has_value() ? RepairOf(*endpoint) : "");
    } else if (IsMissingFunction(answer.status)) {
      Add(StepVerdict::kProblem, "symbol", found,
          "use another version of the plugin, or another scheme of it: only "
          "the TensorFlow release that it was built for has this function");
    } else if (absl::IsUnimplemented(answer.status)) {
      Add(StepVerdict::kNote, answer.what, found);
    } else if (answer.what == "load") {
      // The report is that of the last.
      Add(StepVerdict::kProblem, answer.what, found,
          CheckCommand(plugins_.back().path) + " for details");
    } else if (answer.what == "scheme") {
      Add(StepVerdict::kProblem, answer.what, found,
          Format("name a plugin that provides {} with --plugin",
                 scheme_.empty() ? "local paths" : scheme_ + "://"));
    } else {
      Add(StepVerdict::kProblem, answer.what, found,
          RepairFor(answer.status, /*is_local=*/scheme_.empty() ||
                                       plugins_.back().path.empty()));
    }
  }

  void AddCrash(const ProbeReport& report) {
    const bool missing_variable = std::any_of(
        steps_.begin(), steps_.end(), [](const DiagnosisStep& step) {
          return step.what == "variable" &&
                 step.verdict == StepVerdict::kProblem;
        });
    Add(StepVerdict::kProblem, report.hung ? "hang" : "crash", report.crash,
        missing_variable ? "set the variables above"
        : report.hung
            ? "check that the server can be reached (endpoint, proxy, "
              "network), "
              "or allow more time with --timeout"
            : "try another version of the plugin, and report the line above to "
              "its authors");
  }

  const std::string& uri_;
  const std::string scheme_;
  PluginCatalog& catalog_;
  const DiagnosisOptions& options_;
  std::vector<WantedPlugin> plugins_;
  bool is_refused_ = false;  // a plugin; what it reads does not matter then
  std::vector<DiagnosisStep> steps_;
};

}  // namespace

std::vector<DiagnosisStep> Diagnose(const std::string& uri,
                                    PluginCatalog& catalog,
                                    const DiagnosisOptions& options) {
  HandOnForeignVariables();
  return Diagnosis(uri, catalog, options).Run();
}

DiagnosisStep UndefinedFunctionsStep(const std::vector<std::string>& names) {
  const bool is_one = names.size() == 1;
  return {
      StepVerdict::kNote, "symbol",
      Format("{} imported function{} undefined{} '{}'; operations that "
             "do not call {} work",
             names.size(), is_one ? " is" : "s are", is_one ? ":" : ", such as",
             names.front(), is_one ? "it" : "them"),
      "", names};
}

bool AllIsWell(const std::vector<DiagnosisStep>& steps) {
  return std::none_of(steps.begin(), steps.end(),
                      [](const DiagnosisStep& step) {
                        return step.verdict == StepVerdict::kProblem;
                      });
}

}  // namespace fsload
