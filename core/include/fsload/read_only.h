// A file system that shows another one and changes nothing in it.
#ifndef FSLOAD_READ_ONLY_H_
#define FSLOAD_READ_ONLY_H_

#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"

namespace FSLOAD_API fsload {

// Returns a file system of the scheme of `inner`, whose ownership it shares.
// Each operation that could change something, to set options and to start, end
// or add to a transaction among them, is PERMISSION_DENIED and names the URI,
// whether or not `inner` has it. The plugin is not called for it, except to
// make the path canonical. Questions go to `inner`, which others can still
// change; so do GetTransactionForPath, DecodeTransaction, FlushCaches and those
// that return options. Thread-safe.
//
// INVALID_ARGUMENT for a null `inner`; RESOURCE_EXHAUSTED if the kernel has no
// memory.
absl::StatusOr<FileSystemPtr> ReadOnly(FileSystemPtr inner);

}  // namespace fsload

#endif  // FSLOAD_READ_ONLY_H_
