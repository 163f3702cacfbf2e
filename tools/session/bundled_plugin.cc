#include "tools/session/bundled_plugin.h"

// Defined in bundled_plugin_bytes.s.
extern "C" const char fsload_bundled_plugin_begin[];
extern "C" const char fsload_bundled_plugin_end[];

namespace fsload {

absl::Span<const char> BundledPlugin() {
  return {fsload_bundled_plugin_begin,
          static_cast<size_t>(fsload_bundled_plugin_end -
                              fsload_bundled_plugin_begin)};
}

}  // namespace fsload
