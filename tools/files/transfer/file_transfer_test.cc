#include "tools/files/transfer/file_transfer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/calls/lost_file.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/output/progress.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/testing/local_location.h"
#include "tools/session/session.h"
#include "tools/session/unfinished_work.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(FileTransferTest, SaysOfAllThatItWritesThatItIsUnfinished) {
  UnfinishedWork::Share();
  MemoryTree tree;
  tree.AddFile("/new", "new");
  tree.AddFile("/d/file", "old");
  std::vector<std::string> most;
  tree.after_call = [&](Op, uint64_t) {
    const std::vector<std::string> left = UnfinishedWork::Left();
    if (left.size() > most.size()) most = left;
  };
  // Without rename_file, both the new and the old contents are put beside it.
  const FileSystemPtr file_system = tree.Open();
  VerbOutput output("cp", false);
  WrittenFiles placed;
  Progress progress(output, true, 3, 1);
  EXPECT_EQ(TransferFile({StepKind::kCopyFile,
                          {file_system, "/new"},
                          {file_system, "/d/file"},
                          3,
                          true},
                         true, placed, progress),
            absl::OkStatus());
  EXPECT_EQ(*tree.Contents("/d/file"), "new");
  EXPECT_THAT(most, ElementsAre(StartsWith("/d/."), StartsWith("/d/."),
                                StartsWith("/d/file may be")));
  EXPECT_THAT(
      most, ::testing::Each(EndsWith(" may be an incomplete copy of /d/file")));
  EXPECT_THAT(UnfinishedWork::Left(), IsEmpty());
}

// If the process is killed in any call, the user learns of what it leaves.
TEST(FileTransferTest, NamesEachTemporaryFileWhileItIsThere) {
  for (const StepKind kind : {StepKind::kCopyFile, StepKind::kRenameFile}) {
    UnfinishedWork::Share();
    MemoryTree tree;
    tree.AddFile("/src", "new contents");
    tree.AddFile("/d/file", "old");
    size_t most = 0;
    tree.after_call = [&](Op, uint64_t) {
      const std::vector<std::string> left = UnfinishedWork::Left();
      size_t temporary = 0;
      for (const auto& [path, contents] : tree.Snapshot()) {
        if (path.rfind("/d/.", 0) != 0) continue;
        ++temporary;
        EXPECT_THAT(left, Contains(StartsWith(path))) << contents;
      }
      most = std::max(most, temporary);
    };
    const FileSystemPtr file_system = tree.Open();
    VerbOutput output("mv", false);
    WrittenFiles placed;
    Progress progress(output, true, 12, 1);
    EXPECT_EQ(
        TransferFile(
            {kind, {file_system, "/src"}, {file_system, "/d/file"}, 12, true},
            true, placed, progress),
        absl::OkStatus());
    EXPECT_EQ(*tree.Contents("/d/file"), "new contents");
    EXPECT_GT(most, 0);
    EXPECT_THAT(UnfinishedWork::Left(), IsEmpty());
  }
}

// A plugin whose rename_file is `rename`.
FileSystemPtr Renaming(MemoryTree& tree,
                       void (*rename)(const TF_Filesystem*, const char*,
                                      const char*, TF_Status*)) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.rename_file = rename;
  return tree.Open(tables);
}

absl::Status Move(const FileSystemPtr& file_system) {
  VerbOutput output("mv", false);
  WrittenFiles placed;
  Progress progress(output, true, 8, 1);
  return TransferFile({StepKind::kRenameFile,
                       {file_system, "/src"},
                       {file_system, "/dst"},
                       8,
                       true},
                      true, placed, progress);
}

// Sets the status of an open file whose process has ended, perhaps as the call
// took too long.
void SetLost(TF_Code code, TF_Status* status) {
  TF_SetStatus(status, code, "the process has ended");
  TF_SetPayload(status, kFileLostPayload, "");
}

// How many appends come to a process that ends, and the code that they get.
int lost_appends = 0;
TF_Code lost_code = TF_UNAVAILABLE;

// Copies /src to /dst through a plugin that lacks rename_file.
absl::Status CopyWithLosses(MemoryTree& tree, size_t retries,
                            bool can_delete = true) {
  SchemeTables tables = MemoryTree::Tables();
  tables.writable_file.append = [](const TF_WritableFile* file,
                                   const char* buffer, size_t n,
                                   TF_Status* status) {
    if (lost_appends == 0) {
      return MemoryTree::Tables().writable_file.append(file, buffer, n, status);
    }
    --lost_appends;
    SetLost(lost_code, status);
  };
  if (!can_delete) {
    tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                       TF_Status* status) {
      TF_SetStatus(status, TF_UNAVAILABLE, "no process could be started");
    };
  }
  const FileSystemPtr file_system = tree.Open(tables);
  VerbOutput output("cp", false);
  WrittenFiles placed;
  Progress progress(output, true, 8, 1);
  return TransferFile(
      {StepKind::kCopyFile, {file_system, "/src"}, {file_system, "/dst"}}, true,
      placed, progress, retries);
}

