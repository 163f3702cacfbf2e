// Objects of stores that stat does not show, since a directory has their path.
#ifndef FSLOAD_TOOLS_FILES_PLAN_STORE_OBJECTS_H_
#define FSLOAD_TOOLS_FILES_PLAN_STORE_OBJECTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// All may be called from any thread, and fail where the store does not tell.
// Where files are no objects, as on a disk, none of them is there, and nobody
// is asked.

// Whether there is an object of just the name of `directory`, which is one:
// "s3://b/d" beside "s3://b/d/f". On a store whose plugin tells so, reading
// says it.
absl::StatusOr<bool> HasObjectBeside(const Place& directory);

// OK when the object that stands for `directory`, whose name ends in '/', is
// missing or empty, as stores' web pages make it. Else FAILED_PRECONDITION:
// what it holds is in no file.
absl::Status CheckMarkerIsEmpty(const Place& directory);

// Whether objects are behind an empty part below `directory` ("s3://b/d//f"),
// where listings leave that out.
absl::StatusOr<bool> HasUnlistedPart(const Place& directory);

// What is to be said of an object beside `directory` that is not brought along.
absl::Status ObjectStays(const std::string& directory);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_STORE_OBJECTS_H_
