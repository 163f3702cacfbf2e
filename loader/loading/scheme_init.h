// Calls init of a scheme.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "fsload/load_options.h"
#include "fsload/op_observer.h"
#include "loader/loading/loaded_plugins.h"

namespace fsload {

// Initialises the file system of `scheme`, whose tables are right, for the
// plugin `owner`; `observer`, which may be null, sees its calls. If init calls
// a stub, returns a file system whose operations only report that, and makes
// `scheme` unusable. Fails as init does.
absl::StatusOr<FileSystemPtr> CreateFileSystem(CheckedScheme& scheme,
                                               const std::string& owner,
                                               OpObserver* observer,
                                               const LoadOptions& options);

}  // namespace fsload
