#include "loader/known_plugins/disabled_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tables/operations.h"
#include "core/tables/plugin_traits.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/tables/plugin_tables.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr char kPlugin[] = "libtensorflow_io_plugins.so";
constexpr char kGsPlugin[] = "libtensorflow_io_gcs_filesystem.so";

CopiedScheme SchemeNamed(const char* name) {
  CopiedScheme scheme;
  scheme.scheme = name;
  TF_FilesystemOps& ops = scheme.tables.filesystem;
  ops.rename_file = [](const TF_Filesystem*, const char*, const char*,
                       TF_Status*) {};
  ops.delete_file = [](const TF_Filesystem*, const char*, TF_Status*) {};
  scheme.report.present = {Op::kFilesystem_delete_file,
                           Op::kFilesystem_rename_file};
  return scheme;
}

TEST(DisabledOpsTest, AreTakenOutOfTheTablesAndSaidToBeFsloadsOrNobodys) {
  CopiedScheme scheme = SchemeNamed("s3");
  DisableKnown(kPlugin, false, scheme);
  EXPECT_EQ(scheme.tables.filesystem.rename_file, nullptr);
  EXPECT_NE(scheme.tables.filesystem.delete_file, nullptr);
  EXPECT_TRUE(scheme.tables.traits.replaces_atomically);
  EXPECT_NE(WhyDisabled(scheme.tables.traits, Op::kFilesystem_rename_file),
            nullptr);
  EXPECT_THAT(scheme.report.present,
              Not(Contains(Op::kFilesystem_rename_file)));
  // The defaults need stat, which is missing here.
  EXPECT_THAT(scheme.report.unavailable, Contains(Op::kFilesystem_rename_file));
}

TEST(DisabledOpsTest, AreTakenFromUnknownPluginsAndSchemesThatWereNotSeen) {
  for (const auto& [plugin, name] :
       {std::pair("", "s3"), std::pair("", "mem"), std::pair(kPlugin, "hdfs"),
        std::pair(kPlugin, "az")}) {
    CopiedScheme scheme = SchemeNamed(name);
    DisableKnown(plugin, false, scheme);
    EXPECT_EQ(scheme.tables.filesystem.rename_file, nullptr);
    EXPECT_NE(scheme.tables.filesystem.delete_file, nullptr);
    EXPECT_TRUE(scheme.tables.traits.is_untested);
  }
}

TEST(DisabledOpsTest, AreNotTakenFromAnUntestedPluginThatIsTrusted) {
  CopiedScheme unknown = SchemeNamed("mem");
  DisableKnown("", /*trust_untested=*/true, unknown);
  EXPECT_NE(unknown.tables.filesystem.rename_file, nullptr);
  EXPECT_FALSE(unknown.tables.traits.is_untested);
  for (const char* name : {"s3", "hdfs", "viewfs"}) {
    CopiedScheme known = SchemeNamed(name);
    DisableKnown(kPlugin, /*trust_untested=*/true, known);
    EXPECT_EQ(known.tables.filesystem.rename_file, nullptr) << name;
  }
}

TEST(DisabledOpsTest, AreNotTakenFromPluginsThatWereSeenToBehave) {
  for (const auto& [plugin, name] :
       {std::pair(kGsPlugin, "gs"), std::pair(kBundledPluginName, "posix"),
        std::pair(kBundledPluginName, "")}) {
    CopiedScheme scheme = SchemeNamed(name);
    DisableKnown(plugin, false, scheme);
    EXPECT_NE(scheme.tables.filesystem.rename_file, nullptr);
    EXPECT_THAT(scheme.report.present, Contains(Op::kFilesystem_rename_file));
    EXPECT_FALSE(scheme.tables.traits.is_untested);
  }
}

}  // namespace
}  // namespace fsload
