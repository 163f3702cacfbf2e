// Tables whose operations answer from a journal.
#pragma once

#include "core/replay/journal_line.h"
#include "core/tables/op_tables.h"

namespace fsload {

// Returns tables with the operations and traits of `recorded`, which find their
// Replaying (core/replay/replaying.h) in plugin_filesystem.
SchemeTables ReplayingTables(const JournalFileSystem& recorded);

// Sets the part of these that is about files: what opens them, and the
// operations on open files.
void ReplayFiles(SchemeTables& tables);

}  // namespace fsload
