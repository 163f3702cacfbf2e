// ".." in the paths of this machine, as the kernel reads it: the folder of what
// a link leads to, where the text would make it the folder of the link.
#ifndef FSLOAD_TOOLS_FILES_LOCAL_LOCAL_PARENTS_H_
#define FSLOAD_TOOLS_FILES_LOCAL_LOCAL_PARENTS_H_

#include <string>

#include "absl/status/status.h"

namespace fsload {

// `uri` so that cleaning its path as text does not change where it leads to:
// "l/../old" becomes "/tmp/r/old" where "l" is a link to /tmp/r/cur. As it was
// where it is no local path, where no link is on the way to a "..", and where
// nothing is there (CheckParents).
std::string WithoutParents(const std::string& uri);

// OK when all that stands before a ".." in `uri` is there, or it is no local
// path; else the kernel's error: NOT_FOUND for "missing/../x".
absl::Status CheckParents(const std::string& uri);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_LOCAL_LOCAL_PARENTS_H_
