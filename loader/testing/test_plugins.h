// The plugins of testdata/ as tests load them.
#ifndef FSLOAD_LOADER_TESTING_TEST_PLUGINS_H_
#define FSLOAD_LOADER_TESTING_TEST_PLUGINS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "loader/testing/test_files.h"

namespace fsload {

// The file system that testdata/<name>.so registers in a registry of its own;
// init has run for it alone. Ends the process where loading fails.
FileSystemPtr LoadTestPlugin(std::string_view name);

// `tables` without `op`.
SchemeTables Without(SchemeTables tables, Op op);

// A file system over `tables`, with an init of its own. Ends the process where
// that fails.
FileSystemPtr MakeFileSystem(const SchemeTables& tables,
                             const FileSystem& original);

// A new directory for one test, which anybody may write to: an absolute path.
std::string NewTestDirectory();

// What is wrong with a log of memory (testdata/plugin_memory.h): blocks that
// were given and not freed, or freed and not given. Empty where each came back
// once.
std::vector<std::string> Imbalance(const std::vector<std::string>& log);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TESTING_TEST_PLUGINS_H_
