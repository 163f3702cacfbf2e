// The files of this machine behind a table of C functions: the leaf operations
// and no others. Paths are the machine's.
#ifndef FSLOAD_CORE_TESTING_LOCAL_FILES_H_
#define FSLOAD_CORE_TESTING_LOCAL_FILES_H_

#include <memory>

#include "fsload/file_system.h"

namespace fsload {

// A file system over what lies on disk. Thread-safe.
FileSystemPtr OpenLocalFiles();

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_LOCAL_FILES_H_
