// Reads files of servers that serve no ranges of them.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns a file system of the scheme of `inner`, which it owns together with
// others; `scheme` is that of the plugin below, or another name of it. The http
// plugin takes a server's whole file for the range that it asked for, and fails
// if that does not fit. So before it reads from the middle of a file this asks
// for one byte, once while it is open; if more come, the file is read whole, up
// to 256 MiB, and kept until it is closed. Other schemes get `inner` itself.
// Thread-safe.
absl::StatusOr<FileSystemPtr> CheckRanges(FileSystemPtr inner,
                                          std::string_view scheme);

// Returns the `inner` of which CheckRanges made `file_system`, which owns it;
// otherwise `file_system`.
const FileSystem& WithoutRangeCheck(const FileSystem& file_system);

}  // namespace fsload
