// Directories that hold nothing, which stores keep as objects whose names end
// in
// '/', if at all.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_STORE_DIRECTORIES_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_STORE_DIRECTORIES_H_

#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// OK when a directory is at `uri`; NOT_FOUND when nothing is there,
// FAILED_PRECONDITION for a file, else the error of looking there.
absl::Status CheckDirectoryIsThere(const FileSystem& file_system,
                                   const std::string& uri);

// Makes the directory `uri` where nothing is there, although the plugin said
// that it made one: plugins for stores may make nothing. Then an object whose
// name ends in '/' is made, which stores take for a directory. UNIMPLEMENTED
// when that is none either; fails as CheckDirectoryIsThere.
absl::Status EnsureDirectory(const FileSystem& file_system,
                             const std::string& uri);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_STORE_DIRECTORIES_H_
