// The plugins that this process has loaded.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/tables/op_tables.h"
#include "fsload/load_report.h"
#include "loader/linking/library.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/plugin_libraries.h"
#include "loader/trust/trust.h"

namespace fsload {

struct CheckedScheme {
  SchemeReport report;
  std::optional<OpTables> tables;  // none: refused
  std::string unusable = {};       // the error of every call; "": none
  // Makes what init finds in TF_Filesystem; empty: null, for a plugin.
  std::function<TF_Filesystem()> state = {};
};

// A plugin with checked and sealed tables; its schemes can be registered, and
// registered again after retirement.
struct CheckedPlugin {
  Findings findings;  // about what TF_InitPlugin returned
  std::vector<CheckedScheme> schemes;
};

struct LoadedPlugin {
  std::unique_ptr<Library> library;
  // None until TF_InitPlugin has returned.
  std::optional<CheckedPlugin> checked;
  LoadedLibraries looked;  // when what it opens was last looked for
  Trust trust;             // of its last load
};

// Returns the plugins that were loaded. They stay, as what is open stays (see
// Library). The caller holds the LoadMutex.
std::vector<std::unique_ptr<LoadedPlugin>>& LoadedPlugins();

// Recursive, because a plugin may load others from its TF_InitPlugin. A forked
// child gets a new one: the threads that were loading do not exist there. A
// fork waits for loads, but not for one that takes longer than kMaxForkWait: a
// lock of the dynamic linker that a load holds would stay locked in the child.
inline constexpr std::chrono::seconds kMaxForkWait{10};
std::recursive_timed_mutex& LoadMutex();

// Holds the LoadMutex while it lives.
class LoadLock final {
 public:
  LoadLock() : lock_(LoadMutex()) {}

 private:
  const std::lock_guard<std::recursive_timed_mutex> lock_;
};

// Checks the libraries that were opened since this looked last, and adds them
// to those of the plugin's library, which each load checks.
void CheckOpenedSince(LoadedPlugin& plugin, Findings& findings);

// Finds problems of the libraries that were opened since the plugins of this
// process were loaded, or since the last call; for a process that opens
// libraries only through its plugins.
Findings FindOpenedLater();

}  // namespace fsload
