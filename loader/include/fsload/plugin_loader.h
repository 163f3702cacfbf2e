// From a plugin to registered file systems.
#ifndef FSLOAD_PLUGIN_LOADER_H_
#define FSLOAD_PLUGIN_LOADER_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"

struct TF_FilesystemPluginInfo;

namespace fsload {

// What a plugin exports as TF_InitPlugin (L1119).
using InitFunction = void (*)(TF_FilesystemPluginInfo*);

// All of these may be called from any thread; loads wait for each other. A
// plugin's code runs in this process, so one that crashes takes the process
// with it. What is loaded stays until the process ends: retire its schemes to
// end its use. All or nothing, unless `options.partial`: when one scheme fails,
// what was initialised is cleaned up in reverse and nothing is registered.

// Loads the shared object at `path`: copies the file, links what it imports
// from its host, opens it, calls TF_InitPlugin, checks its tables, seals them,
// initialises each file system and registers all. Contents that are loaded
// already are not loaded again: their schemes are registered anew where they
// are not registered.
LoadReport LoadPlugin(const std::string& path, const LoadOptions& options = {});

// The same for a shared object whose contents are in memory; `name` is for
// messages and debuggers. `bytes` need not outlive the call.
LoadReport LoadPluginFromBytes(std::string_view name,
                               absl::Span<const char> bytes,
                               const LoadOptions& options = {});

// The same, from its TF_InitPlugin on, for a plugin that is linked into the
// program: `init` fills in the schemes. `name` is for messages.
LoadReport RegisterPlugin(std::string_view name, InitFunction init,
                          const LoadOptions& options = {});

}  // namespace fsload

#endif  // FSLOAD_PLUGIN_LOADER_H_
