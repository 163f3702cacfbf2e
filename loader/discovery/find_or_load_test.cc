#include "fsload/find_or_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_plugin_folder.h"

namespace fsload {
namespace {

class FindOrLoadTest : public testing::Test {
 protected:
  FindOrLoadTest() { options_.registry = &registry_; }

  ~FindOrLoadTest() override {
    EXPECT_EQ(registry_.RetireAll(absl::ZeroDuration()), absl::OkStatus());
  }

  void Put(const std::string& plugin) {
    folder_.Put("testdata/" + plugin + ".so", plugin + ".so");
  }

  const TestPluginFolder folder_;
  SchemeRegistry registry_;
  LoadOptions options_;
};

TEST_F(FindOrLoadTest, LoadsThePluginOfTheSchemeOnce) {
  Put("memory");
  const auto first = FindOrLoad("memory:///a", options_);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ((*first)->scheme(), "memory");
  EXPECT_EQ((*first)->CreateDir("memory:///folder"), absl::OkStatus());
  EXPECT_EQ(*FindOrLoad("memory:///b", options_), *first);
}

TEST_F(FindOrLoadTest, SaysWhatToInstall) {
  const absl::Status status = FindOrLoad("s3://bucket/key", options_).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("pip install tensorflow-io"));
}

TEST_F(FindOrLoadTest, LoadsNothingThatIsRefused) {
  Put("broken_wrong_abi");
  const absl::Status status = FindOrLoad("broken:///a", options_).status();
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(registry_.Schemes().empty());
}

TEST_F(FindOrLoadTest, FindsThePluginOfANameThatTheOptionsGive) {
  Put("memory");
  options_.isolation.emplace();
  options_.scheme_as = {{"memory", "named"}};
  const auto found = FindOrLoad("named:///a", options_);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ((*found)->scheme(), "named");
  EXPECT_EQ(registry_.Schemes(), std::vector<std::string>{"named"});
}

TEST_F(FindOrLoadTest, FindsThePluginOfANameThatTheUsersFileGives) {
  Put("memory");
  const SchemesFile file(
      "[left]\nscheme = \"memory\"\n[right]\nscheme = \"memory\"");
  const auto left = FindOrLoad("left:///a", options_);
  ASSERT_TRUE(left.ok()) << left.status();
  EXPECT_EQ((*left)->CreateDir("left:///folder"), absl::OkStatus());
  const auto right = FindOrLoad("right:///a", options_);
  ASSERT_TRUE(right.ok()) << right.status();
  EXPECT_TRUE(absl::IsNotFound((*right)->FileExists("right:///folder")));
  EXPECT_EQ(registry_.Schemes(), (std::vector<std::string>{"left", "right"}));
}

TEST_F(FindOrLoadTest, GivesANameInTheUsersFileAnotherOne) {
  Put("memory");
  const SchemesFile file("[left]\nscheme = \"memory\"");
  options_.isolation.emplace();
  options_.scheme_as = {{"left", "named.left"}};
  const auto found = FindOrLoad("named.left:///a", options_);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ((*found)->CreateDir("named.left:///folder"), absl::OkStatus());
  EXPECT_EQ(registry_.Schemes(), std::vector<std::string>{"named.left"});
}

TEST_F(FindOrLoadTest, GivesThreadsThatLoadAtOnceTheSameFileSystem) {
  Put("memory");
  options_.isolation.emplace();
  // Tries the plugin, which takes a process of one thread.
  options_.scheme_as = {{"memory", "first"}};
  ASSERT_TRUE(FindOrLoad("first:///a", options_).ok());
  for (int round = 0; round < 4; ++round) {
    options_.scheme_as = {{"memory", "named" + std::to_string(round)}};
    const std::string uri = options_.scheme_as["memory"] + ":///a";
    std::vector<absl::StatusOr<FileSystemPtr>> found(4, absl::UnknownError(""));
    std::vector<std::thread> running;
    for (auto& each : found) {
      running.emplace_back([&] { each = FindOrLoad(uri, options_); });
    }
    for (std::thread& each : running) each.join();
    for (const auto& each : found) {
      ASSERT_TRUE(each.ok()) << each.status();
      EXPECT_EQ(*each, *found[0]);
    }
  }
}

TEST_F(FindOrLoadTest, LooksForNoPluginOfLocalPaths) {
  Put("memory");
  const absl::Status status = FindOrLoad("/tmp/a", options_).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::EndsWith("; the plugin of posix:// has them, as in "
                                "posix:///tmp"));
  EXPECT_TRUE(registry_.Schemes().empty());
}

}  // namespace
}  // namespace fsload
