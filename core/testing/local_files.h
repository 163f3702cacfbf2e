// Local files behind a table of C functions: only the leaf operations. Paths
// are the machine's.
#ifndef FSLOAD_CORE_TESTING_LOCAL_FILES_H_
#define FSLOAD_CORE_TESTING_LOCAL_FILES_H_

#include <memory>

#include "fsload/file_system.h"

namespace fsload {

// Returns a file system over local files. Thread-safe.
FileSystemPtr OpenLocalFiles();

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_LOCAL_FILES_H_
