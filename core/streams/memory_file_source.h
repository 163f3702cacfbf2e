// Bytes in memory as the source of a copy.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

// The only file of such a file system.
inline constexpr char kMemoryFileSource[] = "/given contents";

// Returns a file system that can stat and read that file, whose contents are
// `contents`: it must outlive the file system. So CopyFileAs, which knows how a
// file is replaced, also writes what is no file. RESOURCE_EXHAUSTED if the
// kernel has no memory for its tables.
absl::StatusOr<FileSystemPtr> MemoryFileSource(
    const std::string_view& contents);

}  // namespace fsload
