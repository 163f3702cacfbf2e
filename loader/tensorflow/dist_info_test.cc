#include "loader/tensorflow/dist_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

#include "loader/testing/test_files.h"

namespace fsload {
namespace {

constexpr char kMetadata[] =
    "Metadata-Version: 2.1\n"
    "Name: tensorflow-io\n"
    "Requires-Dist: tensorflow-io-gcs-filesystem ==0.37.1\n"
    "Requires-Dist: tensorflow <2.17.0,>=2.16.0 ; extra == 'tensorflow'\n"
    "Requires-Dist: Tensorflow_CPU (>=2.15,!=2.15.1) ; extra == 'cpu'\n"
    "Requires-Dist: numpy\n";

DistInfo Installed(const std::string& packages) {
  const std::string folder = packages + "/tensorflow_io-0.37.1.dist-info";
  WriteFile(folder + "/METADATA", kMetadata);
  return {folder, "tensorflow-io", "0.37.1"};
}

TEST(DistInfoTest, ReadsWhichVersionsAreAskedFor) {
  const DistInfo info = Installed(NewPath("packages"));
  const struct {
    const char* required;
    const char* range;
  } cases[] = {
      {"tensorflow", "<2.17.0,>=2.16.0"},
      {"tensorflow-io-gcs-filesystem", "==0.37.1"},
      {"tensorflow-cpu", ">=2.15,!=2.15.1"},
      {"numpy", ""},
      {"tensor", ""},
  };
  for (const auto& each : cases) {
    const std::vector<std::string> ranges =
        VersionsRequired(info, each.required);
    EXPECT_EQ(ranges.empty() ? "" : ranges[0], each.range) << each.required;
  }
}

TEST(DistInfoTest, APackageWithoutMetadataAsksForNothing) {
  EXPECT_THAT(VersionsRequired({NewPath("no such"), "a", "1"}, "tensorflow"),
              testing::IsEmpty());
}

TEST(DistInfoTest, ReadsEachRangeOfAPackage) {
  const std::string folder = NewPath("packages") + "/a-1.dist-info";
  WriteFile(folder + "/METADATA",
            "Requires-Dist: tensorflow (<2.12) ; python_version < '3.8'\n"
            "Requires-Dist: tensorflow (>=2.13) ; python_version >= '3.8'");
  EXPECT_THAT(VersionsRequired({folder, "a", "1"}, "tensorflow"),
              testing::ElementsAre("<2.12", ">=2.13"));
}

TEST(DistInfoTest, DoesNotWaitForAPipe) {
  const std::string folder = NewPath("packages");
  WriteFile(folder + "/x", "");
  ASSERT_EQ(mkfifo((folder + "/METADATA").c_str(), 0600), 0);
  EXPECT_THAT(VersionsRequired({folder, "a", "1"}, "tensorflow"),
              testing::IsEmpty());
}

TEST(DistInfoTest, FindsThePackageOfAFile) {
  const std::string packages = NewPath("packages");
  Installed(packages);
  const std::string plugin = packages + "/tensorflow_io/python/ops/lib.so";
  WriteFile(plugin, "");
  const std::optional<DistInfo> info = PackageOfFile(plugin);
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->package, "tensorflow-io");
  EXPECT_EQ(info->version, "0.37.1");
  EXPECT_FALSE(PackageOfFile(packages + "/other/lib.so").has_value());
}

TEST(DistInfoTest, IgnoresFoldersWithOtherNames) {
  const std::string packages = NewPath("packages");
  for (const char* name : {"a-1.egg-info", "nodash.dist-info", ".dist-info",
                           "b-2.dist-info", "c.dist-info-3"}) {
    WriteFile(packages + "/" + name + "/METADATA", "");
  }
  const auto infos = DistInfosIn(packages);
  ASSERT_EQ(infos.size(), 1);
  EXPECT_EQ(infos[0].package, "b");
}

TEST(DistInfoTest, ComparesVersionsByTheirNumbers) {
  const struct {
    const char* version;
    const char* range;
    bool is_in;
  } cases[] = {
      {"2.16.0", "<2.17.0,>=2.16.0", true},
      {"2.16", ">=2.16.0", true},
      {"2.16.2", "<2.17.0,>=2.16.0", true},
      {"2.17.0", "<2.17.0,>=2.16.0", false},
      {"2.21.0", "<2.17.0,>=2.16.0", false},
      {"2.9.1", ">=2.16.0", false},
      {"2.16.0rc1", "==2.16", true},
      {"2.15.1", "!=2.15.1", false},
      {"2.15.1", "<=2.15.1", true},
      {"2.15.1", ">2.15.1", false},
      {"2.15.1", "==2.15.*", true},
      {"2.15.1", "~=2.3", true},
      {"", "", true},
      {"2.16.1", "===2.16.1", true},
      {"2.16.1", "==1!2.16.1", true},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(IsInRange(each.version, each.range), each.is_in)
        << each.version << " " << each.range;
  }
}

}  // namespace
}  // namespace fsload
