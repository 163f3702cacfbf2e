#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/copy_options.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

// What a copy to a known store asks: each question is a request or two.
class CopyRequestsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    local_.AddFile("/src", "new contents");
    store_.deviations.commits_on_close = true;
    missing_.target_is_known = true;
  }

  static SchemeTables Tables() {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.replaces_atomically = true;
    tables.traits.reading_tells = true;
    return tables;
  }

  absl::Status Upload(const CopyOptions& options) {
    return files_->CopyFileAs("/src", *objects_, "/dst", options);
  }

  absl::Status Download(const CopyOptions& options) {
    return objects_->CopyFileAs("/object", *files_, "/down", options);
  }

  // The store's next object has `contents`, whatever is written to it.
  void Store(const std::string& contents) {
    store_.after_call = [this, contents](Op op, uint64_t) {
      if (op == Op::kWritableFile_close) store_.AddFile("/dst", contents);
    };
  }

  MemoryTree local_;
  MemoryTree store_;
  const FileSystemPtr files_ = local_.Open();
  const FileSystemPtr objects_ = store_.Open(Tables());
  CopyOptions missing_;
};

TEST_F(CopyRequestsTest, ANewObjectIsWrittenAndReadOnce) {
  EXPECT_EQ(Upload(missing_), absl::OkStatus());
  EXPECT_EQ(*store_.Contents("/dst"), "new contents");
  EXPECT_EQ(store_.calls(Op::kFilesystem_new_writable_file), 1);
  EXPECT_EQ(store_.calls(Op::kFilesystem_new_random_access_file), 1);
  EXPECT_EQ(store_.calls(Op::kRandomAccessFile_read), 1);
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 0);
  EXPECT_EQ(store_.calls(Op::kFilesystem_get_children), 0);
}

TEST_F(CopyRequestsTest, AnObjectThatTheCallerHasSeenIsReplacedInOneCall) {
  store_.AddFile("/dst", "old");
  CopyOptions seen;
  seen.target_is_known = true;
  seen.target = FileStatistics{3, 1, false};
  EXPECT_EQ(Upload(seen), absl::OkStatus());
  EXPECT_EQ(*store_.Contents("/dst"), "new contents");
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 0);
  EXPECT_EQ(store_.calls(Op::kRandomAccessFile_read), 1);
}

// The last byte tells nothing where the old contents are as long.
TEST_F(CopyRequestsTest, AnObjectOfTheSameLengthIsComparedIfItLooksTheSame) {
  const int64_t mtime = 1;
  store_.correct_stat = [&](const std::string&, TF_FileStatistics& found) {
    found.mtime_nsec = mtime;
  };
  store_.AddFile("/dst", "old contents");
  Store("old contents");
  CopyOptions seen;
  seen.target_is_known = true;
  seen.target = FileStatistics{12, mtime, false};
  EXPECT_TRUE(absl::IsDataLoss(Upload(seen)));
}

TEST_F(CopyRequestsTest, AnObjectOfAnotherLengthIsNoCopy) {
  for (const std::string contents : {"new content", "new contents!"}) {
    Store(contents);
    const absl::Status status = Upload(missing_);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(std::string(status.message()),
                ::testing::HasSubstr("wanted 12 bytes, found "));
  }
}

TEST_F(CopyRequestsTest, WhatCannotBeReadIsAskedByStat) {
  SchemeTables tables = Tables();
  tables.filesystem.new_random_access_file =
      [](const TF_Filesystem*, const char*, TF_RandomAccessFile*,
         TF_Status* status) {
        TF_SetStatus(status, TF_PERMISSION_DENIED, "write only");
      };
  const auto write_only = store_.Open(tables);
  EXPECT_EQ(files_->CopyFileAs("/src", *write_only, "/dst", missing_),
            absl::OkStatus());
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 1);
}

TEST_F(CopyRequestsTest, AnEmptyObjectIsAskedByStat) {
  local_.AddFile("/src", "");
  EXPECT_EQ(Upload(missing_), absl::OkStatus());
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 1);
}

TEST_F(CopyRequestsTest, AnObjectThatIsNotToBeReplacedIsLookedFor) {
  store_.AddFile("/dst", "old");
  CopyOptions keeps;
  keeps.overwrite = false;
  EXPECT_TRUE(absl::IsAlreadyExists(Upload(keeps)));
  EXPECT_EQ(*store_.Contents("/dst"), "old");
}

// What a caller found missing may be there by now, and may be the source.
TEST_F(CopyRequestsTest, OtherPluginsAreAskedAgain) {
  local_.AddLink("/dst", "/src");
  EXPECT_EQ(files_->CopyFileAs("/src", *files_, "/dst", missing_),
            absl::OkStatus());
  EXPECT_EQ(*local_.Contents("/dst"), "new contents");
  EXPECT_EQ(*local_.Contents("/src"), "new contents");
}

TEST_F(CopyRequestsTest, AnObjectThatIsReadAtOnceIsAskedOnce) {
  store_.AddFile("/object", "contents");
  EXPECT_EQ(Download({}), absl::OkStatus());
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 1);
}

TEST_F(CopyRequestsTest, AnObjectThatTheCallerHasSeenIsReadOnly) {
  store_.AddFile("/object", "contents");
  CopyOptions seen;
  seen.source = FileStatistics{8, 1, false};
  EXPECT_EQ(Download(seen), absl::OkStatus());
  EXPECT_EQ(*local_.Contents("/down"), "contents");
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 0);
  EXPECT_EQ(store_.calls(Op::kRandomAccessFile_read), 1);
}

TEST_F(CopyRequestsTest, AnObjectThatChangedSinceIsReadAsItIs) {
  const std::string longer(3 << 20, 'x');
  for (const std::string& contents :
       {std::string("content"), std::string("contents!"), longer,
        std::string()}) {
    store_.AddFile("/object", contents);
    CopyOptions seen;
    seen.source = FileStatistics{8, 1, false};
    EXPECT_EQ(Download(seen), absl::OkStatus());
    EXPECT_EQ(*local_.Contents("/down"), contents);
  }
}

// Its statistics agree with what the caller has seen.
TEST_F(CopyRequestsTest, AnObjectThatIsNotReadToItsEndIsNoCopy) {
  store_.AddFile("/object", "content");
  store_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found = {8, 1, false};
  };
  CopyOptions seen;
  seen.source = FileStatistics{8, 1, false};
  EXPECT_TRUE(absl::IsDataLoss(Download(seen)));
  EXPECT_FALSE(local_.Exists("/down"));
}

// Before it is read, and after, as it may change between two requests.
TEST_F(CopyRequestsTest, AnObjectThatIsReadInPiecesIsAskedTwice) {
  store_.AddFile("/object", std::string(1 << 20, 'x'));
  EXPECT_EQ(Download({}), absl::OkStatus());
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 2);
}

// A store whose times are whole seconds: a write within one shows in none.
TEST_F(CopyRequestsTest, ALargeObjectThatIsTooNewIsAskedOnceMore) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t now = absl::ToUnixNanos(absl::Now());
  store_.AddFile("/object", std::string(1 << 20, 'x'));
  store_.correct_stat = [&](const std::string&, TF_FileStatistics& found) {
    found.mtime_nsec = now - now % kSecond;
  };
  EXPECT_EQ(Download({}), absl::OkStatus());
  EXPECT_EQ(store_.calls(Op::kFilesystem_stat), 3);
}

}  // namespace
}  // namespace fsload
