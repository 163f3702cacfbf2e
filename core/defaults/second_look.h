// Whether something is at a path, asked so that a wrong NOT_FOUND is not
// believed.
#ifndef FSLOAD_CORE_DEFAULTS_SECOND_LOOK_H_
#define FSLOAD_CORE_DEFAULTS_SECOND_LOOK_H_

#include <optional>

#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"

namespace fsload {

// What is at `path`; nothing only where a second, independent question agrees:
// the listing of its directory (core/paths/listed_names.h remembers it), where
// that is missing too those above it, and where the plugin cannot list, or a
// listing is dear (PluginTraits::reading_tells), opening the file and reading.
// Plugins say NOT_FOUND of what they may not see and of servers that do not
// answer; to believe them would be to overwrite what is there. Where the
// answers differ, stat is asked once more, and then it is UNAVAILABLE;
// PERMISSION_DENIED where the second question was denied, UNAVAILABLE where it
// failed otherwise. Other errors are those of stat. A plugin whose answers are
// exact is asked once.
absl::StatusOr<std::optional<FileStatistics>> LookFor(const PluginOps& ops,
                                                      const PathArgument& path);

}  // namespace fsload

#endif  // FSLOAD_CORE_DEFAULTS_SECOND_LOOK_H_
