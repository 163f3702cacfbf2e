#include "core/calls/plugin_strings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/scripted_plugin.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GetChildrenTest : public testing::Test {
 protected:
  // After each call, everything the plugin handed over has been freed once.
  ~GetChildrenTest() override {
    EXPECT_EQ(PluginMemory::live(), 0);
    EXPECT_EQ(PluginMemory::wrong_frees(), 0);
  }

  absl::StatusOr<std::vector<std::string>> GetChildren() {
    return plugin_.Create("s3")->GetChildren("s3://b//k");
  }

  ScriptedPlugin plugin_;
};

TEST_F(GetChildrenTest, YieldsTheNamesInThePluginsOrder) {
  plugin_.get_children = [](char*** entries, TF_Status*) {
    *entries = PluginMemory::DuplicateAll({"z", "a b", "\xc3\xa9", "a"});
    return 4;
  };
  const auto children = GetChildren();
  ASSERT_TRUE(children.ok()) << children.status();
  EXPECT_THAT(*children, ElementsAre("z", "a b", "\xc3\xa9", "a"));
}

TEST_F(GetChildrenTest, YieldsNothingForAnEmptyDirectory) {
  plugin_.get_children = [](char*** entries, TF_Status*) {
    *entries = PluginMemory::DuplicateAll(std::vector<const char*>{});
    return 0;
  };
  EXPECT_THAT(*GetChildren(), IsEmpty());
}

TEST_F(GetChildrenTest, TakesANullArrayOfNoEntries) {
  plugin_.get_children = [](char***, TF_Status*) { return 0; };
  EXPECT_THAT(*GetChildren(), IsEmpty());
}

TEST_F(GetChildrenTest, RefusesANullEntryAndFreesTheOthers) {
  plugin_.get_children = [](char*** entries, TF_Status*) {
    *entries = PluginMemory::DuplicateAll({"a", nullptr, "c"});
    return 3;
  };
  EXPECT_EQ(GetChildren().status(),
            absl::InternalError(
                "s3://b//k: the plugin reported OK but returned null as entry "
                "1 of 3 instead of an array of strings (get_children)"));
}

TEST_F(GetChildrenTest, RefusesANegativeCountWithoutAnError) {
  plugin_.get_children = [](char*** entries, TF_Status*) {
    *entries = PluginMemory::DuplicateAll(std::vector<const char*>{});
    return -1;
  };
  EXPECT_EQ(GetChildren().status(),
            absl::InternalError(
                "s3://b//k: the plugin reported OK but returned -1 entries in "
                "an array instead of an array of strings (get_children)"));
}

TEST_F(GetChildrenTest, RefusesANegativeCountWithoutAnErrorAndAnArray) {
  plugin_.get_children = [](char***, TF_Status*) { return -7; };
  EXPECT_EQ(GetChildren().status(),
            absl::InternalError(
                "s3://b//k: the plugin reported OK but returned -7 entries in "
                "a null array instead of an array of strings (get_children)"));
}

TEST_F(GetChildrenTest, RefusesANullArrayWithEntries) {
  plugin_.get_children = [](char***, TF_Status*) { return 2; };
  EXPECT_EQ(GetChildren().status(),
            absl::InternalError(
                "s3://b//k: the plugin reported OK but returned 2 entries in a "
                "null array instead of an array of strings (get_children)"));
}

// An error overrides the count, and what it leaves in the array is not ours
// (L660).
TEST_F(GetChildrenTest, BelievesAnErrorWhateverTheCountSays) {
  for (const int count : {-1, 0, 5}) {
    SCOPED_TRACE(count);
    plugin_.get_children = [count](char***, TF_Status* status) {
      TF_SetStatus(status, TF_PERMISSION_DENIED, "403");
      return count;
    };
    EXPECT_EQ(GetChildren().status(),
              absl::PermissionDeniedError("s3://b//k: 403 (get_children)"));
  }
}

TEST_F(GetChildrenTest, LeavesAloneWhatAnErrorLeavesInTheArray) {
  plugin_.get_children = [](char*** entries, TF_Status* status) {
    *entries = PluginMemory::DuplicateAll({"a"});
    PluginMemory::Free((*entries)[0]);
    PluginMemory::Free(*entries);
    TF_SetStatus(status, TF_NOT_FOUND, "gone");
    return 1;
  };
  EXPECT_EQ(GetChildren().status(),
            absl::NotFoundError("s3://b//k: gone (get_children)"));
}

TEST_F(GetChildrenTest, SurvivesAnException) {
  plugin_.get_children = [](char***, TF_Status*) -> int {
    throw std::runtime_error("listing");
  };
  EXPECT_EQ(GetChildren().status(),
            absl::InternalError("s3://b//k: the plugin threw "
                                "std::runtime_error: listing (get_children)"));
}

}  // namespace
}  // namespace fsload
