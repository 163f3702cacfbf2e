#include "tools/files/locations/location_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "core/testing/memory_tree.h"

namespace fsload {
namespace {

class LocationKeysTest : public ::testing::Test {
 protected:
  MemoryTree tree_;
  const FileSystemPtr one_ = tree_.Open();
  const FileSystemPtr two_ = tree_.Open();
  LocationKeys keys_;
};

TEST_F(LocationKeysTest, AreEqualForOnePath) {
  const std::string key = keys_.KeyOf({one_, "tree:///D/x/y"});
  for (const char* uri : {"tree:///D/x/y", "tree:///p/../D/x/y", "/D/x/y",
                          "tree:////D/x/y", "/D/./x//y"}) {
    EXPECT_EQ(keys_.KeyOf({one_, uri}), key) << uri;
    EXPECT_EQ(keys_.KeyOf({two_, uri}), key) << uri;
  }
  EXPECT_NE(keys_.KeyOf({one_, "/D/x"}), key);
}

TEST_F(LocationKeysTest, TellWhatCannotMeet) {
  EXPECT_TRUE(keys_.MayMeet({one_, "tree:///a"}, {one_, "tree://b/a"}));
  EXPECT_TRUE(keys_.MayMeet({one_, "tree://b/a"}, {two_, "tree://b/c"}));
  EXPECT_FALSE(keys_.MayMeet({one_, "tree://a/a"}, {two_, "tree://b/a"}));
}

}  // namespace
}  // namespace fsload
