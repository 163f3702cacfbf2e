// Observers that call C functions.
#ifndef FSLOAD_LOADER_C_API_OBSERVER_H_
#define FSLOAD_LOADER_C_API_OBSERVER_H_

#include "fsload/c/observer.h"
#include "fsload/op_observer.h"

namespace fsload {

// Returns null for null.
OpObserver* ObserverOf(const fsload_observer* observer);

}  // namespace fsload

#endif  // FSLOAD_LOADER_C_API_OBSERVER_H_
