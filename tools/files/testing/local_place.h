// Places of local files, for tests.
#ifndef FSLOAD_TOOLS_FILES_TESTING_LOCAL_PLACE_H_
#define FSLOAD_TOOLS_FILES_TESTING_LOCAL_PLACE_H_

#include <gtest/gtest.h>

#include <filesystem>

#include "tools/files/local/local_tree.h"
#include "tools/files/places/place.h"

namespace fsload {

// Returns the place of `path`, whose directory is there.
inline Place PlaceAt(const std::filesystem::path& path) {
  int error = 0;
  Place place = {nullptr, path};
  place.tree = LocalTree::Open(path.parent_path(), Links::kRefused, error);
  place.path = path.filename();
  EXPECT_EQ(error, 0);
  return place;
}

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TESTING_LOCAL_PLACE_H_
