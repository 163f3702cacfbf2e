// The tables of a scheme whose plugin runs in a worker.
#pragma once

#include "core/replay/journal_line.h"
#include "core/tables/op_tables.h"

namespace fsload {

// Returns tables with the operations and traits of `file_system`, whose
// functions expect an IsolatedScheme in TF_Filesystem and delete it in cleanup.
SchemeTables ForwardingTables(const JournalFileSystem& file_system);

}  // namespace fsload
