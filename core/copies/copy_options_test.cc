#include "fsload/copy_options.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

constexpr size_t kMiB = size_t{1} << 20;

// With the optional operations of a plugin.
class CopyOptionsTest : public ::testing::TestWithParam<std::vector<Op>> {
 protected:
  bool Has(Op op) const {
    return FunctionIn(TablesOf(*target_), op) != nullptr;
  }

  absl::Status Copy(const CopyOptions& options) {
    return source_->CopyFileAs("/src", *target_, "/dst", options);
  }

  MemoryTree tree_;
  MemoryTree elsewhere_;
  const FileSystemPtr target_ = tree_.Open(MemoryTree::Tables(GetParam()));
  const FileSystemPtr other_ = elsewhere_.Open();
  const FileSystem* source_ = target_.get();
};

TEST_P(CopyOptionsTest, CountAllBytesOnce) {
  const std::string contents(3 * kMiB + 1, 'x');
  tree_.AddFile("/src", contents);
  elsewhere_.AddFile("/src", contents);
  for (const FileSystem* from : {target_.get(), other_.get()}) {
    for (const bool exists : {false, true}) {
      tree_.AddFile("/dst", "old");
      if (!exists) {
        EXPECT_EQ(target_->DeleteFile("/dst"), absl::OkStatus());
      }
      int64_t bytes = 0;
      CopyOptions options;
      options.after_block = [&](int64_t more) {
        bytes += more;
        return absl::OkStatus();
      };
      EXPECT_EQ(from->CopyFileAs("/src", *target_, "/dst", options),
                absl::OkStatus());
      EXPECT_EQ(bytes, static_cast<int64_t>(contents.size()));
      EXPECT_EQ(*tree_.Contents("/dst"), contents);
    }
  }
}

TEST_P(CopyOptionsTest, EndACopyEarlyAndLeaveTheTargetAsItWas) {
  elsewhere_.AddFile("/src", std::string(3 * kMiB, 'x'));
  for (const bool exists : {false, true}) {
    if (exists) tree_.AddFile("/dst", "old");
    const auto before = tree_.Snapshot();
    // After each block of the source, and after the file is closed.
    for (int last = 1; last <= 4; ++last) {
      int asked = 0;
      CopyOptions options;
      options.after_block = [&](int64_t) {
        return ++asked == last ? absl::CancelledError("enough")
                               : absl::OkStatus();
      };
      EXPECT_EQ(other_->CopyFileAs("/src", *target_, "/dst", options),
                absl::CancelledError("enough"));
      EXPECT_EQ(tree_.Snapshot(), before);
    }
  }
}

TEST_P(CopyOptionsTest, EndACopyWhereACallbackThrowsAndLeaveTheTarget) {
  elsewhere_.AddFile("/src", std::string(2 * kMiB, 'x'));
  tree_.AddFile("/src", "of the same plugin");
  for (const bool exists : {false, true}) {
    if (exists) tree_.AddFile("/dst", "old");
    const auto before = tree_.Snapshot();
    for (const FileSystem* from : {target_.get(), other_.get()}) {
      CopyOptions options;
      options.after_block = [](int64_t) -> absl::Status {
        throw std::runtime_error("no more");
      };
      EXPECT_EQ(
          from->CopyFileAs("/src", *target_, "/dst", options),
          absl::InternalError("/dst: after_block threw std::runtime_error: no "
                              "more; the copy ended there (copy_file)"));
      EXPECT_EQ(tree_.Snapshot(), before);
      options.after_block = nullptr;
      options.before_writing = [](std::string_view) { throw 42; };
      EXPECT_EQ(from->CopyFileAs("/src", *target_, "/dst", options),
                absl::InternalError("/dst: before_writing threw int; the copy "
                                    "ended there (copy_file)"));
      EXPECT_EQ(tree_.Snapshot(), before);
    }
  }
}

TEST_P(CopyOptionsTest, EndARenameEarlyAndLeaveBothFiles) {
  for (const bool exists : {false, true}) {
    tree_.Clear();
    tree_.AddFile("/src", "new contents");
    if (exists) tree_.AddFile("/dst", "old");
    const auto before = tree_.Snapshot();
    int asked = 0;
    int last = 1;
    CopyOptions options;
    options.after_block = [&](int64_t) {
      return ++asked == last ? absl::CancelledError("enough")
                             : absl::OkStatus();
    };
    for (;; ++last) {
      asked = 0;
      const absl::Status status = target_->RenameFile("/src", "/dst", options);
      if (status.ok()) break;
      EXPECT_EQ(status, absl::CancelledError("enough"));
      EXPECT_EQ(tree_.Snapshot(), before);
    }
    // The plugin's own rename calls none.
    EXPECT_EQ(last > 1, !Has(Op::kFilesystem_rename_file));
    EXPECT_EQ(*tree_.Contents("/dst"), "new contents");
    EXPECT_FALSE(tree_.Exists("/src"));
  }
}

