// Deletes directories with a delete_dir that may delete more than the
// directory.
#pragma once

#include "absl/status/status.h"
#include "core/calls/plugin_ops.h"

namespace fsload {

// Deletes the empty directory at `path` (L462-L471). If nobody has seen what
// the plugin's delete_dir deletes (PluginTraits::is_untested), `path` must be
// listed as empty, and so must "path//", and delete_dir is tried first: in
// `path`, on a directory of a temporary name beside a file whose name begins
// with that one. It must refuse the directory while that has a file, and leave
// the other file; what it did is remembered for the file system. If it did
// anything else, or could not be tried, it is called only where no name beside
// `path` begins with that of `path`. If create_dir makes no directory,
// delete_dir is not called: the object "path/" is deleted.
absl::Status DeleteDirSafely(const PluginOps& ops, const PathArgument& path);

}  // namespace fsload
