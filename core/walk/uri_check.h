// Checks a URI before any query is made: the command and the Python package use
// the same rule. Thread-safe.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns OK if `uri` names one thing in the store that `file_system` leads to;
// else INVALID_ARGUMENT. In known stores the host is the bucket (that of az the
// account): a URI without one ("s3:///b/f", which "s3://$B/b/f" becomes when B
// is unset) would make the next component the bucket, or lead nowhere. If a
// store's plugin treats "a//b" as "a/b", it would read, replace or delete
// another object; so would fsload for "a//", as it drops trailing slashes. On a
// store ".." is a name like any other, but servers and clients on the way may
// resolve it to the parent: another bucket, or a whole one.
absl::Status CheckUri(const FileSystem& file_system, const std::string& uri);

// Returns the part of CheckUri for names that the user has not typed: object
// names are UTF-8, and the plugin or a proxy may treat all invalid ones as the
// same name.
absl::Status CheckNameIsText(const FileSystem& file_system,
                             const std::string& uri);

}  // namespace fsload
