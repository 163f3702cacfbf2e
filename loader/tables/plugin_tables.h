// Copies and checks the tables that a plugin wrote into its
// TF_FilesystemPluginInfo.
#pragma once

#include <string>
#include <vector>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/load_report.h"
#include "loader/rules/findings.h"
#include "loader/tables/code_map.h"

namespace fsload {

// One scheme: copies of its tables, zero where the plugin declares nothing, and
// what they contain.
struct CopiedScheme {
  std::string scheme;
  SchemeTables tables;
  SchemeReport report;
};

// Copies the array of schemes that `info` points to, without trusting its
// pointer or its length. Empty, with a finding, on failure.
std::vector<TF_FilesystemPluginOps> CopySchemes(
    const TF_FilesystemPluginInfo& info, Findings& findings);

// Copies each scheme's name and tables, reading the plugin's memory once, and
// checks the copies; `info` has the hooks that the plugin left. Schemes with an
// unreadable name are left out. Adds all problems to `findings`.
std::vector<CopiedScheme> CopyAndCheckTables(
    const TF_FilesystemPluginInfo& info,
    const std::vector<TF_FilesystemPluginOps>& schemes,
    const StatusProvider& status, const CodeMap& code, Findings& findings);

// Checks the allocator hooks in `info`; `host` has those that were passed in.
// False if they cannot be called.
bool CheckHooks(const TF_FilesystemPluginInfo& info, const MemoryHooks& host,
                const CodeMap& code, Findings& findings);

// Allocates some memory with the hooks, writes to it and frees it. Broken hooks
// may end the process. False, with a finding, if they report failure
// themselves.
bool TryHooks(const TF_FilesystemPluginInfo& info, Findings& findings);

// Frees, with the plugin's hook, the names, the tables and the array that it
// handed over (L1029), each once. What lies inside a shared object, or on the
// stack, was never allocated: that is a finding, and it is not freed.
void FreeHandedOver(const TF_FilesystemPluginInfo& info,
                    const std::vector<TF_FilesystemPluginOps>& schemes,
                    Findings& findings);

}  // namespace fsload
