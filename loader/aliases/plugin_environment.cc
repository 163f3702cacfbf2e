#include "loader/aliases/plugin_environment.h"

#include <utility>

#include "absl/status/statusor.h"
#include "compat/environment.h"
#include "third_party/fmt/format.h"

namespace fsload {

PluginEnvironment PluginEnvironment::Of(std::string_view scheme) {
  absl::StatusOr<std::optional<SchemeAlias>> alias = FindAlias(scheme);
  if (!alias.ok() || !alias->has_value()) {
    return {std::string(scheme), std::nullopt};
  }
  std::string in_plugin = (*alias)->scheme;
  return {std::move(in_plugin), *std::move(alias)};
}

std::optional<std::string> PluginEnvironment::Value(
    const char* variable) const {
  if (alias_.has_value()) {
    const auto own = alias_->environment.find(variable);
    if (own != alias_->environment.end()) {
      absl::StatusOr<std::optional<std::string>> value =
          ValueOf(*alias_, own->first, own->second);
      return value.ok() ? *std::move(value) : std::nullopt;
    }
  }
  const char* const value = EnvironmentVariable(variable);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string PluginEnvironment::Origin(const char* variable) const {
  if (!alias_.has_value() || alias_->environment.count(variable) == 0) {
    return "";
  }
  return Format(" in [{}] ({})", alias_->name,
                alias_->LocationOf(std::string("environment.") + variable));
}

}  // namespace fsload
