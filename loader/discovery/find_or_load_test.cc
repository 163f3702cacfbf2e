#include "fsload/find_or_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"

namespace fsload {
namespace {

// Plugins in a folder that FSLOAD_PLUGIN_PATH names.
class FindOrLoadTest : public testing::Test {
 protected:
  FindOrLoadTest() : folder_(NewPath("plugins")) {
    std::filesystem::create_directories(folder_);
    for (const char* name : {"PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"}) {
      unsetenv(name);
    }
    setenv("HOME", NewPath("home").c_str(), 1);
    setenv("PATH", "/no/such", 1);
    setenv("FSLOAD_PLUGIN_PATH", folder_.c_str(), 1);
    options_.registry = &registry_;
  }

  ~FindOrLoadTest() override {
    EXPECT_EQ(registry_.RetireAll(absl::ZeroDuration()), absl::OkStatus());
  }

  void Put(const std::string& plugin) {
    WriteFile(folder_ + "/" + plugin + ".so",
              ReadFile("testdata/" + plugin + ".so"));
  }

  const TestCache cache_;
  const std::string folder_;
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

TEST_F(FindOrLoadTest, LooksForNoPluginOfLocalPaths) {
  Put("memory");
  EXPECT_TRUE(absl::IsNotFound(FindOrLoad("/tmp/a", options_).status()));
  EXPECT_TRUE(registry_.Schemes().empty());
}

}  // namespace
}  // namespace fsload
