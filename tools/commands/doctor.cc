// fsload doctor: why does this URI, or this plugin, not work?
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/paths/uri.h"
#include "loader/confined_load/confined_load.h"
#include "loader/discovery/named_plugins.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/known_plugins/usable_schemes.h"
#include "loader/static_pass/plugin_search.h"
#include "loader/trust/base_name.h"
#include "loader/wheels/wheel_faults.h"
#include "loader/wheels/wheel_file.h"
#include "third_party/fmt/format.h"
#include "tools/cli/operands.h"
#include "tools/cli/plugin_name.h"
#include "tools/commands/commands.h"
#include "tools/doctor/alias_steps.h"
#include "tools/doctor/diagnosis.h"
#include "tools/doctor/plugin_diagnosis.h"
#include "tools/files/names/argument.h"
#include "tools/report/json_document.h"
#include "tools/report/report_printer.h"
#include "tools/session/bundled_plugin.h"
#include "tools/session/session.h"
#include "tools/text/output.h"
#include "tools/text/text_style.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  std::vector<std::string> uris;  // at most one
  std::string plugin;
  double timeout_seconds = 30;
  ReportFormat format = ReportFormat::kText;
};

struct VerdictWords {
  const char* word;
  Colour colour;
};

// In the order of StepVerdict.
constexpr VerdictWords kVerdicts[] = {{"ok", Colour::kGood},
                                      {"note", Colour::kNote},
                                      {"problem", Colour::kError}};

const VerdictWords& WordsFor(StepVerdict verdict) {
  return kVerdicts[static_cast<size_t>(verdict)];
}

WantedPlugin Wanted(const std::string& path) {
  return {path.empty() ? kBundledPluginName : path, path,
          [path](const LoadOptions& load) { return LoadNamed(path, load); }};
}

// The plugins of --plugin, or the bundled one; none to use the catalog's. Adds
// to `notes` what could not be read.
absl::StatusOr<std::vector<WantedPlugin>> PluginsFor(
    const DoctorOptions& options, Session& session,
    std::vector<DiagnosisStep>& notes) {
  std::vector<WantedPlugin> plugins;
  if (options.plugin.empty()) {
    const std::string scheme(ParseUri(options.uris.front()).scheme);
    if (scheme.empty() || scheme == kBundledName) plugins.push_back(Wanted(""));
    return plugins;
  }
  const absl::StatusOr<NamedPlugins> named = session.FindNamed(options.plugin);
  if (!named.ok()) return named.status();
  for (const std::string& problem : named->problems) {
    notes.push_back({StepVerdict::kNote, "plugin", problem, ""});
  }
  for (const std::string& path : named->plugins) {
    plugins.push_back(Wanted(path));
  }
  return plugins;
}

// Whether the operand names a plugin: a file named like one, or an installed
// plugin if nothing is at that path. With --plugin it is a URI.
bool IsPlugin(const DoctorOptions& options, Session& session) {
  const std::string& word = options.uris.front();
  if (!options.plugin.empty() || !ParseUri(word).scheme.empty()) return false;
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    return !std::filesystem::is_directory(word, ignored) &&
           (IsSharedObjectName(BaseName(word)) || IsWheelName(word));
  }
  return word.find('/') == std::string::npos && session.FindNamed(word).ok();
}

std::vector<DiagnosisStep> UnknownPlugin(const std::string& word,
                                         const absl::Status& status) {
  std::error_code ignored;
  std::string repair = "name an installed plugin, or the plugin's file";
  if (std::filesystem::exists(word, ignored)) {
    repair = IsWheelName(word) && IsWheelsFault(status)
                 ? InsteadText(word, PackageOfWheel(word))
                 : "";
  }
  return {{StepVerdict::kProblem, "plugin", std::string(status.message()),
           std::move(repair)}};
}

// Makes of a URI what the verbs make of it, but for a pattern, which is noted
// in `steps`. Fails as ParseArgument does.
absl::Status TakeUri(std::string& uri, std::vector<DiagnosisStep>& steps) {
  if (ParseUri(uri).scheme.empty()) return absl::OkStatus();
  absl::StatusOr<Argument> argument = ParseArgument(uri);
  if (!argument.ok()) return argument.status();
  if (argument->expands) {
    steps.push_back({StepVerdict::kNote, "uri",
                     "a pattern to the verbs; what follows takes it "
                     "literally",
                     "`fsload glob` lists what it matches"});
  }
  uri = std::move(argument->uri);
  return absl::OkStatus();
}

