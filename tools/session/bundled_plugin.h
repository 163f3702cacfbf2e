// The plugin inside this executable: testdata/posix, for "posix" and local
// paths.
#ifndef FSLOAD_TOOLS_SESSION_BUNDLED_PLUGIN_H_
#define FSLOAD_TOOLS_SESSION_BUNDLED_PLUGIN_H_

#include "absl/types/span.h"

namespace fsload {

// Its name in messages.
inline constexpr char kBundledPluginName[] = "the bundled posix plugin";

// The contents of its shared object.
absl::Span<const char> BundledPlugin();

}  // namespace fsload

#endif  // FSLOAD_TOOLS_SESSION_BUNDLED_PLUGIN_H_
