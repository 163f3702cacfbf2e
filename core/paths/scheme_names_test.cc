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

TEST(SchemeNamesTest, AreNoOtherSchemesIfTheyAreTheirOwn) {
  EXPECT_TRUE(AddSchemeName("own.name", "own.name"));
  EXPECT_TRUE(AddSchemeName("own.name", "own.name"));
  EXPECT_FALSE(AddSchemeName("own.name", "s3"));
  EXPECT_EQ(SchemeInPlugin("own.name"), "own.name");
}

TEST(SchemeNamesTest, AreFreeAgainOnceTheyAreRemoved) {
  EXPECT_FALSE(HasSchemeName("free.name"));
  for (const char* const scheme : {"az", "s3", "free.name", "az"}) {
    EXPECT_TRUE(AddSchemeName("free.name", scheme));
    EXPECT_TRUE(HasSchemeName("free.name"));
    EXPECT_EQ(SchemeInPlugin("free.name"), scheme);
    RemoveSchemeName("free.name");
    EXPECT_FALSE(HasSchemeName("free.name"));
    EXPECT_EQ(SchemeInPlugin("free.name"), "free.name");
  }
}

TEST(SchemeNamesTest, KeepWhatABucketIs) {
  ASSERT_TRUE(AddSchemeName("second.name", "az"));
  EXPECT_EQ(BucketOf("second.name://account/c/d").root,
            "second.name://account/c");
  EXPECT_EQ(BucketOf("third.name://account/c/d").root, "third.name://account");
}

}  // namespace
}  // namespace fsload
