// The part of the recording tables that is about files.
#ifndef FSLOAD_CORE_REPLAY_RECORDING_FILES_H_
#define FSLOAD_CORE_REPLAY_RECORDING_FILES_H_

#include "core/tables/op_tables.h"

namespace fsload {

// Replaces the operations that open files, and those on open files, where there
// are any, as RecordingTables does.
void RecordFiles(SchemeTables& tables);

}  // namespace fsload

#endif  // FSLOAD_CORE_REPLAY_RECORDING_FILES_H_
