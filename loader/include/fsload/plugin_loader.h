// Loads a plugin and registers its file systems.
#ifndef FSLOAD_PLUGIN_LOADER_H_
#define FSLOAD_PLUGIN_LOADER_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "fsload/export.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"

struct TF_FilesystemPluginInfo;

namespace FSLOAD_API fsload {

// The type of a plugin's exported TF_InitPlugin (L1119).
using InitFunction = void (*)(TF_FilesystemPluginInfo*);

// All of these are thread-safe; loads wait for each other. Errors are in
// LoadReport::status. Unless `options.isolation` is set, a plugin's code runs
// in this process, and one that crashes takes the process down. What is loaded
// stays until the process ends: retire its schemes to end its use. All or
// nothing, unless `options.partial`: if one scheme fails, the initialised ones
// are cleaned up in reverse order and nothing is registered.

// Loads the shared object at `path`: copies the file, links its imports from
// the host, opens it, calls TF_InitPlugin, checks its tables, seals them,
// initialises each file system and registers all of them. Contents that are
// already loaded are not loaded again: those of their schemes that are not
// registered are registered anew.
LoadReport LoadPlugin(const std::string& path, const LoadOptions& options = {});

// Loads a plugin, like LoadPlugin, from a shared object in memory; `name` is
// for messages and debuggers. `bytes` need not outlive the call.
LoadReport LoadPluginFromBytes(std::string_view name,
                               absl::Span<const char> bytes,
                               const LoadOptions& options = {});

// Registers a plugin that is linked into the program, like LoadPlugin from
// TF_InitPlugin on: `init` fills in the schemes. `name` is for messages.
LoadReport RegisterPlugin(std::string_view name, InitFunction init,
                          const LoadOptions& options = {});

}  // namespace fsload

#endif  // FSLOAD_PLUGIN_LOADER_H_
