// The part of the replaying tables that is about files.
#ifndef FSLOAD_CORE_REPLAY_REPLAYING_FILES_H_
#define FSLOAD_CORE_REPLAY_REPLAYING_FILES_H_

#include "core/tables/op_tables.h"

namespace fsload {

// Sets the operations that open files, and those on open files.
void ReplayFiles(SchemeTables& tables);

}  // namespace fsload

#endif  // FSLOAD_CORE_REPLAY_REPLAYING_FILES_H_
