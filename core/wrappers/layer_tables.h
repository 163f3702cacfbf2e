// The functions behind the tables of a layer.
#ifndef FSLOAD_CORE_WRAPPERS_LAYER_TABLES_H_
#define FSLOAD_CORE_WRAPPERS_LAYER_TABLES_H_

#include "core/tables/op_tables.h"
#include "core/wrappers/layer.h"

namespace fsload {

// Returns the tables of a file system whose plugin_filesystem is `layer`.
SchemeTables TablesFor(const Layer& layer);

}  // namespace fsload

#endif  // FSLOAD_CORE_WRAPPERS_LAYER_TABLES_H_
