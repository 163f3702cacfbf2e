#include "tools/doctor/alias_steps.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "fsload/load_report.h"
#include "fsload/scheme_registry.h"
#include "loader/discovery/plugin_to_load.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

std::string Place(const AliasVariable& variable) {
  switch (variable.source) {
    case AliasVariable::Source::kText:
      return variable.text.empty() ? " (removed)" : "";
    case AliasVariable::Source::kVariable:
      return Format(" (from the variable {})", variable.text);
    case AliasVariable::Source::kFile:
      return Format(" (from {})", variable.text);
  }
  return "";
}

// Loads the plugin into a process of its own, which ends at once.
absl::Status TryLoad(PluginToLoad& plugin, absl::Duration deadline) {
  if (access(plugin.path.c_str(), R_OK) != 0) {
    return LoadStatusOf(plugin,
                        ErrnoError(errno, "{}: cannot be read", plugin.path));
  }
  absl::Duration& timeout = plugin.options.isolation->call_timeout;
  timeout = std::min(timeout, deadline);
  SchemeRegistry registry;
  plugin.options.registry = &registry;
  const LoadReport report = Load(plugin);
  registry.RetireAll().IgnoreError();
  return report.status;
}

}  // namespace

std::string Describe(const SchemeAlias& alias) {
  const std::string scheme = alias.scheme + "://";
  if (alias.environment.empty()) return scheme;
  return Format("{} with {}", scheme,
                absl::StrJoin(alias.environment, ", ",
                              [](std::string* text, const auto& each) {
                                text->append(each.first + Place(each.second));
                              }));
}

std::vector<DiagnosisStep> AliasSteps(const LoadOptions& load,
                                      absl::Duration deadline,
                                      PluginCatalog& catalog) {
  const absl::StatusOr<std::vector<SchemeAlias>> aliases = ReadAliases();
  if (!aliases.ok()) {
    return {{StepVerdict::kProblem, "schemes",
             std::string(aliases.status().message()), ""}};
  }
  if (aliases->empty()) {
    const std::string file = AliasFile();
    return {{StepVerdict::kNote, "schemes",
             file.empty() ? "no file: neither FSLOAD_SCHEMES nor HOME is set"
                          : "none in " + file,
             ""}};
  }
  // All of them first: a process of several threads tries no plugin.
  std::vector<absl::StatusOr<PluginToLoad>> plugins;
  for (const SchemeAlias& alias : *aliases) {
    plugins.push_back(PluginOf(alias, load, catalog));
  }
  std::vector<DiagnosisStep> steps;
  for (size_t i = 0; i < plugins.size(); ++i) {
    const SchemeAlias& alias = (*aliases)[i];
    const absl::Status status =
        plugins[i].ok() ? TryLoad(*plugins[i], deadline) : plugins[i].status();
    steps.push_back(
        status.ok()
            ? DiagnosisStep{StepVerdict::kOk, alias.name,
                            Format("{}; {}", Describe(alias), plugins[i]->path),
                            ""}
            : DiagnosisStep{StepVerdict::kProblem, alias.name,
                            std::string(status.message()), ""});
  }
  return steps;
}

}  // namespace fsload
