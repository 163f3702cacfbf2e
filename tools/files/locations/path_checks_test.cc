#include "tools/files/locations/path_checks.h"

#include <string>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/locations/location.h"
#include "tools/files/testing/key_store.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class LocationsTest : public ::testing::Test {
 protected:
  Location At(const std::string& uri) const { return {file_system_, uri}; }

  MemoryTree tree_;
  const FileSystemPtr file_system_ = tree_.Open();
};

TEST_F(LocationsTest, HaveTheNamesThatCopiesGet) {
  EXPECT_EQ(NameOf("a/b/"), "b");
  EXPECT_EQ(NameOf("s3://b/c"), "c");
  for (const char* uri : {"s3://b", "s3://b/", "/", ".", "a/.."}) {
    EXPECT_EQ(NameOf(uri), "") << uri;
  }
}

TEST_F(LocationsTest, AreOutsideOfEachOtherOrNot) {
  for (const char* inner : {"/a/b", "/a/b/c", "tree:///a/./b/c", "/a/c/../b"}) {
    EXPECT_EQ(CheckOutside(At("/a/b"), At(inner)).code(),
              absl::StatusCode::kInvalidArgument)
        << inner;
  }
  for (const char* inner : {"/a", "/a/bc", "/a/b/../c", "a/b"}) {
    EXPECT_EQ(CheckOutside(At("/a/b"), At(inner)), absl::OkStatus()) << inner;
  }
  EXPECT_FALSE(CheckOutside(At("."), At("a")).ok());
  EXPECT_TRUE(CheckOutside(At("."), At("../a")).ok());
  EXPECT_TRUE(CheckOutside(At("."), At("/a")).ok());
}

TEST_F(LocationsTest, AreTranslatedOnceToCompareThem) {
  KeyStore store("s3");
  const FileSystemPtr files = store.Open();
  EXPECT_EQ(CheckOutside({files, "s3://b/d"}, {files, "s3://b/e"}),
            absl::OkStatus());
  EXPECT_THAT(store.translations,
              UnorderedElementsAre(Pair("s3://b/d", 1), Pair("s3://b/e", 1)));
}

TEST_F(LocationsTest, OfTwoFileSystemsAreOneFileIfAllSaysSo) {
  const Location other = {tree_.Open(), "/a"};
  const FileStatistics a = {3, 7'000'000'000, false};
  const FileStatistics b = {3, 8'000'000'000, false};
  EXPECT_FALSE(CheckDifferent(At("/a"), a, At("/b/../a"), b).ok());
  EXPECT_FALSE(CheckDifferent(At("/a"), a, other, a).ok());
  EXPECT_TRUE(CheckDifferent(At("/a"), a, other, b).ok());
  EXPECT_TRUE(CheckDifferent(At("/b"), a, other, a).ok());
}

TEST_F(LocationsTest, ThatMustNotBeDeletedAreRefused) {
  struct Case {
    const char* uri;
    const char* found;
  };
  for (const Case& each : {
           Case{"/", "refusing to delete the root of a file system"},
           Case{"tree://bucket",
                "refusing to delete the root of a file system"},
           Case{"tree://bucket/",
                "refusing to delete the root of a file system"},
           Case{"tree:///", "refusing to delete the root of a file system"},
           Case{"tree://bucket/a/..",
                "refusing to delete the root of a file system"},
           Case{"/a/../.", "refusing to delete the root of a file system"},
           Case{"//", "refusing to delete the root of a file system"},
           Case{"tree://bucket//",
                "refusing to delete the root of a file system"},
           Case{".", "refusing to delete the current directory"},
           Case{"a/..", "refusing to delete the current directory"},
           Case{"../..", "refusing to delete the current directory"},
           Case{"tree://bucket//a",
                "refusing to delete a path with an empty component"},
           Case{"tree://bucket/a//",
                "refusing to delete a path with an empty component"},
           Case{"a//b", "refusing to delete a path with an empty component"},
       }) {
    const absl::Status status = CheckMayBeDeleted(At(each.uri));
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << each.uri;
    EXPECT_THAT(std::string(status.message()), HasSubstr(each.found));
  }
  for (const char* uri :
       {"/a", "a", "../a", "tree://bucket/a/", "a..", "..."}) {
    EXPECT_EQ(CheckMayBeDeleted(At(uri)), absl::OkStatus()) << uri;
  }
}

}  // namespace
}  // namespace fsload
