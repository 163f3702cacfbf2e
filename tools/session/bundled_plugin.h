// The plugin inside this executable: testdata/posix, for "posix" and local
// paths.
#ifndef FSLOAD_TOOLS_SESSION_BUNDLED_PLUGIN_H_
#define FSLOAD_TOOLS_SESSION_BUNDLED_PLUGIN_H_

#include "absl/types/span.h"
#include "loader/known_plugins/known_plugins.h"

namespace fsload {

// Returns the contents of its shared object, which is loaded as
// kBundledPluginName.
absl::Span<const char> BundledPlugin();

}  // namespace fsload

#endif  // FSLOAD_TOOLS_SESSION_BUNDLED_PLUGIN_H_
