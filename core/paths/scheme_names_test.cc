#include "core/paths/scheme_names.h"

#include <gtest/gtest.h>

#include "core/paths/bucket.h"

namespace fsload {
namespace {

TEST(SchemeNamesTest, NameOneSchemeEach) {
  EXPECT_EQ(SchemeInPlugin("first.name"), "first.name");
  EXPECT_TRUE(AddSchemeName("first.name", "az"));
  EXPECT_TRUE(AddSchemeName("first.name", "az"));
  EXPECT_FALSE(AddSchemeName("first.name", "s3"));
  EXPECT_EQ(SchemeInPlugin("first.name"), "az");
  EXPECT_EQ(SchemeInPlugin("az"), "az");
}

TEST(SchemeNamesTest, KeepWhatABucketIs) {
  ASSERT_TRUE(AddSchemeName("second.name", "az"));
  EXPECT_EQ(BucketOf("second.name://account/c/d").root,
            "second.name://account/c");
  EXPECT_EQ(BucketOf("third.name://account/c/d").root, "third.name://account");
}

}  // namespace
}  // namespace fsload
