#include "loader/discovery/named_plugins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr char kPlugin[] = "testdata/minimal.so";

absl::StatusOr<NamedPlugins> Find(const std::string& word) {
  PluginCatalog catalog({});
  return FindNamedPlugins(word, catalog);
}

std::string Wheel(const std::string& contents) {
  return MakeWheel("some_thing-1-py3-none-any.whl", {{"a/p.so", contents}});
}

TEST(NamedPluginsTest, TakesAPathAsItIs) {
  for (const char* path : {kPlugin, "/no/such", "no_such.so"}) {
    const auto named = Find(path);
    ASSERT_TRUE(named.ok()) << named.status();
    EXPECT_THAT(named->plugins, ElementsAre(path));
    EXPECT_FALSE(named->folder);
  }
}

TEST(NamedPluginsTest, UnpacksAWheel) {
  const TestCache cache;
  const auto named = Find(Wheel(ReadFile(kPlugin)));
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_THAT(named->plugins, ElementsAre(EndsWith("/files/a/p.so")));
  EXPECT_FALSE(Find(Wheel("no ELF file")).ok());
}

TEST(NamedPluginsTest, BelievesWhatIsKnownOfAWheel) {
  const TestCache cache;
  const std::string wheel = Wheel(ReadFile(kPlugin));
  const std::string plugin = Find(wheel)->plugins[0];
  const std::string other = Find(Wheel(ReadFile(kPlugin) + "\n"))->plugins[0];
  ASSERT_NE(other, plugin);
  const std::string records = cache.path() + "/fsload/plugins/records.json";
  std::string text = ReadFile(records);
  WriteFile(records, text.replace(text.find(plugin), plugin.size(), other));
  EXPECT_THAT(Find(wheel)->plugins, ElementsAre(other));
  // Except where somebody wrote to the unpacked files.
  WriteFile(other, "");
  EXPECT_THAT(Find(wheel)->plugins, ElementsAre(plugin));
}

TEST(NamedPluginsTest, TakesAllThatAFolderHas) {
  const TestCache cache;
  const std::string folder = NewPath("folder");
  WriteFile(folder + "/deep/p.so", ReadFile(kPlugin));
  WriteFile(folder + "/none.so", ReadFile("testdata/broken_no_entry.so"));
  std::filesystem::copy_file(Wheel(ReadFile(kPlugin)), folder + "/a.whl");
  std::filesystem::copy_file(Wheel(""), folder + "/b.whl");
  const auto named = Find(folder);
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_THAT(named->plugins,
              ElementsAre(folder + "/deep/p.so", EndsWith("/files/a/p.so")));
  EXPECT_TRUE(named->folder);
  EXPECT_THAT(named->problems,
              ElementsAre(HasSubstr("/b.whl: a/p.so: not an ELF file")));
}

TEST(NamedPluginsTest, SaysThatAFolderHasNone) {
  const std::string folder = NewPath("folder");
  std::filesystem::create_directories(folder);
  const absl::Status status = Find(folder).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            folder + ": no plugin found: no file in it exports TF_InitPlugin");
}

TEST(NamedPluginsTest, TakesAnyOtherWordForAName) {
  const std::string folder = NewPath("folder");
  WriteFile(folder + "/libsome_thing.so", ReadFile(kPlugin));
  setenv("FSLOAD_PLUGIN_PATH", folder.c_str(), 1);
  const auto named = Find("some_thing");
  unsetenv("FSLOAD_PLUGIN_PATH");
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_THAT(named->plugins, ElementsAre(folder + "/libsome_thing.so"));
  EXPECT_EQ(Find("some_thing").status().code(), absl::StatusCode::kNotFound);
}

TEST(NamedPluginsTest, SaysWhatKeepsANamedWheelFromBeingUnpacked) {
  const TestCache cache;
  const std::string wheel = Wheel("no ELF file");
  setenv("FSLOAD_PLUGIN_PATH", wheel.c_str(), 1);
  const absl::Status status = Find("some-thing").status();
  unsetenv("FSLOAD_PLUGIN_PATH");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(wheel + ": a/p.so: not an ELF file"));
}

}  // namespace
}  // namespace fsload
