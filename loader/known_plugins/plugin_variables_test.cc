#include "loader/known_plugins/plugin_variables.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

constexpr const char* kVariable = "S3_DISABLE_MULTI_PART_DOWNLOAD";
constexpr const char* kKnown = "testdata/known_minimal.so";

void Load(const std::string& path, const LoadOptions& options = {}) {
  const LoadReport report = LoadPlugin(path, options);
  EXPECT_TRUE(report.status.ok()) << report.status;
  EXPECT_TRUE(SchemeRegistry::Default().RetireAll().ok());
}

std::string Value() {
  const char* const value = std::getenv(kVariable);
  return value == nullptr ? "unset" : value;
}

class PluginVariablesTest : public testing::Test {
 protected:
  PluginVariablesTest() { unsetenv(kVariable); }
  ~PluginVariablesTest() override { unsetenv(kVariable); }
};

// The s3 plugin downloads into a stream in which the bytes of a failed answer
// stay, before those of the next.
TEST_F(PluginVariablesTest, AreSetBeforeAKnownPluginIsLoaded) {
  Load(kKnown);
  EXPECT_EQ(Value(), "1");
}

TEST_F(PluginVariablesTest, StayAsTheUserHasSetThem) {
  for (const std::string value : {"0", ""}) {
    setenv(kVariable, value.c_str(), 1);
    Load(kKnown);
    EXPECT_EQ(Value(), value);
  }
}

TEST_F(PluginVariablesTest, AreLeftAloneForOtherPlugins) {
  Load("testdata/minimal.so");
  EXPECT_EQ(Value(), "unset");
}

TEST_F(PluginVariablesTest, AreLeftAloneOnDemand) {
  LoadOptions options;
  options.keep_environment = true;
  Load(kKnown, options);
  EXPECT_EQ(Value(), "unset");
}

}  // namespace
}  // namespace fsload
