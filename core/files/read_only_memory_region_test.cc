#include "fsload/read_only_memory_region.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/captured_output.h"
#include "core/testing/scripted_plugin.h"

namespace fsload {
namespace {

class ReadOnlyMemoryRegionTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>> Open() {
    return plugin_.Create("s3")->NewReadOnlyMemoryRegionFromFile("s3://b//k");
  }

  ScriptedPlugin plugin_;
};

TEST_F(ReadOnlyMemoryRegionTest, IsThePluginsMemory) {
  static constexpr char kContents[] = "contents";
  plugin_.data = kContents;
  plugin_.length = 8;
  const auto region = Open();
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ((*region)->data(), kContents);
  EXPECT_EQ((*region)->length(), 8u);
  EXPECT_EQ((*region)->uri(), "s3://b//k");
}

TEST_F(ReadOnlyMemoryRegionTest, AsksForDataAndLengthOnce) {
  const auto region = Open();
  ASSERT_TRUE(region.ok()) << region.status();
  plugin_.data = nullptr;
  plugin_.length = 0;
  EXPECT_NE((*region)->data(), nullptr);
  EXPECT_EQ((*region)->length(), 4u);
  EXPECT_EQ(plugin_.Count(Op::kReadOnlyMemoryRegion_data), 1);
  EXPECT_EQ(plugin_.Count(Op::kReadOnlyMemoryRegion_length), 1);
}

TEST_F(ReadOnlyMemoryRegionTest, MayBeEmptyAndNowhere) {
  plugin_.data = nullptr;
  plugin_.length = 0;
  const auto region = Open();
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ((*region)->length(), 0u);
}

TEST_F(ReadOnlyMemoryRegionTest, IsRefusedAndCleanedUpWithALengthAndNoData) {
  plugin_.data = nullptr;
  plugin_.length = 1234;
  EXPECT_EQ(Open().status(),
            absl::InternalError("s3://b//k: the plugin reported OK but "
                                "returned null instead of 1234 bytes (data)"));
  EXPECT_EQ(plugin_.Count(Op::kReadOnlyMemoryRegion_cleanup), 1);
}

TEST_F(ReadOnlyMemoryRegionTest, IsCleanedUpWhenDataThrows) {
  plugin_.On(Op::kReadOnlyMemoryRegion_data,
             [](TF_Status*) { throw std::runtime_error("unmapped"); });
  EXPECT_EQ(
      Open().status(),
      absl::InternalError(
          "s3://b//k: the plugin threw std::runtime_error: unmapped (data)"));
  EXPECT_EQ(plugin_.Count(Op::kReadOnlyMemoryRegion_cleanup), 1);
}

TEST_F(ReadOnlyMemoryRegionTest, IsCleanedUpWhenLengthThrows) {
  plugin_.On(Op::kReadOnlyMemoryRegion_length, [](TF_Status*) { throw 42; });
  EXPECT_EQ(Open().status(),
            absl::InternalError("s3://b//k: the plugin threw int (length)"));
  EXPECT_EQ(plugin_.Count(Op::kReadOnlyMemoryRegion_cleanup), 1);
}

TEST_F(ReadOnlyMemoryRegionTest, IsCleanedUpOnceAndLogsWhatThatThrows) {
  plugin_.On(Op::kReadOnlyMemoryRegion_cleanup, [](TF_Status*) { throw 42; });
  auto region = Open();
  ASSERT_TRUE(region.ok()) << region.status();
  CapturedOutput captured(STDERR_FILENO);
  region->reset();
  EXPECT_EQ(captured.Stop(),
            "fsload: error: s3://b//k: the plugin threw int (cleanup)\n");
  EXPECT_EQ(plugin_.Count(Op::kReadOnlyMemoryRegion_cleanup), 1);
}

}  // namespace
}  // namespace fsload
