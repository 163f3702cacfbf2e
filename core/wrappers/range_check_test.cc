#include "core/wrappers/range_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/paths/scheme_names.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"
#include "fsload/metered.h"
#include "fsload/subtree.h"

namespace fsload {
namespace {

constexpr Op kReadFile = Op::kRandomAccessFile_read;
constexpr char kUri[] = "http://host/file";

// A web server and its plugin, which takes what comes for what it asked for.
class RangeCheckTest : public ::testing::Test {
 protected:
  RangeCheckTest() {
    plugin_.recording = false;
    plugin_.statistics.length = static_cast<int64_t>(contents_.size());
    plugin_.read = [this](uint64_t offset, size_t n, char* buffer,
                          TF_Status* status) -> int64_t {
      const std::string body =
          serves_ranges_ ? contents_.substr(offset, n) : contents_;
      if (body.size() > n) {
        TF_SetStatus(status, TF_INTERNAL, "Unable to perform (23)");
        return -1;
      }
      body.copy(buffer, n);
      const bool is_end = body.size() < n;
      TF_SetStatus(status, is_end ? TF_OUT_OF_RANGE : TF_OK, "");
      return static_cast<int64_t>(body.size());
    };
  }

  FileSystemPtr Checked() {
    return *CheckRanges(plugin_.Create("http"), "http");
  }

  static std::string Read(const RandomAccessFile& file, uint64_t offset,
                          size_t n) {
    std::string bytes(n, '\0');
    const absl::StatusOr<size_t> read = file.Read(offset, n, &bytes[0]);
    if (!read.ok()) return std::string(read.status().message());
    return bytes.substr(0, *read);
  }

  const std::string contents_ = "0123456789";
  bool serves_ranges_ = true;
  ScriptedPlugin plugin_;
};

TEST_F(RangeCheckTest, ReadsTheRightBytesOfServersWithoutRanges) {
  for (const bool serves_ranges : {false, true}) {
    serves_ranges_ = serves_ranges;
    const FileSystemPtr fs = Checked();
    const auto file = *fs->NewRandomAccessFile(kUri);
    for (const size_t offset : {0, 1, 4, 9}) {
      for (const size_t n : {1, 5, 100}) {
        EXPECT_EQ(Read(*file, offset, n), contents_.substr(offset, n))
            << serves_ranges << " " << offset << " " << n;
      }
    }
  }
}

TEST_F(RangeCheckTest, AsksOnceWhileAFileIsOpen) {
  const FileSystemPtr fs = Checked();
  for (int opened = 1; opened <= 2; ++opened) {
    const auto file = *fs->NewRandomAccessFile(kUri);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(Read(*file, 3, 2), "34");
    EXPECT_EQ(plugin_.Count(kReadFile), opened * (1 + 5));
  }
}

TEST_F(RangeCheckTest, AllocatesNothingOnceAServerIsKnownToServeRanges) {
  plugin_.read = [](uint64_t, size_t n, char*, TF_Status* status) {
    TF_SetStatus(status, TF_OK, "");
    return static_cast<int64_t>(n);
  };
  const FileSystemPtr fs = Checked();
  const auto file = *fs->NewRandomAccessFile(kUri);
  char buffer[8];
  ASSERT_TRUE(file->Read(3, sizeof(buffer), buffer).ok());
  const size_t before = AllocationsOfThisThread();
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(file->Read(3, sizeof(buffer), buffer).ok());
  }
  EXPECT_EQ(AllocationsOfThisThread(), before);
}

TEST_F(RangeCheckTest, ChecksUnderAnotherNameAndBelowAWrapper) {
  serves_ranges_ = false;
  ASSERT_TRUE(AddSchemeName("rangecheck.web", "https"));
  const FileSystemPtr named =
      *CheckRanges(plugin_.Create("rangecheck.web"), "rangecheck.web");
  const FileSystemPtr below = *CheckRanges(
      *Subtree(plugin_.Create("http"), "http://host", "data"), "http");
  for (const auto& [fs, uri] : {std::pair(named, "rangecheck.web://host/file"),
                                std::pair(below, "data:///file")}) {
    EXPECT_EQ(Read(**fs->NewRandomAccessFile(uri), 4, 100), "456789") << uri;
  }
}

TEST_F(RangeCheckTest, LeavesOtherSchemesAlone) {
  for (const char* scheme : {"s3", "gs", "httpx", ""}) {
    const FileSystemPtr inner = plugin_.Create(scheme);
    EXPECT_EQ(*CheckRanges(inner, scheme), inner) << scheme;
  }
}

TEST_F(RangeCheckTest, GivesBackWhatItWasGiven) {
  const FileSystemPtr inner = plugin_.Create("https");
  const FileSystemPtr checked = *CheckRanges(inner, "https");
  EXPECT_NE(checked, inner);
  EXPECT_EQ(&WithoutRangeCheck(*checked), inner.get());
  EXPECT_EQ(&WithoutRangeCheck(*inner), inner.get());
  const FileSystemPtr metered = *Metered(inner, std::make_shared<OpMeter>());
  EXPECT_EQ(&WithoutRangeCheck(*metered), metered.get());
}

TEST_F(RangeCheckTest, RefusesNull) {
  EXPECT_EQ(CheckRanges(nullptr, "http").status(),
            absl::InvalidArgumentError(
                "CheckRanges: the file system to wrap is null"));
}

}  // namespace
}  // namespace fsload
