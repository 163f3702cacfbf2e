// Calls files from code that is compiled without exceptions.
#pragma once

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "fsload/random_access_file.h"
#include "fsload/writable_file.h"

namespace fsload {

absl::Status ReadWithoutExceptions(const RandomAccessFile& file);
absl::Status AppendWithoutExceptions(WritableFile& file);
absl::Status TellWithoutExceptions(const WritableFile& file);
absl::Status ExistsWithoutExceptions(const FileSystem& file_system);

}  // namespace fsload
