// Which file system serves which URI scheme.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_SCHEME_REGISTRY_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_SCHEME_REGISTRY_H_

#include "core/registry/scheme_registry.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_SCHEME_REGISTRY_H_
