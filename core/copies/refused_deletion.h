// What may be at a path where delete_file failed: a directory, or a symbolic
// link that looks like one, as no operation tells them apart.
#pragma once

#include "absl/status/status.h"
#include "core/calls/plugin_ops.h"

namespace fsload {

// Returns whether delete_file's error `refused` may mean a directory. Where it
// cannot, nothing is entered: a link that could not be deleted looks like the
// directory it points to.
bool MayBeDirectory(const PluginOps& ops, const absl::Status& refused);

// Returns OK unless `path`, which the plugin takes for a directory and did not
// delete as a file, is a symbolic link on this machine's disks; then the
// error for not following it, with that of the deletion, `refused`. A plugin's
// files are taken for this machine's if it is known to serve them
// (PluginTraits::has_local_paths), or if a name that it lists is behind the
// local link, too. Asks the plugin only where such a link is; finds none below
// a Subtree, whose paths are others. Thread-safe.
absl::Status CheckNoLinkHere(const PluginOps& ops, const PathArgument& path,
                             const absl::Status& refused);

}  // namespace fsload
