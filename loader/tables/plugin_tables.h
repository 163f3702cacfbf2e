// From what a plugin wrote into its TF_FilesystemPluginInfo to checked copies
// of its tables.
#ifndef FSLOAD_LOADER_TABLES_PLUGIN_TABLES_H_
#define FSLOAD_LOADER_TABLES_PLUGIN_TABLES_H_

#include <string>
#include <vector>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/load_report.h"
#include "loader/rules/findings.h"
#include "loader/tables/code_map.h"

namespace fsload {

// One scheme: copies of its tables, zero where the plugin declares nothing, and
// what they hold.
struct CopiedScheme {
  std::string scheme;
  SchemeTables tables;
  SchemeReport report;
};

// Copies the array of schemes that `info` leads to, without trusting its
// pointer or its length. Empty, and a finding, when it cannot be had.
std::vector<TF_FilesystemPluginOps> CopySchemes(
    const TF_FilesystemPluginInfo& info, Findings& findings);

// Copies each scheme's name and tables, reading the plugin's memory once, and
// checks the copies; `info` has the hooks that the plugin left. Schemes whose
// name cannot be read are left out. Everything wrong is added to `findings`.
std::vector<CopiedScheme> CopyAndCheckTables(
    const TF_FilesystemPluginInfo& info,
    const std::vector<TF_FilesystemPluginOps>& schemes,
    const StatusProvider& status, const CodeMap& code, Findings& findings);

// Checks the allocator hooks in `info`; `host` are those that it arrived with.
// False when they cannot be called.
bool CheckHooks(const TF_FilesystemPluginInfo& info, const MemoryHooks& host,
                const CodeMap& code, Findings& findings);

// Has the hooks allocate some memory, which is written to, and free it. Hooks
// that do not work may end the process. False, and a finding, where they say so
// themselves.
bool TryHooks(const TF_FilesystemPluginInfo& info, Findings& findings);

// Frees, with the plugin's hook, the names, the tables and the array that it
// handed over (L1029), each once. What lies inside a shared object, or on the
// stack, was never allocated: that is a finding, and it stays.
void FreeHandedOver(const TF_FilesystemPluginInfo& info,
                    const std::vector<TF_FilesystemPluginOps>& schemes,
                    Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TABLES_PLUGIN_TABLES_H_
