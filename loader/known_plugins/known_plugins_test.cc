#include "loader/known_plugins/known_plugins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/tables/operations.h"
#include "core/tables/plugin_traits.h"
#include "loader/trust/base_name.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

TEST(KnownPluginsTest, NamesAPackageForEachSchemeOfTheWheels) {
  EXPECT_EQ(InstallCommand(*KnownPluginFor("gs")),
            "pip install tensorflow-io-gcs-filesystem==0.37.1");
  for (const char* scheme :
       {"s3", "az", "http", "https", "hdfs", "viewfs", "har", "oss"}) {
    ASSERT_NE(KnownPluginFor(scheme), nullptr) << scheme;
    EXPECT_EQ(InstallCommand(*KnownPluginFor(scheme)),
              "pip install tensorflow-io==0.37.1");
  }
  EXPECT_EQ(KnownPluginFor("ftp"), nullptr);
}

// docs/verbs.md, "Plugins that lose data".
TEST(KnownPluginsTest, EachDeviationIsDocumented) {
  std::multiset<std::string> documented;
  std::ifstream page("docs/verbs.md");
  ASSERT_TRUE(page);
  for (std::string line; std::getline(page, line);) {
    for (const KnownDeviation& each : KnownDeviations()) {
      const std::string row =
          Format("| {} | `{}` | ", each.scheme, Describe(each.op).name);
      if (line.rfind(row, 0) == 0) {
        documented.insert(row);
        break;
      }
    }
  }
  EXPECT_EQ(documented.size(), KnownDeviations().size());
  for (const KnownDeviation& each : KnownDeviations()) {
    EXPECT_EQ(documented.count(Format("| {} | `{}` | ", each.scheme,
                                      Describe(each.op).name)),
              std::count_if(KnownDeviations().begin(), KnownDeviations().end(),
                            [&](const KnownDeviation& other) {
                              return other.scheme == each.scheme &&
                                     other.op == each.op;
                            }))
        << each.effect;
  }
}

TEST(KnownPluginsTest, NoSchemeIsServedTwice) {
  std::set<std::string_view> schemes;
  for (const KnownPlugin& plugin : KnownPlugins()) {
    for (const std::string_view scheme : plugin.schemes) {
      EXPECT_TRUE(schemes.insert(scheme).second) << scheme;
    }
  }
}

TEST(KnownPluginsTest, KnowsAPluginByTheNameOfItsFile) {
  const KnownPlugin* const plugin =
      KnownPluginAt("/elsewhere/libtensorflow_io_plugins.so");
  ASSERT_NE(plugin, nullptr);
  EXPECT_EQ(plugin->package, "tensorflow-io");
  EXPECT_EQ(KnownPluginAt("/elsewhere/libtensorflow_io.so"), nullptr);
}

TEST(KnownPluginsTest, KnowsAPluginByItsFunctionsAndNotByItsFile) {
  const auto name_of = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string contents(std::istreambuf_iterator<char>(file), {});
    return KnownNameOf({contents.data(), contents.size()});
  };
  EXPECT_EQ(name_of("testdata/known_minimal.so"),
            "libtensorflow_io_plugins.so");
  EXPECT_EQ(name_of("testdata/slow_gs_reads.so"),
            "libtensorflow_io_gcs_filesystem.so");
  EXPECT_EQ(name_of("testdata/posix.so"), kBundledPluginName);
  EXPECT_EQ(name_of("testdata/posix_local.so"), kBundledPluginName);
  EXPECT_EQ(name_of("testdata/posix_leaves.so"), "");
  EXPECT_EQ(name_of("testdata/minimal.so"), "");
  EXPECT_EQ(name_of("nothing"), "");
}

TEST(KnownPluginsTest, SaysWhatHappensWithoutEachVariableThatIsNeeded) {
  for (const KnownPlugin& plugin : KnownPlugins()) {
    for (const std::string_view scheme : plugin.schemes) {
      for (const KnownVariable& variable : KnownVariablesOf(scheme)) {
        if (variable.need == VariableNeed::kOptional) continue;
        EXPECT_FALSE(variable.meaning.empty()) << variable.name;
        EXPECT_FALSE(variable.without.empty()) << variable.name;
      }
    }
  }
}

TEST(KnownPluginsTest, SaysWhatEachDeviationDoesAndWhatIsDoneInstead) {
  for (const KnownDeviation& each : KnownDeviations()) {
    EXPECT_NE(KnownPluginAt(each.plugin), nullptr) << each.plugin;
    EXPECT_EQ(KnownPluginFor(each.scheme), KnownPluginAt(each.plugin));
    EXPECT_STRNE(each.effect, "");
    EXPECT_STRNE(each.remedy, "");
    const PluginTraits traits = TraitsOf(each.plugin, each.scheme);
    EXPECT_EQ(WhyDisabled(traits, each.op),
              each.disabled ? each.effect : nullptr);
  }
}

TEST(KnownPluginsTest, KnowsThatS3AloneDeletesByName) {
  for (const KnownPlugin& plugin : KnownPlugins()) {
    for (const std::string_view scheme : plugin.schemes) {
      EXPECT_EQ(TraitsOf(BaseName(plugin.path), scheme).deletes_by_name,
                scheme == "s3")
          << scheme;
    }
  }
}

TEST(KnownPluginsTest, KnowsTheVariableForThePartsOfS3) {
  const KnownParts parts = PartsOf("s3");
  std::string example;
  for (const KnownVariable& variable : KnownVariablesOf("s3")) {
    if (variable.name == parts.variable) example = variable.example;
  }
  EXPECT_EQ(example, std::to_string(parts.bytes));
}

TEST(KnownPluginsTest, KnowsWhichStoresReplaceObjectsAtomically) {
  EXPECT_TRUE(
      TraitsOf("libtensorflow_io_plugins.so", "s3").replaces_atomically);
  EXPECT_TRUE(
      TraitsOf("libtensorflow_io_gcs_filesystem.so", "gs").replaces_atomically);
  for (const auto& [plugin, scheme] :
       {std::pair("libtensorflow_io_plugins.so", "hdfs"),
        std::pair("", "s3")}) {
    const PluginTraits traits = TraitsOf(plugin, scheme);
    EXPECT_FALSE(traits.replaces_atomically);
    EXPECT_FALSE(traits.is_exact);
    EXPECT_FALSE(traits.hides_unavailable);
    EXPECT_TRUE(traits.is_untested);
    EXPECT_NE(WhyDisabled(traits, Op::kFilesystem_rename_file), nullptr);
  }
}

TEST(KnownPluginsTest, KnowsWhoHidesThatAServerFailsForTheMoment) {
  EXPECT_TRUE(TraitsOf("libtensorflow_io_plugins.so", "s3").hides_unavailable);
  EXPECT_FALSE(
      TraitsOf("libtensorflow_io_plugins.so", "http").hides_unavailable);
}

TEST(KnownPluginsTest, KnowsTheLibraryThatHadoopsPluginOpens) {
  EXPECT_EQ(LibraryOpenedBy("hdfs"), "libhdfs.so");
  EXPECT_EQ(LibraryOpenedBy("s3"), "");
  EXPECT_EQ(LibraryOpenedBy("ftp"), "");
}

}  // namespace
}  // namespace fsload
