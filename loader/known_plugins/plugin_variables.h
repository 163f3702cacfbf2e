// The environment variables without which known plugins damage data.
#pragma once

#include <string_view>

namespace fsload {

// Sets those variables of the plugin `name` (KnownNameOf; VariableNeed::kSet in
// loader/known_plugins/known_plugins.h) that are unset; one that is set, even
// empty, stays unchanged. As with setenv(3), no other thread may read the
// environment meanwhile. Does nothing for unknown plugins.
void SetPluginVariables(std::string_view name);

}  // namespace fsload
