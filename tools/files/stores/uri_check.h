// What can be wrong with a URI before anybody is asked for what is there.
#ifndef FSLOAD_TOOLS_FILES_STORES_URI_CHECK_H_
#define FSLOAD_TOOLS_FILES_STORES_URI_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// OK when `uri` names one thing of the store that `file_system` leads to; else
// INVALID_ARGUMENT. On stores the first part of a path is the bucket: a URI
// without one ("s3:///b/f", which an unset variable leaves of "s3://$B/b/f")
// would make the next part the bucket, or lead nowhere. Where a store's plugin
// takes "a//b" for "a/b", it would read, replace or delete another object; so
// would fsload, which drops slashes at the end, with "a//".
absl::Status CheckUri(const FileSystem& file_system, const std::string& uri);

// The part of it that matters for names which a user has not typed: the names
// of an object store are UTF-8, and it, or what is on the way, may take all
// others for one.
absl::Status CheckNameIsText(const FileSystem& file_system,
                             const std::string& uri);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STORES_URI_CHECK_H_
