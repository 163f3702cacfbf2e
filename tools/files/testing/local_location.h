// Locations of local files, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "tools/files/locations/local_tree.h"
#include "tools/files/locations/location.h"

namespace fsload {

// Returns the location of `path`, whose directory is there.
inline Location LocationAt(const std::filesystem::path& path) {
  int error = 0;
  Location location = {nullptr, path};
  location.tree = LocalTree::Open(path.parent_path(), Links::kRefused, error);
  location.path = path.filename();
  EXPECT_EQ(error, 0);
  return location;
}

}  // namespace fsload
