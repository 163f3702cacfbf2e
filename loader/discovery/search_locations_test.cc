#include "loader/discovery/search_locations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kMinimalPlugin[] = "testdata/minimal.so";
constexpr char kGs[] =
    "tensorflow_io_gcs_filesystem/core/python/ops/"
    "libtensorflow_io_gcs_filesystem.so";

// All variables name empty folders of the test's own.
class SearchLocationsTest : public testing::Test {
 protected:
  SearchLocationsTest() : root_(NewPath("root")) {
    for (const char* name :
         {"FSLOAD_PLUGIN_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"}) {
      unsetenv(name);
    }
    setenv("HOME", (root_ + "/home").c_str(), 1);
    setenv("PATH", (root_ + "/bin").c_str(), 1);
  }

  // A plugin at `path` below the test's folder.
  std::string Put(const std::string& path) {
    WriteFile(root_ + "/" + path, ReadFile(kMinimalPlugin));
    return root_ + "/" + path;
  }

  static void Set(const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
  }

  // Excludes plugins that the machine may have in /usr.
  std::vector<std::string> FoundHere() {
    std::vector<std::string> paths;
    for (const SearchLocation& location : FindSearchLocations().found) {
      if (location.path.rfind(root_, 0) == 0) paths.push_back(location.path);
    }
    return paths;
  }

  const std::string root_;
};

TEST_F(SearchLocationsTest, TakesFilesFoldersAndWheelsOfThePluginPathInOrder) {
  const std::string file = Put("z.so");
  const std::string in_folder = Put("folder/deep/a.so");
  const std::string wheel = MakeWheel("some_thing-1-py3-none-any.whl", {});
  const std::string in_wheels = fs::path(wheel).parent_path().string();
  Set("FSLOAD_PLUGIN_PATH",
      file + "::" + root_ + "/folder:" + in_wheels + ":" + wheel);
  const SearchLocations locations = FindSearchLocations();
  ASSERT_GE(locations.found.size(), 3);
  EXPECT_EQ(locations.found[0].path, file);
  EXPECT_EQ(locations.found[1].path, in_folder);
  EXPECT_EQ(locations.found[2].path, wheel);
  EXPECT_EQ(locations.found[2].package, "some-thing");
  EXPECT_EQ(locations.found[2].kind, SearchLocationKind::kPluginPath);
  EXPECT_THAT(locations.problems, IsEmpty());
}

TEST_F(SearchLocationsTest, SaysWhatThePluginPathNamesInVain) {
  Set("FSLOAD_PLUGIN_PATH", "/no/such");
  EXPECT_THAT(FindSearchLocations().problems,
              Contains("FSLOAD_PLUGIN_PATH: '/no/such' does not exist"));
}

TEST_F(SearchLocationsTest, KnowsWhereThePackagesHaveThem) {
  const struct {
    const char* variable;
    std::string value;
    std::string folder;
  } cases[] = {
      {"PYTHONPATH", root_ + "/a", "a"},
      {"VIRTUAL_ENV", root_ + "/b", "b/lib/python3.11/site-packages"},
      {"CONDA_PREFIX", root_ + "/c", "c/lib/python3.9/site-packages"},
      {"HOME", root_ + "/d", "d/.local/lib/python3.12/site-packages"},
  };
  for (const auto& each : cases) {
    Set(each.variable, each.value);
    const std::string plugin = Put(each.folder + "/" + kGs);
    EXPECT_THAT(FoundHere(), Contains(plugin)) << each.variable;
  }
}

TEST_F(SearchLocationsTest, LooksBesideThePythonInPath) {
  Put("opt/bin/python3");
  const std::string plugin =
      Put(std::string("opt/lib/python3.11/site-packages/") + kGs);
  for (const char* const folder : {"/opt/bin", "/opt/bin//"}) {
    Set("PATH", "/no/such:" + root_ + folder);
    EXPECT_THAT(FoundHere(), ElementsAre(plugin)) << folder;
  }
}

TEST_F(SearchLocationsTest, KnowsThePackageOfAPlugin) {
  Set("PYTHONPATH", root_);
  Put(kGs);
  Put("some_thing/fsload/a.so");
  std::vector<std::string> packages;
  for (const SearchLocation& location : FindSearchLocations().found) {
    if (location.path.rfind(root_, 0) == 0)
      packages.push_back(location.package);
  }
  EXPECT_THAT(packages,
              ElementsAre("tensorflow-io-gcs-filesystem", "some-thing"));
}

TEST_F(SearchLocationsTest, LooksOnlyWherePluginsMayBe) {
  Set("PYTHONPATH", root_);
  Put("numpy/core/a.so");
  Put("tensorflow_io.libs/b.so");
  Put("tensorflow_io-1.dist-info/c.so");
  const std::string other = Put("tensorflow_io_nightly/deep/d.so");
  const std::string named = Put("some_thing/tensorflow-plugins/e.so");
  const std::string plugins = Put("tensorflow-plugins/f.so");
  EXPECT_THAT(FoundHere(),
              testing::UnorderedElementsAre(other, named, plugins));
}

TEST_F(SearchLocationsTest, NamesEachFileOnce) {
  const std::string plugin = Put(std::string("a/") + kGs);
  fs::create_directory_symlink(root_ + "/a", root_ + "/b");
  Set("PYTHONPATH", root_ + "/a:" + root_ + "/b:" + root_ + "/a");
  Set("FSLOAD_PLUGIN_PATH", plugin);
  EXPECT_THAT(FoundHere(), ElementsAre(plugin));
}

TEST_F(SearchLocationsTest, TakesAFileAtItsWord) {
  std::vector<std::string> problems;
  const auto files = PluginFilesAt("testdata/minimal.so", problems);
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(*files, ElementsAre("testdata/minimal.so"));
}

TEST_F(SearchLocationsTest, SaysThatThereIsNothing) {
  std::vector<std::string> problems;
  const auto files = PluginFilesAt("/no/such.so", problems);
  EXPECT_EQ(files.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(files.status().message()),
              HasSubstr("no plugin at '/no/such.so'"));
}

}  // namespace
}  // namespace fsload
