// Empty directories, which stores keep, if at all, as objects whose names end
// in '/', and empty files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

// Closes the file that was opened, after appending nothing: the s3 plugin makes
// no object unless something is appended. Returns the first error.
absl::Status CloseEmpty(absl::StatusOr<std::unique_ptr<WritableFile>> opened);

// Returns OK if a directory is at `uri`; NOT_FOUND if nothing is there,
// FAILED_PRECONDITION for a file, else the error of the query.
absl::Status CheckDirectoryIsThere(const FileSystem& file_system,
                                   const std::string& uri);

// What is known of a directory before a plugin was told to make it.
enum class DirectoryWas : uint8_t {
  kUnknown,
  kNothing,  // two answers agreed (FileSystem::StatIfExists)
};

// Makes the directory `uri` if nothing is there although the plugin reported
// success: store plugins may make nothing. Creates an object whose name ends in
// '/', which stores treat as a directory. UNIMPLEMENTED if that does not work
// either; otherwise fails as CheckDirectoryIsThere does.
absl::Status EnsureDirectory(const FileSystem& file_system,
                             const std::string& uri,
                             DirectoryWas before = DirectoryWas::kUnknown);

}  // namespace fsload
