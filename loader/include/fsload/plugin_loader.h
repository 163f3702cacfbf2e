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

// All of these are thread-safe. Errors are in LoadReport::status. All or
// nothing, unless `options.partial`: if one scheme fails, the initialised ones
// are cleaned up in reverse order and nothing is registered.
//
// Without `options.isolation` loads wait for each other, and a plugin's code
// runs in this process: one that crashes takes the process down. What is loaded
// stays until the process ends: retire its schemes to end its use. After an
// exception of its static initialisers (FSP207) other threads that open a
// library wait for ever: the dynamic linker keeps its lock.
//
// With `options.isolation` each load starts a worker, a process that ends with
// the last of its file systems. Such loads wait for others only while they
// copy the environment and register schemes; `call_timeout` does not limit
// that.
//
// Of a plugin that fsload does not know by its contents, such as any that is
// linked into the program, five operations are not used unless
// `options.trust_untested` is set (docs/verbs.md, "Unknown plugins").

// Loads the shared object at `path`: copies the file, links its imports from
// the host, opens it, calls TF_InitPlugin, checks its tables, seals them,
// initialises each file system and registers all of them. Contents that are
// already loaded are not loaded again: those of their schemes that are not
// registered are registered anew. With `options.isolation` they are loaded
// again: ALREADY_EXISTS while a scheme of theirs is registered.
LoadReport LoadPlugin(const std::string& path, const LoadOptions& options = {});

// Loads a plugin, like LoadPlugin, from a shared object in memory; `name` is
// for messages and debuggers. `bytes` need not outlive the call.
LoadReport LoadPluginFromBytes(std::string_view name,
                               absl::Span<const char> bytes,
                               const LoadOptions& options = {});

// Registers a plugin that is linked into the program, like LoadPlugin from
// TF_InitPlugin on: `init` fills in the schemes. `name` is for messages.
// INVALID_ARGUMENT with `options.isolation` or `options.scheme_as`.
LoadReport RegisterPlugin(std::string_view name, InitFunction init,
                          const LoadOptions& options = {});

}  // namespace fsload

#endif  // FSLOAD_PLUGIN_LOADER_H_
