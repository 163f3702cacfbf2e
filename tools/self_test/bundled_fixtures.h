// The plugins inside this executable that break one rule each: testdata/broken
// and some of testdata/linking.
#pragma once

#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace fsload {

// Returns the contents of each by file name. INTERNAL if the archive, written
// by tools/self_test/pack_fixtures.py, is damaged.
absl::StatusOr<std::map<std::string, std::string>> BundledFixtures();

}  // namespace fsload
