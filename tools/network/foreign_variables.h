// The environment variables that people set for other tools, and what the
// plugins of stores make of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace fsload {

// One that the plugin for `scheme` does not read.
struct ForeignVariable {
  std::string_view scheme;
  const char* name;
  // The plugin's own variable, which gets the value where it is not set; null
  // where there is none with the same meaning.
  const char* own;
  std::string_view instead;  // what to do without one
};

// Returns all of them: constants, valid as long as the process. docs/verbs.md
// has them.
absl::Span<const ForeignVariable> ForeignVariables();

// Sets the plugins' own variables. As with setenv(3), no other thread may read
// the environment meanwhile.
void HandOnForeignVariables();

// Returns `own`, and the variable that it has its value from if that is another
// tool's: "S3_ENDPOINT (from AWS_ENDPOINT_URL)".
std::string WithOrigin(const char* own);

// Returns a sentence about each variable that is set, and of which the plugin
// for `scheme` does not get to know: "AWS_CA_BUNDLE is set, but …".
std::vector<std::string> IgnoredVariables(std::string_view scheme);

}  // namespace fsload
