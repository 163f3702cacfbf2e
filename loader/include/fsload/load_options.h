// How a plugin is loaded.
#ifndef FSLOAD_LOAD_OPTIONS_H_
#define FSLOAD_LOAD_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "fsload/load_phase.h"
#include "fsload/op_observer.h"
#include "fsload/scheme_registry.h"

namespace fsload {

// Which plugins may be loaded. Trust only tightens: nothing lets a file that
// everybody may change be loaded.
struct Trust {
  // A file with the SHA-256 sums of the plugins that may be loaded, as
  // sha256sum writes it: a sum a line, what follows it is for people. Lines
  // that are empty or begin with # mean nothing. It must not be one that
  // everybody may write. "": all may be loaded.
  std::string allow_list;
};

// What becomes of a plugin that wants symbols which nobody has.
enum class MissingSymbols : uint8_t {
  kRefuse,  // it is not loaded

  // Where these are functions, and it does no more than call them, it gets
  // stand-ins: a call that comes to one ends there, and the operation is
  // UNIMPLEMENTED; where that is a scheme's init, all its operations are.
  // Everything else works. Data, and functions whose address it keeps, are
  // refused.
  kStandIn,
};

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
  // unless they are set (docs/architecture.md). No other
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

}  // namespace fsload

#endif  // FSLOAD_LOAD_OPTIONS_H_
