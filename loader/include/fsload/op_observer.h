// What sees each call of a plugin.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_OP_OBSERVER_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_OP_OBSERVER_H_

#include "core/calls/op_observer.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_OP_OBSERVER_H_
