// A filesystem table as in a plugin built for another version of the interface.
#pragma once

#include <cstddef>

#include "fsload/filesystem_interface.h"

namespace memory_plugin {

// The first `bytes` bytes of `ops`, followed by an unreadable page; any bytes
// beyond `ops` are not code. Null if out of memory.
TF_FilesystemOps* TableAtEndOfPage(const TF_FilesystemOps& ops, size_t bytes);

// Frees such tables, and whatever comes from plugin_memory::Allocate.
void FreeAlsoTable(void* memory);

}  // namespace memory_plugin
