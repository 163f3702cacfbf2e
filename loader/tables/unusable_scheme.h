// A file system in place of one that cannot be initialised: each of its
// operations says why. A scheme that needs a function that nobody defines is
// then no reason to refuse a plugin's other schemes, and its users learn the
// cause.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "fsload/file_system.h"

namespace fsload {

// Seals tables for a scheme with `tables` whose operations return
// UNIMPLEMENTED, recognized by IsMissingFunction. RESOURCE_EXHAUSTED if the
// kernel has no memory.
absl::StatusOr<OpTables> SealUnusable(const SchemeTables& tables);

// Returns a file system over such tables; `why` is the message of its
// operations.
absl::StatusOr<FileSystemPtr> CreateUnusable(const OpTables& tables,
                                             const std::string& scheme,
                                             const std::string& owner,
                                             const std::string& why);

}  // namespace fsload
