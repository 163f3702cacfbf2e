// The operations of one file system, and the files that it opens.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_FILE_SYSTEM_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_FILE_SYSTEM_H_

#include "core/file_system/file_system.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_FILE_SYSTEM_H_
