#include "core/paths/bucket.h"

#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

struct Case {
  std::string_view uri, word, name, root, path;
  bool is_root;
};

class BucketTest : public testing::TestWithParam<Case> {};

TEST_P(BucketTest, FindsTheBucketOfAUri) {
  const Case& want = GetParam();
  const Bucket found = BucketOf(want.uri);
  EXPECT_EQ(found.word, want.word);
  EXPECT_EQ(found.name, want.name);
  EXPECT_EQ(found.root, want.root);
  EXPECT_EQ(found.path, want.path);
  EXPECT_EQ(IsBucketRoot(want.uri), want.is_root);
}

INSTANTIATE_TEST_SUITE_P(
    Uris, BucketTest,
    testing::Values(
        Case{"s3://b/d/f", "bucket", "b", "s3://b", "/d/f", false},
        Case{"s3://b/", "bucket", "b", "s3://b", "/", true},
        Case{"s3://b", "bucket", "b", "s3://b", "", true},
        Case{"s3:///d", "bucket", "", "s3://", "/d", false},
        Case{"az://a/c/d/f", "container", "c", "az://a/c", "/d/f", false},
        Case{"az://a/c//", "container", "c", "az://a/c", "//", true},
        Case{"az://a/c", "container", "c", "az://a/c", "", true},
        Case{"az://a/", "container", "", "az://a", "/", false},
        Case{"az://a", "container", "", "az://a", "", false},
        Case{"az://a//c", "container", "", "az://a", "//c", false},
        Case{"az://", "container", "", "az://", "", false},
        Case{"/d/f", "bucket", "", "", "/d/f", false},
        Case{"d", "bucket", "", "", "d", false}));

}  // namespace
}  // namespace fsload
