// Plugins built for other versions of the interface: their tables are shorter
// or longer, and end where their memory ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "fsload/plugin_loader.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Generation {
  const char* plugin;
  size_t bytes;
  const char* versions;
  bool has_transactions;
  bool has_configuration;
};

constexpr Generation kGenerations[] = {
    {"memory_176", 176, "2.2-2.3", false, false},
    {"memory_224", 224, "2.4", true, false},
    {"memory", 264, "2.5 and later", true, true},
    {"memory_288", 288, "newer than any release that fsload knows", true, true},
};

class GenerationsTest : public ::testing::TestWithParam<Generation> {
 protected:
  GenerationsTest() {
    LoadOptions options;
    options.registry = &registry_;
    report_ = LoadPlugin("testdata/" + std::string(GetParam().plugin) + ".so",
                         options);
  }

  const FileSystem& fs() {
    if (file_system_ == nullptr) file_system_ = *registry_.Find("memory");
    return *file_system_;
  }

  static bool Has(const std::vector<Op>& ops, Op op) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
  }

  SchemeRegistry registry_;
  LoadReport report_;
  FileSystemPtr file_system_;
};

TEST_P(GenerationsTest, LoadsAndReportsItsSize) {
  ASSERT_EQ(report_.status, absl::OkStatus());
  const TableReport& table = report_.schemes.front().tables.front();
  EXPECT_TRUE(table.present);
  EXPECT_EQ(table.declared_bytes, GetParam().bytes);
  EXPECT_EQ(TensorFlowVersions(table.declared_bytes), GetParam().versions);
}

TEST_P(GenerationsTest, NotesATableThatIsLongerThanKnown) {
  const std::vector<Finding>& findings = report_.findings;
  if (GetParam().bytes <= sizeof(TF_FilesystemOps)) {
    EXPECT_THAT(findings, IsEmpty());
    return;
  }
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings.front().rule, RuleId::kTableKnown);
  EXPECT_THAT(findings.front().message,
              HasSubstr("wanted at most 264 bytes, found 288"));
}

TEST_P(GenerationsTest, ReportsEachOperationOnce) {
  const SchemeReport& scheme = report_.schemes.front();
  for (const Operation& operation : kOperations) {
    EXPECT_EQ(Has(scheme.present, operation.op) +
                  Has(scheme.by_default, operation.op) +
                  Has(scheme.unavailable, operation.op),
              1)
        << operation.name;
  }
  EXPECT_EQ(Has(scheme.present, Op::kFilesystem_start_transaction),
            GetParam().has_transactions);
  EXPECT_EQ(Has(scheme.unavailable, Op::kFilesystem_start_transaction),
            !GetParam().has_transactions);
  EXPECT_EQ(Has(scheme.present, Op::kFilesystem_get_filesystem_configuration),
            GetParam().has_configuration);
}

TEST_P(GenerationsTest, TakesNoOperationFromBehindItsTable) {
  for (const Operation& operation : kOperations) {
    if (operation.since() <= GetParam().bytes) continue;
    EXPECT_EQ(FunctionIn(TablesOf(fs()), operation.op), nullptr)
        << operation.name;
  }
}

TEST_P(GenerationsTest, TransactionsAreUnimplementedBefore224Bytes) {
  const absl::Status status = fs().StartTransaction().status();
  if (GetParam().has_transactions) {
    EXPECT_EQ(status, absl::OkStatus());
    return;
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the plugin has no start_transaction"));
}

TEST_P(GenerationsTest, ConfigurationIsDefaultedBefore264Bytes) {
  const auto keys = fs().GetFilesystemConfigurationKeys();
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_EQ(keys->size(), GetParam().has_configuration ? 3 : 0);
  EXPECT_EQ(fs().GetFilesystemConfigurationOption("block_size").status().code(),
            GetParam().has_configuration ? absl::StatusCode::kOk
                                         : absl::StatusCode::kNotFound);
}

TEST_P(GenerationsTest, KeepsFilesLikeAnyOther) {
  const auto file = fs().NewWritableFile("memory:///file");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("contents"), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_EQ(*fs().GetFileSize("memory:///file"), 8);
}

INSTANTIATE_TEST_SUITE_P(Sizes, GenerationsTest,
                         ::testing::ValuesIn(kGenerations),
                         [](const auto& info) {
                           return std::string(info.param.plugin);
                         });

}  // namespace
}  // namespace fsload
