#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gtest/gtest.h"
#include "tools/files/output/progress.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/file_transfer.h"

namespace fsload {
namespace {

// Transfers through plugins that do other things than they are asked to do.
class OddStoreTest : public ::testing::Test {
 protected:
  OddStoreTest() { tree_.AddDirectory("/d"); }

  absl::Status Transfer(const Step& step) {
    VerbOutput output("mv", false);
    Progress progress(output, true, 8, 1);
    return TransferFile(step, true, placed_, progress);
  }

  absl::Status Transfer(StepKind kind, const FileSystemPtr& files,
                        const std::string& source, const std::string& target,
                        bool replaces = false) {
    return Transfer({kind, {files, source}, {files, target}, 0, replaces});
  }

  std::string At(const std::string& path) const {
    const auto contents = tree_.Contents(path);
    return contents == nullptr ? "(nothing)" : *contents;
  }

  MemoryTree tree_;
  WrittenFiles placed_;
};

// It takes two names for one.
TEST_F(OddStoreTest, KeepsAtATargetWhatCameFromAnotherSource) {
  tree_.deviations.folds_case = true;
  for (const StepKind kind :
       {StepKind::kCopyFile, StepKind::kRenameFile, StepKind::kMoveFile}) {
    for (const bool renames : {false, true}) {
      tree_.AddFile("/x/A", "first");
      tree_.AddFile("/y/a", "second");
      const FileSystemPtr files = tree_.Open(MemoryTree::Tables(
          renames ? std::vector<Op>{Op::kFilesystem_rename_file}
                  : std::vector<Op>{}));
      EXPECT_EQ(Transfer(kind, files, "/x/A", "/d/A"), absl::OkStatus());
      const absl::Status status = Transfer(kind, files, "/y/a", "/d/a");
      EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
      EXPECT_EQ(At("/d/a"), "first");
      EXPECT_EQ(At("/y/a"), "second");
      files->DeleteFile("/d/a").IgnoreError();
    }
  }
}

TEST_F(OddStoreTest, KeepsItAlsoWhereItReplacedAnOlderFile) {
  tree_.deviations.folds_case = true;
  tree_.AddFile("/x/A", "first");
  tree_.AddFile("/y/a", "second");
  tree_.AddFile("/d/a", "older one");
  const FileSystemPtr files = tree_.Open();
  Step first = {StepKind::kMoveFile, {files, "/x/A"}, {files, "/d/A"}, 5, true};
  Step second = {
      StepKind::kMoveFile, {files, "/y/a"}, {files, "/d/a"}, 6, true};
  for (Step* step : {&first, &second}) {
    step->target_found = *files->Stat(step->target.uri);
  }
  EXPECT_EQ(Transfer(first), absl::OkStatus());
  const absl::Status status = Transfer(second);
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  EXPECT_EQ(At("/d/a"), "first");
  EXPECT_EQ(At("/y/a"), "second");
}

TEST_F(OddStoreTest, KeepsWhatAnotherThreadPutsThere) {
  tree_.deviations.folds_case = true;
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.new_writable_file =
      [](const TF_Filesystem* filesystem, const char* path,
         TF_WritableFile* file, TF_Status* status) {
        // Until the other one has looked, too.
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        MemoryTree::Tables().filesystem.new_writable_file(filesystem, path,
                                                          file, status);
      };
  const FileSystemPtr files = tree_.Open(tables);
  for (const auto& [upper, lower] :
       {std::pair("/A", "/a"), std::pair("/caf\u00c9.txt", "/Caf\u00e9.txt")}) {
    SCOPED_TRACE(lower);
    const std::string from = std::string("/x") + upper;
    const std::string other_from = std::string("/y") + lower;
    const std::string to = std::string("/d") + upper;
    const std::string other_to = std::string("/d") + lower;
    tree_.AddFile(from, "A");
    tree_.AddFile(other_from, "a");
    absl::Status other;
    std::thread thread(
        [&] { other = Transfer(StepKind::kMoveFile, files, from, to); });
    const absl::Status status =
        Transfer(StepKind::kMoveFile, files, other_from, other_to);
    thread.join();
    EXPECT_NE(status.ok(), other.ok()) << status << other;
    EXPECT_TRUE(absl::IsAlreadyExists(status.ok() ? other : status));
    EXPECT_EQ(At(to), status.ok() ? "a" : "A");
    EXPECT_EQ(At(status.ok() ? from : other_from), status.ok() ? "A" : "a");
  }
}

// It writes other bytes, as many as it was given.
TEST_F(OddStoreTest, ReplacesNothingByAWrongCopy) {
  SchemeTables tables = MemoryTree::Tables();
  tables.traits.is_untested = true;
  tables.writable_file.append = [](const TF_WritableFile* file, const char*,
                                   size_t n, TF_Status* status) {
    const std::string other(n, '#');
    MemoryTree::Tables().writable_file.append(file, other.data(), n, status);
  };
  const FileSystemPtr files = tree_.Open(tables);
  for (const StepKind kind :
       {StepKind::kCopyFile, StepKind::kRenameFile, StepKind::kMoveFile}) {
    const std::string target = "/d/" + std::to_string(static_cast<int>(kind));
    tree_.AddFile("/x", "contents");
    tree_.AddFile(target, "old");
    const absl::Status status = Transfer(kind, files, "/x", target, true);
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_EQ(At(target), "old");
    EXPECT_EQ(At("/x"), "contents");
  }
}

// Its error says that the rename was undone: it is not begun again.
TEST_F(OddStoreTest, CopiesNotAgainAfterARenameThatHasBegun) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (std::string(path) == "/x") {
      TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is open");
      return;
    }
    MemoryTree::Tables().filesystem.delete_file(filesystem, path, status);
  };
  tree_.AddFile("/x", "contents");
  tree_.AddFile("/d/x", "old");
  const absl::Status status =
      Transfer(StepKind::kRenameFile, tree_.Open(tables), "/x", "/d/x", true);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_EQ(At("/d/x"), "old");
  EXPECT_EQ(At("/x"), "contents");
}

}  // namespace
}  // namespace fsload
