#include "tools/doctor/variable_steps.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "loader/aliases/plugin_environment.h"
#include "loader/known_plugins/known_plugins.h"
#include "third_party/fmt/format.h"
#include "tools/network/endpoint_form.h"
#include "tools/network/foreign_variables.h"

namespace fsload {
namespace {

// How the user sets `variable` for the plugin of `scheme`, which the file of
// schemes may define.
std::string SettingOf(const KnownVariable& variable, const std::string& scheme,
                      bool is_alias) {
  if (variable.example.empty()) return "";
  return is_alias ? Format("add {} = \"{}\" to [{}.environment]", variable.name,
                           variable.example, scheme)
                  : Format("export {}={}", variable.name, variable.example);
}

}  // namespace

std::vector<DiagnosisStep> VariableSteps(const std::string& scheme) {
  const PluginEnvironment environment = PluginEnvironment::Of(scheme);
  const std::string& in_plugin = environment.scheme();
  std::vector<DiagnosisStep> steps;
  size_t set = 0;
  for (const KnownVariable& variable : KnownVariablesOf(in_plugin)) {
    if (environment.Value(std::string(variable.name).c_str()).has_value()) {
      ++set;
    } else if (variable.need == VariableNeed::kRequired ||
               variable.need == VariableNeed::kAdvised) {
      const bool required = variable.need == VariableNeed::kRequired;
      steps.push_back({required ? StepVerdict::kProblem : StepVerdict::kNote,
                       "variable",
                       Format("{} ({}) is not set: {}", variable.name,
                              variable.meaning, variable.without),
                       SettingOf(variable, scheme, in_plugin != scheme)});
    }
  }
  if (KnownVariablesOf(in_plugin).empty()) return steps;
  const absl::Status form = CheckEndpointForm(scheme);
  if (!form.ok()) {
    steps.push_back(
        {StepVerdict::kProblem, "variable", std::string(form.message()), ""});
  }
  for (const std::string& ignored : IgnoredVariables(in_plugin)) {
    steps.push_back({StepVerdict::kNote, "variable", ignored, ""});
  }
  steps.push_back(
      {StepVerdict::kOk, "variable",
       Format("{} of the {} variables that the {} plugin reads are set", set,
              KnownVariablesOf(in_plugin).size(), in_plugin),
       ""});
  return steps;
}

}  // namespace fsload
