#include "core/walk/child_names.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/testing/key_store.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ChildNamesTest : public ::testing::Test {
 protected:
  ChildNamesTest() {
    for (const char* key : {"b/d/", "b/d/a", "b/d/a/b", "b/d/../x", "b/d/./y",
                            "b/d//f", "b/d/c"}) {
      store_.objects[key];
    }
  }

  KeyStore store_{"s3"};
};

TEST_F(ChildNamesTest, HasWhatStoresKeepUnderAnyName) {
  store_.lists_slashes = true;
  const auto children = ListChildren(*store_.Open(), "s3://b/d");
  ASSERT_TRUE(children.ok());
  EXPECT_THAT(children->names, ElementsAre("", ".", "..", "a", "c"));
  EXPECT_THAT(children->doubled, ElementsAre("a"));
}

TEST_F(ChildNamesTest, HasEachOnceWithoutASlash) {
  const auto children = ListChildren(*store_.Open(), "s3://b/d");
  ASSERT_TRUE(children.ok());
  EXPECT_THAT(children->names, ElementsAre(".", "..", "a", "c"));
  EXPECT_THAT(children->doubled, ElementsAre("a"));
}

TEST_F(ChildNamesTest, DropsWhatMeansNothingOnADisk) {
  store_.keeps_host = false;
  store_.lists_twice = true;
  store_.objects = {{"/d/a", ""}, {"/d/../x", ""}, {"/d/./y", ""}};
  const auto children = ListChildren(*store_.Open(), "s3://b/d");
  ASSERT_TRUE(children.ok());
  EXPECT_THAT(children->names, ElementsAre("a"));
  EXPECT_THAT(children->doubled, ElementsAre());
}

TEST(CheckChildNameTest, RefusesWhatNoPathLeadsTo) {
  EXPECT_EQ(CheckChildName("s3://b/d", "a"), absl::OkStatus());
  EXPECT_EQ(CheckChildName("s3://b/d", "..."), absl::OkStatus());
  struct Case {
    const char* name;
    const char* message;
  };
  for (const Case& each :
       {Case{"", "s3://b/d//: object names here have an empty"},
        Case{".", "s3://b/d/.: object names here have"},
        Case{"..", "s3://b/d/..: object names here have"}}) {
    const absl::Status status = CheckChildName("s3://b/d", each.name);
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(each.message));
  }
  EXPECT_TRUE(absl::IsInternal(CheckChildName("s3://b/d", "../x")));
}

}  // namespace
}  // namespace fsload
