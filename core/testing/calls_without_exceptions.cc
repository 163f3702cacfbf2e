#include "core/testing/calls_without_exceptions.h"

#include "fsload/by_uri.h"

#ifdef __cpp_exceptions
#error "compile this with -fno-exceptions"
#endif

namespace fsload {

absl::Status ReadWithoutExceptions(const RandomAccessFile& file) {
  char byte;
  return file.Read(0, 1, &byte).status();
}

absl::Status AppendWithoutExceptions(WritableFile& file) {
  return file.Append("a");
}

absl::Status TellWithoutExceptions(const WritableFile& file) {
  return file.Tell().status();
}

absl::Status ExistsWithoutExceptions(const FileSystem& file_system) {
  return file_system.FileExists("s3://b/k");
}

}  // namespace fsload
