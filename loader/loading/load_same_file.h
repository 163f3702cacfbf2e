// Loads a plugin again, in another process, if its file is the same.
#pragma once

#include <string>

#include "fsload/load_options.h"
#include "fsload/load_report.h"

namespace fsload {

// Does what LoadPlugin does, and sets `identity` to the file's
// (PrivateCopy::file_identity), which, unless it is "", must be that already:
// otherwise the plugin is refused. A sum of the contents would take longer than
// to load a large plugin.
LoadReport LoadSameFile(const std::string& path, std::string& identity,
                        const LoadOptions& options);

}  // namespace fsload
