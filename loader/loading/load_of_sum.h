// Loads a plugin again, in another process, if its file is the same.
#ifndef FSLOAD_LOADER_LOADING_LOAD_OF_SUM_H_
#define FSLOAD_LOADER_LOADING_LOAD_OF_SUM_H_

#include <string>

#include "fsload/load_options.h"
#include "fsload/load_report.h"

namespace fsload {

// Does what LoadPlugin does, and sets `sum` to the SHA-256 sum of the file,
// which, unless it is "", must be that already: otherwise the plugin is
// refused.
LoadReport LoadPluginOfSum(const std::string& path, std::string& sum,
                           const LoadOptions& options);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LOADING_LOAD_OF_SUM_H_