TEST(FileTransferTest, CopiesAgainIfAFileWasLost) {
  for (const size_t retries : {0, 1, 2, 5}) {
    MemoryTree tree;
    tree.AddFile("/src", "contents");
    lost_appends = 2;
    const absl::Status copied = CopyWithLosses(tree, retries);
    EXPECT_EQ(*tree.Contents("/src"), "contents");
    if (retries >= 2) {
      EXPECT_EQ(copied, absl::OkStatus());
      EXPECT_EQ(*tree.Contents("/dst"), "contents");
    } else {
      EXPECT_TRUE(absl::IsUnavailable(copied)) << copied;
      EXPECT_EQ(std::string(copied.message()).find("it was copied 2 times") !=
                    std::string::npos,
                retries == 1)
          << copied;
      EXPECT_EQ(tree.Contents("/dst"), nullptr);
      EXPECT_EQ(lost_appends, 1 - static_cast<int>(retries));
    }
    lost_appends = 0;
  }
}

TEST(FileTransferTest, CopiesAgainIfACallOnAFileTookTooLong) {
  lost_code = TF_DEADLINE_EXCEEDED;
  for (const size_t retries : {0, 1}) {
    MemoryTree tree;
    tree.AddFile("/src", "contents");
    lost_appends = 1;
    EXPECT_EQ(CopyWithLosses(tree, retries).code(),
              retries == 1 ? absl::StatusCode::kOk
                           : absl::StatusCode::kDeadlineExceeded);
    EXPECT_EQ(tree.Contents("/dst") != nullptr, retries == 1);
  }
  lost_code = TF_UNAVAILABLE;
}

TEST(FileTransferTest, CopiesNotAgainIfSomethingIsLeft) {
  MemoryTree tree;
  tree.AddFile("/src", "contents");
  lost_appends = 1;
  const absl::Status copied =
      CopyWithLosses(tree, /*retries=*/5, /*can_delete=*/false);
  EXPECT_TRUE(absl::IsUnavailable(copied)) << copied;
  EXPECT_NE(std::string(copied.message()).find("could not delete"),
            std::string::npos)
      << copied;
}

TEST(FileTransferTest, ARenameThatLosesTheFileIsAnError) {
  MemoryTree tree;
  tree.AddFile("/src", "contents");
  const auto files =
      Renaming(tree, [](const TF_Filesystem* filesystem, const char* src,
                        const char*, TF_Status* status) {
        MemoryTree::Tables().filesystem.delete_file(filesystem, src, status);
      });
  const absl::Status moved = Move(files);
  EXPECT_TRUE(absl::IsDataLoss(moved)) << moved;
  EXPECT_THAT(std::string(moved.message()), EndsWith("but nothing is there"));
}

TEST(FileTransferTest, ARenameThatDoesNothingIsAnError) {
  MemoryTree tree;
  tree.AddFile("/src", "contents");
  tree.AddFile("/dst", "Contents");
  const auto files = Renaming(
      tree, [](const TF_Filesystem*, const char*, const char*, TF_Status*) {});
  EXPECT_TRUE(absl::IsDataLoss(Move(files)));
  EXPECT_EQ(*tree.Contents("/src"), "contents");
}

// Nothing tells the old target from the source: nor would it afterwards.
TEST(FileTransferTest, ARenameThatOnlyDeletesIsNotUsedOverAFileThatLooksAlike) {
  for (const bool has_times : {false, true}) {
    MemoryTree tree;
    tree.AddFile("/src", "contents");
    tree.AddFile("/dst", "Contents");
    // The time of the question.
    if (has_times) {
      tree.correct_stat = [](const std::string& path,
                             TF_FileStatistics& found) {
        static int64_t now = 0;
        if (path == "/dst") found.mtime_nsec = ++now;
      };
    }
    const auto files =
        Renaming(tree, [](const TF_Filesystem* filesystem, const char* src,
                          const char*, TF_Status* status) {
          MemoryTree::Tables().filesystem.delete_file(filesystem, src, status);
        });
    EXPECT_TRUE(absl::IsDataLoss(Move(files)));
    EXPECT_EQ(*tree.Contents("/src"), "contents");
    EXPECT_EQ(*tree.Contents("/dst"), "Contents");
  }
}

TEST(FileTransferTest, ARenameThatCopiesIsAnErrorThatNamesTheSource) {
  MemoryTree tree;
  tree.AddFile("/src", "contents");
  static MemoryTree* renamed = nullptr;
  renamed = &tree;
  const auto files = Renaming(
      tree, [](const TF_Filesystem*, const char* src, const char* dst,
               TF_Status*) { renamed->AddFile(dst, *renamed->Contents(src)); });
  EXPECT_EQ(Move(files), absl::DataLossError(
                             "/src: the plugin reported that it renamed it to "
                             "/dst, but it is still there; nothing was "
                             "deleted"));
  EXPECT_EQ(*tree.Contents("/src"), "contents");
}

