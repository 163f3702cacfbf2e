// What the user's file of schemes says, and whether it can be used.
#pragma once

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "fsload/load_options.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/discovery/plugin_catalog.h"
#include "tools/doctor/diagnosis.h"

namespace fsload {

// Returns what `alias` stands for: "s3:// with S3_ENDPOINT, AWS_PROFILE", with
// the places of values, and no values.
std::string Describe(const SchemeAlias& alias);

// Returns a step for each alias in the user's file: its plugin, or why it
// cannot be loaded according to `load` until the `deadline`, which each has for
// itself. No plugin stays loaded.
std::vector<DiagnosisStep> AliasSteps(const LoadOptions& load,
                                      absl::Duration deadline,
                                      PluginCatalog& catalog);

}  // namespace fsload
