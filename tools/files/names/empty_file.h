// Creates empty files, which some store plugins do not do by themselves.
#ifndef FSLOAD_TOOLS_FILES_NAMES_EMPTY_FILE_H_
#define FSLOAD_TOOLS_FILES_NAMES_EMPTY_FILE_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

// Closes the file that was opened, after appending nothing: the s3 plugin makes
// no object unless something is appended. Yields the first error.
inline absl::Status CloseEmpty(
    absl::StatusOr<std::unique_ptr<WritableFile>> opened) {
  if (!opened.ok()) return opened.status();
  absl::Status status = (*opened)->Append("");
  status.Update((*opened)->Close());
  return status;
}

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_NAMES_EMPTY_FILE_H_
