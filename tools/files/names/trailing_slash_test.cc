#include "core/walk/trailing_slash.h"

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/testing/key_store.h"

namespace fsload {
namespace {

TEST(TrailingSlashTest, IsDroppedButNotThatOfARoot) {
  EXPECT_EQ(WithoutTrailingSlashes("a/b//"), "a/b");
  EXPECT_EQ(WithoutTrailingSlashes("//"), "/");
  EXPECT_EQ(WithoutTrailingSlashes("s3://b//"), "s3://b/");
  EXPECT_EQ(WithoutTrailingSlashes("s3://b"), "s3://b");
  EXPECT_EQ(WithoutTrailingSlashes("s3://b/a/"), "s3://b/a");
  EXPECT_EQ(WithoutTrailingSlashes(""), "");
}

TEST(TrailingSlashTest, IsOnlyThatOfADirectory) {
  EXPECT_EQ(CheckTrailingSlash("/a/", false),
            absl::FailedPreconditionError(
                "/a/: is a file, not a directory; remove the trailing '/'"));
  EXPECT_EQ(CheckTrailingSlash("/a/", true), absl::OkStatus());
  EXPECT_EQ(CheckTrailingSlash("/a", false), absl::OkStatus());
  EXPECT_EQ(CheckTrailingSlash("tree://bucket/", true), absl::OkStatus());
}

TEST(TrailingSlashTest, IsHeldAgainstWhatIsThere) {
  MemoryTree tree;
  const FileSystemPtr file_system = tree.Open();
  tree.AddFile("/d/f");
  EXPECT_EQ(CheckTrailingSlash(*file_system, "/d/f/").code(),
            absl::StatusCode::kFailedPrecondition);
  for (const char* path : {"/d/f", "/d/", "/d/missing/", "/"}) {
    EXPECT_EQ(CheckTrailingSlash(*file_system, path), absl::OkStatus()) << path;
  }
}

TEST(TrailingSlashTest, IsAPartOfANameOnAStore) {
  KeyStore store("s3");
  store.objects = {{"b/d/", "contents"}};
  EXPECT_EQ(CheckTrailingSlash(*store.Open(), "s3://b/d/"), absl::OkStatus());
}

}  // namespace
}  // namespace fsload
