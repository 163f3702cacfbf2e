// A file system in the place of one that cannot be initialised: each of its
// operations says why. A scheme that needs a function which nobody has is then
// no reason to refuse a plugin's others, and whoever uses it learns the cause.
#ifndef FSLOAD_LOADER_TABLES_UNUSABLE_SCHEME_H_
#define FSLOAD_LOADER_TABLES_UNUSABLE_SCHEME_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "fsload/file_system.h"

namespace fsload {

// Tables for a scheme like that with `tables`, whose operations answer
// UNIMPLEMENTED, as IsMissingFunction knows it. RESOURCE_EXHAUSTED when the
// kernel gives no memory.
absl::StatusOr<OpTables> SealUnusable(const SchemeTables& tables);

// A file system over such tables; `why` is what its operations say.
absl::StatusOr<FileSystemPtr> CreateUnusable(const OpTables& tables,
                                             const std::string& scheme,
                                             const std::string& owner,
                                             const std::string& why);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TABLES_UNUSABLE_SCHEME_H_
