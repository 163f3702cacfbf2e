// Finding and loading the plugin of a URI's scheme.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_FIND_OR_LOAD_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_FIND_OR_LOAD_H_

#include "loader/discovery/find_or_load.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_FIND_OR_LOAD_H_
