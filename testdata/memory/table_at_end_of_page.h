// A filesystem table as a plugin has it that was built for another version of
// the interface.
#ifndef FSLOAD_TESTDATA_MEMORY_TABLE_AT_END_OF_PAGE_H_
#define FSLOAD_TESTDATA_MEMORY_TABLE_AT_END_OF_PAGE_H_

#include <cstddef>

#include "fsload/filesystem_interface.h"

namespace memory_plugin {

// The first `bytes` bytes of `ops` with an unreadable page right behind them;
// where there are more, they are no code. Null where memory ran out.
TF_FilesystemOps* TableAtEndOfPage(const TF_FilesystemOps& ops, size_t bytes);

// A plugin's free for such tables and for all of plugin_memory::Allocate.
void FreeAlsoTable(void* memory);

}  // namespace memory_plugin

#endif  // FSLOAD_TESTDATA_MEMORY_TABLE_AT_END_OF_PAGE_H_
