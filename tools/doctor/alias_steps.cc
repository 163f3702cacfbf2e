#include "tools/doctor/alias_steps.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_join.h"
#include "loader/discovery/plugin_to_load.h"
#include "third_party/fmt/format.h"
#include "tools/doctor/processor_step.h"

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
  std::vector<DiagnosisStep> steps;
  for (const SchemeAlias& alias : *aliases) {
    absl::StatusOr<PluginToLoad> plugin = PluginOf(alias, load, catalog);
    if (plugin.ok() && access(plugin->path.c_str(), R_OK) != 0) {
      plugin = ErrnoError(errno, "{}: cannot be read", plugin->path);
    }
    if (plugin.ok()) {
      if (auto step = ProcessorStep(alias.name, plugin->path)) {
        steps.push_back(*std::move(step));
        continue;
      }
    }
    steps.push_back(
        plugin.ok()
            ? DiagnosisStep{StepVerdict::kOk, alias.name,
                            Format("{}; {}", Describe(alias), plugin->path), ""}
            : DiagnosisStep{StepVerdict::kProblem, alias.name,
                            std::string(plugin.status().message()), ""});
  }
  return steps;
}

}  // namespace fsload
