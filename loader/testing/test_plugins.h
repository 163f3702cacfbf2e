// Loads the plugins of testdata/ for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "loader/testing/test_files.h"

namespace fsload {

// Returns the file system that testdata/<name>.so registers in a separate
// registry, with its own init. Ends the process if loading fails.
FileSystemPtr LoadTestPlugin(std::string_view name);

// Returns a file system over `tables`, with its own init. Ends the process on
// failure.
FileSystemPtr MakeFileSystem(const SchemeTables& tables,
                             const FileSystem& original);

// Returns a new world-writable directory for one test: an absolute path.
std::string NewTestDirectory();

// Returns what is wrong with a log of memory (testdata/plugin_memory.h): blocks
// that were allocated and not freed, or freed and not allocated. Empty if each
// was freed once.
std::vector<std::string> Imbalance(const std::vector<std::string>& log);

}  // namespace fsload
