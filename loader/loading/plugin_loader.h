// From a plugin to registered file systems.
#ifndef FSLOAD_LOADER_LOADING_PLUGIN_LOADER_H_
#define FSLOAD_LOADER_LOADING_PLUGIN_LOADER_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "core/calls/op_observer.h"
#include "core/registry/scheme_registry.h"
#include "loader/linking/library.h"
#include "loader/report/load_phase.h"
#include "loader/report/load_report.h"
#include "loader/trust/trust.h"

namespace fsload {

struct LoadOptions {
  // Where the schemes are registered; null: SchemeRegistry::Default().
  SchemeRegistry* registry = nullptr;

  // Keep the schemes that are right although others are not.
  bool partial = false;

  // Let the dynamic linker open the file itself instead of a private copy, for
  // profilers and to save memory. The plugin must then find all of its symbols
  // without fsload's help, and nobody may change the file while it is loaded.
  bool in_place = false;

  // Refuse for a broken SHOULD rule as for a MUST rule.
  bool warnings_as_errors = false;

  // Sees each call of the plugin's operations, from init to cleanup, and
  // outlives its file systems; null: nobody does. A plugin that was loaded
  // before keeps the observer of its first load.
  OpObserver* observer = nullptr;

  // Which plugins may be loaded; fewer than all.
  Trust trust;

  // What becomes of a plugin that wants symbols which nobody has. It costs
  // nothing unless there are some. Stand-ins throw; where nothing may be thrown
  // (a destructor, a noexcept function, a thread that the plugin started) the
  // process ends, as it does, with exit code 1, when a static initialiser calls
  // one. With `in_place` there are none.
  MissingSymbols missing_symbols = MissingSymbols::kRefuse;

  // Set the environment variables without which a known plugin damages data,
  // unless they are set (loader/known_plugins/plugin_variables.h). No other
  // thread may read the environment while such a plugin is loaded.
  bool sets_variables = true;

  // Told before each phase of the load begins, on the thread that loads; null:
  // nobody is.
  PhaseObserver on_phase;

  // Told where TF_InitPlugin finds its TF_FilesystemPluginInfo, before it is
  // called; null: nobody is.
  std::function<void(const void* info)> on_entry;

  // Try the plugin's allocator before its tables are used: one that does not
  // work may end the process there.
  bool try_hooks = false;
};

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

#endif  // FSLOAD_LOADER_LOADING_PLUGIN_LOADER_H_
