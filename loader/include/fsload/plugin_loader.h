// Loading one plugin, and the report of what was found.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_PLUGIN_LOADER_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_PLUGIN_LOADER_H_

#include "loader/loading/plugin_loader.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_PLUGIN_LOADER_H_