TEST_P(CopyOptionsTest, NameARenameWhereACallbackThrows) {
  if (Has(Op::kFilesystem_rename_file)) {
    GTEST_SKIP() << "the plugin's own rename calls none";
  }
  tree_.AddFile("/src", "contents");
  const auto before = tree_.Snapshot();
  CopyOptions options;
  options.before_writing = [](std::string_view) { throw 42; };
  EXPECT_EQ(target_->RenameFile("/src", "/dst", options),
            absl::InternalError("/dst: before_writing threw int; the copy "
                                "ended there (rename_file)"));
  EXPECT_EQ(tree_.Snapshot(), before);
}

TEST_P(CopyOptionsTest, ShowOnlyTheWholeFileWhereThePluginRenames) {
  elsewhere_.AddFile("/src", "contents");
  bool seen = false;
  std::vector<std::string> written;
  CopyOptions options;
  options.before_writing = [&](std::string_view path) {
    written.emplace_back(path);
  };
  options.after_block = [&](int64_t) {
    seen = tree_.Exists("/dst");
    return absl::OkStatus();
  };
  EXPECT_EQ(other_->CopyFileAs("/src", *target_, "/dst", options),
            absl::OkStatus());
  const bool renames = Has(Op::kFilesystem_rename_file);
  EXPECT_EQ(seen, !renames);
  EXPECT_THAT(written, ElementsAre(MatchesRegex(renames ? "/\\.fsload-[0-9a-f]+"
                                                        : "/dst")));
}

TEST_P(CopyOptionsTest, ReplaceNothingWhereTheySaySo) {
  tree_.AddFile("/src", "new");
  CopyOptions options;
  options.overwrite = false;
  EXPECT_EQ(Copy(options), absl::OkStatus());
  tree_.AddFile("/dst", "old");
  EXPECT_EQ(Copy(options),
            absl::AlreadyExistsError(
                "/dst: the target exists; it is not replaced (copy_file)"));
  EXPECT_EQ(*tree_.Contents("/dst"), "old");
}

TEST_P(CopyOptionsTest, PutNothingIntoADirectory) {
  tree_.AddFile("/src", "new");
  tree_.AddDirectory("/dst");
  const auto before = tree_.Snapshot();
  EXPECT_EQ(Copy({}).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(tree_.Snapshot(), before);
}

TEST_P(CopyOptionsTest, TakeAFileThatHoldsMoreThanItsSizeSays) {
  tree_.AddFile("/src", "of /proc");
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& stats) {
    if (path == "/src") stats.length = 0;
  };
  EXPECT_EQ(Copy({}), absl::OkStatus());
  EXPECT_EQ(*tree_.Contents("/dst"), "of /proc");
}

// Like the s3 plugin.
void RenameNoEmptyFile(const TF_Filesystem*, const char*, const char*,
                       TF_Status* status) {
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is empty");
}

TEST(CopyOfAnEmptyFileTest, IsMadeWhereThePluginRenamesNone) {
  MemoryTree tree;
  SchemeTables tables = MemoryTree::Tables({Op::kFilesystem_rename_file});
  tables.filesystem.rename_file = &RenameNoEmptyFile;
  const FileSystemPtr files = tree.Open(tables);
  tree.AddFile("/src", "");
  EXPECT_EQ(files->CopyFileAs("/src", *files, "/dst"), absl::OkStatus());
  EXPECT_EQ(*tree.Contents("/dst"), "");
  EXPECT_EQ(tree.Snapshot().size(), 3);  // includes the root
}

TEST(CopyOfAnEmptyFileTest, LeavesTheTargetAsItWasWhereItFails) {
  MemoryTree tree;
  SchemeTables tables = MemoryTree::Tables({Op::kFilesystem_rename_file});
  tables.filesystem.rename_file = &RenameNoEmptyFile;
  const FileSystemPtr files = tree.Open(tables);
  int failures = 0;
  for (uint64_t call = 1;; ++call) {
    tree.Clear();
    tree.AddFile("/src", "");
    tree.AddFile("/dst", "old");
    tree.fault = {call, Fault::When::kBefore, TF_UNAVAILABLE};
    const absl::Status status = files->CopyFile("/src", "/dst");
    if (tree.calls() < call) {  // all calls have failed once
      EXPECT_EQ(status, absl::OkStatus());
      break;
    }
    SCOPED_TRACE(::testing::Message() << "call " << call << ": " << status);
    const std::string message(status.message());
    const bool done =
        status.ok() || message.find("all else is done") != std::string::npos;
    failures += done ? 0 : 1;
    ASSERT_NE(tree.Contents("/dst"), nullptr);
    EXPECT_EQ(*tree.Contents("/dst"), done ? "" : "old");
  }
  EXPECT_GT(failures, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, CopyOptionsTest,
    ::testing::Values(std::vector<Op>{},
                      std::vector<Op>{Op::kFilesystem_rename_file},
                      std::vector<Op>{Op::kFilesystem_copy_file},
                      std::vector<Op>{Op::kFilesystem_rename_file,
                                      Op::kFilesystem_copy_file}));

}  // namespace
}  // namespace fsload
