// The plugins that this process has loaded.
#ifndef FSLOAD_LOADER_LOADING_LOADED_PLUGINS_H_
#define FSLOAD_LOADER_LOADING_LOADED_PLUGINS_H_

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/tables/op_tables.h"
#include "fsload/load_report.h"
#include "loader/linking/library.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/brought_libraries.h"
#include "loader/trust/trust.h"

namespace fsload {

struct CheckedScheme {
  SchemeReport report;
  std::optional<OpTables> tables;  // none: refused
  std::string unusable = {};       // why `tables` only say so; "": they do not
};

// A plugin whose tables are checked and sealed; its schemes can be registered,
// and after a retirement again.
struct CheckedPlugin {
  Findings findings;  // of what TF_InitPlugin handed over, and init opened
  std::vector<CheckedScheme> schemes;
};

struct LoadedPlugin {
  std::unique_ptr<Library> library;
  std::optional<CheckedPlugin> checked;  // none until TF_InitPlugin returned
  LoadedAt looked;  // when what it opened was looked at last
  Trust trust;      // of its last load
};

// What is open stays: see Library. For who has the LoadMutex.
std::vector<std::unique_ptr<LoadedPlugin>>& LoadedPlugins();

// Recursive, for a plugin may load others from its TF_InitPlugin. A forked
// child gets a new one: nobody there ends the loads that other threads were in.
std::recursive_mutex& LoadMutex();

// What is wrong with the libraries that were opened since the plugins of this
// process were loaded, or since the last call; for a process that opens none
// but by its plugins.
Findings FindOpenedLater();

}  // namespace fsload

#endif  // FSLOAD_LOADER_LOADING_LOADED_PLUGINS_H_