absl::Status MoveAcross(const FileSystemPtr& from, const FileSystemPtr& to) {
  VerbOutput output("mv", false);
  WrittenFiles placed;
  Progress progress(output, true, 8, 1);
  return TransferFile(
      {StepKind::kMoveFile, {from, "/d/file"}, {to, "/d/FILE"}, 8, true}, true,
      placed, progress);
}

// Two plugins lead to one disk that takes `file` for `FILE`, and neither knows
// times.
TEST(FileTransferTest, AMoveOntoItselfLosesNothing) {
  for (const bool renames : {false, true}) {
    MemoryTree tree;
    tree.deviations.folds_case = true;
    tree.AddFile("/d/file", "contents");
    const SchemeTables tables = MemoryTree::Tables(
        renames ? std::vector<Op>{Op::kFilesystem_rename_file}
                : std::vector<Op>{});
    EXPECT_EQ(MoveAcross(tree.Open(tables), tree.Open(tables)),
              absl::OkStatus());
    EXPECT_EQ(*tree.Contents("/d/FILE"), "contents");
    EXPECT_EQ(tree.Snapshot().size(), 3);
  }
}

TEST(FileTransferTest, AMoveWhoseSourceStaysIsAnError) {
  MemoryTree tree;
  MemoryTree other;
  tree.AddFile("/d/file", "contents");
  other.AddDirectory("/d");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                     TF_Status*) {};
  EXPECT_EQ(MoveAcross(tree.Open(tables), other.Open()),
            absl::DataLossError(
                "/d/file: the plugin reported that it was deleted, but it is "
                "still there; it was copied to /d/FILE but not deleted"));
}

TEST(FileTransferTest, ARenameOverAFileThatLooksAlikeIsDone) {
  MemoryTree tree;
  tree.AddFile("/src", "contents");
  tree.AddFile("/dst", "Contents");
  EXPECT_EQ(Move(tree.Open(MemoryTree::Tables({Op::kFilesystem_rename_file}))),
            absl::OkStatus());
  EXPECT_EQ(*tree.Contents("/dst"), "contents");
}

// A link to its folder leads elsewhere since the plan, or since the copy.
TEST(LocalFileTransferTest, DeletesOnlyTheFileThatItCopied) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  ASSERT_EQ(LoadNamed("", options).status, absl::OkStatus());
  const std::filesystem::path folder = testing::TempDir() + "/led_elsewhere";
  for (const char* name : {"r1", "r2"}) {
    std::filesystem::create_directories(folder / name);
    std::ofstream(folder / name / "f") << name;
  }
  const auto lead_to = [&folder](const char* name) {
    std::filesystem::remove(folder / "cur");
    std::filesystem::create_symlink(name, folder / "cur");
  };
  for (const bool is_copied : {false, true}) {
    lead_to("r1");
    Location source = LocationAt(folder / "cur/f");
    source.file_system = *registry.Find("");
    MemoryTree store;
    store.after_call = [&](Op op, uint64_t) {
      if (op == Op::kWritableFile_close) lead_to("r2");
    };
    if (!is_copied) lead_to("r2");
    VerbOutput output("mv", false);
    WrittenFiles placed;
    Progress progress(output, true, 2, 1);
    const absl::Status status =
        TransferFile({StepKind::kMoveFile, source, {store.Open(), "/f"}}, true,
                     placed, progress);
    EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
    const std::string text(status.message());
    EXPECT_THAT(text, testing::HasSubstr("the path leads to another file"));
    EXPECT_EQ(text.find("it was copied to") != std::string::npos, is_copied)
        << text;
    EXPECT_EQ(store.Exists("/f"), is_copied);
    EXPECT_TRUE(std::filesystem::exists(folder / "r1/f"));
    EXPECT_TRUE(std::filesystem::exists(folder / "r2/f"));
  }
}

// On a disk that treats two names as one, it came from another source.
TEST(LocalFileTransferTest, LeavesWhatCameToTheTargetAfterThePlan) {
  const std::string folder = testing::TempDir() + "/came_after_the_plan";
  std::filesystem::create_directories(folder);
  const auto write = [&folder](const std::string& name) {
    std::ofstream(folder + "/" + name) << name;
  };
  const auto read = [&folder](const std::string& name) {
    std::string text;
    std::ifstream(folder + "/" + name) >> text;
    return text;
  };
  int error = 0;
  const auto tree = LocalTree::Open(folder, Links::kRefused, error);
  ASSERT_EQ(error, 0);
  const auto location = [&tree](const std::string& name) {
    Location found = {nullptr, name};
    found.tree = tree;
    found.path = name;
    return found;
  };
  for (const StepKind kind : {StepKind::kCopyFile, StepKind::kRenameFile}) {
    write("source");
    write("target");
    VerbOutput output("mv", false);
    WrittenFiles placed;
    Progress progress(output, true, 6, 1);
    EXPECT_TRUE(absl::IsAlreadyExists(
        TransferFile({kind, location("source"), location("target")}, true,
                     placed, progress)));
    EXPECT_EQ(read("source"), "source");
    EXPECT_EQ(read("target"), "target");
  }
}

}  // namespace
}  // namespace fsload
