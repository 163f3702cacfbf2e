// Local files behind a table of C functions: only the leaf operations. Paths
// are the machine's.
#pragma once

#include "fsload/file_system.h"

namespace fsload {

// Returns a file system over local files. Thread-safe.
FileSystemPtr OpenLocalFiles();

}  // namespace fsload
