// A file system that shows another one and changes nothing in it.
#ifndef FSLOAD_READ_ONLY_H_
#define FSLOAD_READ_ONLY_H_

#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"

namespace FSLOAD_API fsload {

// Returns a file system of the scheme of `inner`, whose ownership it shares.
// Each operation that could change something is PERMISSION_DENIED and names the
// URI, whether or not `inner` has it; so are setting options and starting,
// ending or adding to a transaction. The plugin is not called for it, except to
// make the path canonical. All others go to `inner`, which others can still
// change. Thread-safe.
//
// INVALID_ARGUMENT for a null `inner`; RESOURCE_EXHAUSTED if the kernel has no
// memory.
absl::StatusOr<FileSystemPtr> ReadOnly(FileSystemPtr inner);

}  // namespace fsload

#endif  // FSLOAD_READ_ONLY_H_
