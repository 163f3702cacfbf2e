// The plugin inside this executable: testdata/posix, for "posix" and local
// paths.
#pragma once

#include "absl/types/span.h"
#include "loader/known_plugins/known_plugins.h"

namespace fsload {

// Returns the contents of its shared object, which is loaded as
// kBundledPluginName.
absl::Span<const char> BundledPlugin();

}  // namespace fsload
