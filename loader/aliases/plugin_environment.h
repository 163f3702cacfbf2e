// The environment that the plugin of a scheme gets.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "loader/aliases/scheme_alias.h"

namespace fsload {

// Also of an alias, which changes some variables. A value.
class PluginEnvironment final {
 public:
  // Reads AliasFile(); a scheme of which it has no alias, and all schemes if it
  // cannot be read, have the environment of this process.
  static PluginEnvironment Of(std::string_view scheme);

  // Returns the scheme as the plugin knows it.
  const std::string& scheme() const { return scheme_; }

  // Returns the value of a variable; nullopt if it is not set, or cannot be
  // read.
  std::optional<std::string> Value(const char* variable) const;

  // Returns where an alias sets the variable, for messages, as in
  // " in [minio] (FILE: line 3)"; "" if none does.
  std::string Origin(const char* variable) const;

 private:
  PluginEnvironment(std::string scheme, std::optional<SchemeAlias> alias)
      : scheme_(std::move(scheme)), alias_(std::move(alias)) {}

  std::string scheme_;
  std::optional<SchemeAlias> alias_;
};

}  // namespace fsload
