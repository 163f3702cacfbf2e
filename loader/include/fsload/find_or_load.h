// The plugin for a URI, found and loaded.
#ifndef FSLOAD_FIND_OR_LOAD_H_
#define FSLOAD_FIND_OR_LOAD_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "fsload/load_options.h"

namespace fsload {

// The file system that `options.registry` has for the scheme of `uri`. Where it
// has none: finds a plugin on this machine that serves the scheme, in
// FSLOAD_PLUGIN_PATH and in the Python environments, loads it as `options` say
// and registers all of its schemes that are free.
//
// NOT_FOUND for a path without a scheme that nobody registered, and where there
// is no such plugin: the message says what to install. FAILED_PRECONDITION
// where all that would serve the scheme are refused. May be called from any
// thread.
//
// Plugins are tried in child processes before one is loaded, and what came of
// it is remembered in the user's cache. A process that has several threads
// forks none: what is remembered must do, or what is known of published
// plugins.
absl::StatusOr<FileSystemPtr> FindOrLoad(std::string_view uri,
                                         const LoadOptions& options = {});

}  // namespace fsload

#endif  // FSLOAD_FIND_OR_LOAD_H_
