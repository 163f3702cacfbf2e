// Finds and loads the plugin for a URI.
#ifndef FSLOAD_FIND_OR_LOAD_H_
#define FSLOAD_FIND_OR_LOAD_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/load_options.h"

namespace FSLOAD_API fsload {

// Returns the file system that `options.registry` has for the scheme of `uri`,
// as it was registered: `options` do not change it. If it has none: finds a
// plugin on this machine that serves the scheme, in FSLOAD_PLUGIN_PATH, in
// Python's packages and in the folder of fsload's installation, loads it
// according to `options` and registers all of its schemes that are free. For a
// name in LoadOptions::scheme_as it finds a plugin that serves the scheme of
// that name, which may be one in the user's file of schemes. A scheme that the
// file names (docs/isolation.md) is registered alone, and its plugin is
// isolated.
//
// NOT_FOUND for a path without a scheme if nothing is registered for it, and if
// there is no such plugin: the message says what to install.
// FAILED_PRECONDITION if every plugin that serves the scheme is refused, and if
// the file of schemes would replace a plugin's scheme without override = true.
// INVALID_ARGUMENT, with file, line and key, if the file of schemes is wrong.
// Otherwise fails like LoadPlugin. Thread-safe.
//
// Plugins are tried in child processes before one is loaded, and the results
// are remembered in the user's cache. A process with several threads does not
// fork: it relies on remembered results and on what is known of published
// plugins.
absl::StatusOr<FileSystemPtr> FindOrLoad(std::string_view uri,
                                         const LoadOptions& options = {});

}  // namespace fsload

#endif  // FSLOAD_FIND_OR_LOAD_H_
