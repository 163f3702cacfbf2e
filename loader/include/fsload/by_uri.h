// Operations on the file of a URI: read, list, copy and others.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_BY_URI_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_BY_URI_H_

#include "core/registry/by_uri.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_BY_URI_H_
