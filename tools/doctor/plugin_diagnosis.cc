#include "tools/doctor/plugin_diagnosis.h"

#include <string>
#include <utility>
#include <vector>

#include "loader/confined_load/confined_load.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/usable_schemes.h"
#include "third_party/fmt/format.h"
#include "tools/doctor/tensorflow_steps.h"
#include "tools/doctor/variable_steps.h"
#include "tools/network/foreign_variables.h"

namespace fsload {
namespace {

std::string Named(const std::vector<SchemeReport>& schemes) {
  std::string text;
  for (const SchemeReport& each : schemes) {
    text += text.empty() ? "" : ", ";
    text += each.scheme.empty() ? "local paths" : each.scheme + "://";
  }
  return text;
}

void AddLoad(const LoadReport& report, std::vector<DiagnosisStep>& steps) {
  if (!report.status.ok()) {
    const std::string instead = InsteadText(report.plugin, "");
    steps.push_back(
        {StepVerdict::kProblem, "load", std::string(report.status.message()),
         instead.empty()
             ? Format("run `fsload check {}` for details", report.plugin)
             : instead});
    return;
  }
  steps.push_back(
      {StepVerdict::kOk, "load", "done: " + Named(report.schemes), ""});
  std::vector<std::string> schemes;
  for (const SchemeReport& each : report.schemes) {
    schemes.push_back(each.scheme);
  }
  const std::string usable = UsableText(schemes, report.stubs);
  if (!usable.empty()) {
    steps.push_back({StepVerdict::kNote, "schemes", usable, ""});
  }
  if (report.stubs.empty()) return;
  steps.push_back(UndefinedFunctionsStep(report.stubs));
}

void AddAll(std::vector<DiagnosisStep> more,
            std::vector<DiagnosisStep>& steps) {
  for (DiagnosisStep& each : more) steps.push_back(std::move(each));
}

}  // namespace

std::vector<DiagnosisStep> DiagnosePlugins(const DiagnosisOptions& options) {
  HandOnForeignVariables();
  std::vector<DiagnosisStep> steps;
  for (const WantedPlugin& plugin : options.plugins) {
    steps.push_back({StepVerdict::kOk, "plugin", plugin.name, ""});
    const auto load = [&](const LoadOptions& child) {
      LoadOptions all = options.load;
      all.registry = child.registry;
      all.on_phase = child.on_phase;
      return plugin.load(all);
    };
    const ConfinedReport report =
        LoadConfined(plugin.name, load, options.deadline);
    AddLoad(report.load, steps);
    if (KnownPluginAt(plugin.path) != nullptr) {
      for (const SchemeReport& each : report.load.schemes) {
        AddAll(VariableSteps(each.scheme), steps);
      }
    }
    // It cannot load the plugin inside fsload's command, which is no file.
    if (!plugin.path.empty()) AddAll(TensorFlowSteps(plugin.path), steps);
  }
  return steps;
}

}  // namespace fsload