std::vector<DiagnosisStep> StepsOf(DoctorOptions& options) {
  Session session;
  DiagnosisOptions diagnosis;
  diagnosis.load = CommandLoadOptions();
  diagnosis.deadline = absl::Seconds(options.timeout_seconds);
  if (options.uris.empty()) {
    return AliasSteps(diagnosis.load, diagnosis.deadline, session.Catalog());
  }
  if (IsPlugin(options, session)) {
    const auto named = session.FindNamed(options.uris.front());
    if (!named.ok()) {
      return UnknownPlugin(options.uris.front(), named.status());
    }
    for (const std::string& path : named->plugins) {
      diagnosis.plugins.push_back(Wanted(path));
    }
    return DiagnosePlugins(diagnosis);
  }
  std::vector<DiagnosisStep> steps;
  const absl::Status taken = TakeUri(options.uris.front(), steps);
  if (!taken.ok()) {
    return {{StepVerdict::kProblem, "uri", std::string(taken.message()), ""}};
  }
  absl::StatusOr<std::vector<WantedPlugin>> plugins =
      PluginsFor(options, session, steps);
  if (!plugins.ok()) return UnknownPlugin(options.plugin, plugins.status());
  diagnosis.plugins = *std::move(plugins);
  for (DiagnosisStep& step :
       Diagnose(options.uris.front(), session.Catalog(), diagnosis)) {
    steps.push_back(std::move(step));
  }
  return steps;
}

// Whether a later step gives the same advice.
bool IsRepeated(const DiagnosisStep& step,
                const std::vector<DiagnosisStep>& steps) {
  const auto after = steps.begin() + (&step - steps.data()) + 1;
  return std::any_of(after, steps.end(), [&step](const DiagnosisStep& later) {
    return later.repair == step.repair;
  });
}

void PrintText(const DoctorOptions& options,
               const std::vector<DiagnosisStep>& steps) {
  constexpr size_t kIndent = 26;
  const TextStyle style = StyleOfStandardOutput();
  Print(options.uris.empty() ? "The user's schemes\n"
                             : Visible(options.uris.front()) + "\n");
  for (const DiagnosisStep& step : steps) {
    const VerdictWords& words = WordsFor(step.verdict);
    const std::string line =
        style.Wrapped(Format("  {:9}{:14} {}", words.word, Visible(step.what),
                             Visible(step.found)),
                      kIndent);
    // Colours the line after wrapping, which counts characters.
    constexpr size_t kBefore = 2;
    const std::string word = words.word;
    Print(line.substr(0, kBefore) + style.In(words.colour, word) +
          line.substr(kBefore + word.size()) + "\n");
    if (!step.repair.empty() && !IsRepeated(step, steps)) {
      Print(
          style.Wrapped(Format("{:{}}-> {}", "", kIndent, Visible(step.repair)),
                        kIndent) +
          "\n");
    }
  }
  const auto problems =
      std::count_if(steps.begin(), steps.end(), [](const DiagnosisStep& step) {
        return step.verdict == StepVerdict::kProblem;
      });
  Print(problems == 0   ? "No problems found.\n"
        : problems == 1 ? "1 problem found.\n"
                        : Format("{} problems found.\n", problems));
}

void PrintJson(const DoctorOptions& options,
               const std::vector<DiagnosisStep>& steps) {
  Json lines = Json::array();
  for (const DiagnosisStep& step : steps) {
    Json line = {{"verdict", WordsFor(step.verdict).word},
                 {"what", step.what},
                 {"found", step.found},
                 {"repair", step.repair.empty() ? Json() : Json(step.repair)}};
    if (!step.names.empty()) line["names"] = step.names;
    lines.push_back(std::move(line));
  }
  Print(JsonText(
      {{"schema_version", kDoctorSchema},
       {"uri", options.uris.empty() ? Json() : Json(options.uris.front())},
       {"well", AllIsWell(steps)},
       {"steps", lines}}));
}

}  // namespace

void AddDoctor(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DoctorOptions>();
  const auto diagnose = [=, &exit_code] {
    if (options->uris.empty() && !options->plugin.empty()) {
      PrintError(InvalidArgumentError("--plugin needs a URI"));
      exit_code = kUsage;
      return;
    }
    const std::vector<DiagnosisStep> steps = StepsOf(*options);
    if (options->format == ReportFormat::kText) {
      PrintText(*options, steps);
    } else {
      PrintJson(*options, steps);
    }
    exit_code = AllIsWell(steps) ? kVerified : kFindings;
  };
  CLI::App* const command = AddCommand(
      app, "doctor",
      "Diagnose why a URI or a plugin does not work and suggest fixes",
      diagnose);
  AddOperands(
      *command, "uri",
      "A URI or a local path; or a plugin: a shared object, a wheel or "
      "a name listed by `fsload plugins`; without one, list the schemes "
      "of the user's file (docs/isolation.md)",
      {0, 1, &RefuseEmptyUri}, options->uris);
  AddText(*command, "--plugin", options->plugin, &RefuseEmpty,
          "Plugin to use: a shared object, a wheel, a directory of these, or a "
          "name listed by `fsload plugins`");
  AddSeconds(*command, "--timeout", options->timeout_seconds, kShortestDeadline,
             kLongestDeadline,
             "Time limit for loading the plugin and querying it, in total");
  AddFormat(*command, options->format, /*with_junit=*/false);
  SetFooter(
      *command,
      "Loads the plugin and queries its server in a separate process; never "
      "writes. Also reports whether this machine's TensorFlow could load the "
      "plugin. Exit codes: 0 no problems found, 1 problems found.");
}

}  // namespace fsload
