// The functions behind a layer's tables of open files.
#ifndef FSLOAD_CORE_WRAPPERS_LAYER_FILES_H_
#define FSLOAD_CORE_WRAPPERS_LAYER_FILES_H_

#include "core/tables/op_tables.h"

namespace fsload {

// Sets the three tables of files, and what opens them.
void SetFileOps(SchemeTables& tables);

}  // namespace fsload

#endif  // FSLOAD_CORE_WRAPPERS_LAYER_FILES_H_
