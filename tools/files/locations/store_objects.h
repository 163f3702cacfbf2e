// Objects of stores that stat does not show, because a directory has the same
// path.
#pragma once

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/files/locations/location.h"

namespace fsload {

// Thread-safe; all fail if the store gives no answer. Where files are not
// objects, as on a disk, none of these exists and no query is made.

// Returns whether an object has the same name as the directory `directory`:
// "s3://b/d" beside "s3://b/d/f". Found by reading, on a store whose plugin
// then tells them apart.
absl::StatusOr<bool> HasObjectBeside(const Location& directory);

// Returns whether a directory has the same name as the file `file`, on a store
// whose plugin then describes the file.
absl::StatusOr<bool> HidesDirectory(const Location& file);

// Returns OK if the object that stands for `directory`, whose name ends in '/',
// is missing or empty, as stores' web consoles create it. Else
// FAILED_PRECONDITION: its contents are in no file.
absl::Status CheckMarkerIsEmpty(const Location& directory);

// Returns whether there are objects after an empty path component below
// `directory` ("s3://b/d//f"), which listings leave out.
absl::StatusOr<bool> HasUnlistedPart(const Location& directory);

// Finds objects where directories above a new path would be. One thread at a
// time.
class ObjectsAbove final {
 public:
  // Returns OK unless one has the name of a directory above `uri`, where
  // nothing is; then FAILED_PRECONDITION: stores would make a directory of that
  // name, and one of the two hides the other. Asks once for each directory, up
  // to one that exists. What cannot be examined is taken for none, unless the
  // store may answer later.
  absl::Status Check(const FileSystem& file_system, const std::string& uri);

 private:
  std::set<std::string> passed_;  // directories, or where nothing is
};

// Returns the error for an object beside `directory` that is not transferred.
absl::Status ObjectStays(const std::string& directory);

}  // namespace fsload
