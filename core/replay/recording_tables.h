// Tables whose operations record what the operations of another file system do.
#ifndef FSLOAD_CORE_REPLAY_RECORDING_TABLES_H_
#define FSLOAD_CORE_REPLAY_RECORDING_TABLES_H_

#include "core/tables/op_tables.h"

namespace fsload {

// `inner` with each operation that it has replaced by one that finds its
// Recording in plugin_filesystem, calls the inner one and records the call.
// Status provider, allocator, traits and observer stay the same: what the inner
// operations return passes through.
SchemeTables RecordingTables(const SchemeTables& inner);

}  // namespace fsload

#endif  // FSLOAD_CORE_REPLAY_RECORDING_TABLES_H_
