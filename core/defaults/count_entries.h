// How much is in a directory.
#pragma once

#include <string>

#include "core/calls/plugin_ops.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns how many files and directories are below `path`, a canonical one, as
// far as they can be listed, and a million at most: links may form cycles.
Undeleted CountEntries(const PluginOps& ops, const std::string& path);

}  // namespace fsload
