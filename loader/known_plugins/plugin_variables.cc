#include "loader/known_plugins/plugin_variables.h"

#include <string>

#include "compat/environment.h"
#include "loader/known_plugins/known_plugins.h"

namespace fsload {

void SetPluginVariables(std::string_view name) {
  const KnownPlugin* const plugin = KnownPluginAt(name);
  if (plugin == nullptr) return;
  for (const std::string_view scheme : plugin->schemes) {
    for (const KnownVariable& variable : KnownVariablesOf(scheme)) {
      if (variable.need != VariableNeed::kSet) continue;
      SetMissingEnvironmentVariable(std::string(variable.name).c_str(),
                                    std::string(variable.example).c_str());
    }
  }
}

}  // namespace fsload
