#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/plugin_file_system.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Pair;

constexpr size_t kMebibyte = size_t{1} << 20;

// `bytes` bytes in which all pages differ.
std::string Contents(size_t bytes) {
  std::string contents(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) {
    contents[i] = static_cast<char>(i % 253 + i / 4096);
  }
  return contents;
}

class CopyAndRenameTest : public ::testing::Test {
 protected:
  std::string At(std::string_view path) const {
    const auto contents = tree_.Contents(path);
    return contents == nullptr ? "(nothing)" : *contents;
  }

  // Acts as another process.
  void MoveToTarget() {
    tree_.after_call = nullptr;
    tree_.AddFile("/dst", At("/src"));
    const TF_Filesystem filesystem = {&tree_};
    MemoryTree::Tables().filesystem.delete_file(&filesystem, "/src",
                                                tree_status_.get());
  }

  MemoryTree tree_;
  const std::unique_ptr<TF_Status, decltype(&TF_DeleteStatus)> tree_status_{
      TF_NewStatus(), &TF_DeleteStatus};
  const FileSystemPtr files_ = tree_.Open();
  const FileSystemPtr renaming_ =
      tree_.Open(MemoryTree::Tables({Op::kFilesystem_rename_file}));
  const FileSystemPtr copying_ =
      tree_.Open(MemoryTree::Tables({Op::kFilesystem_copy_file}));
};

class FileSizeTest : public CopyAndRenameTest,
                     public ::testing::WithParamInterface<size_t> {};

TEST_P(FileSizeTest, IsCopiedWholeToANewName) {
  tree_.AddFile("/src", Contents(GetParam()));
  EXPECT_EQ(files_->CopyFile("/src", "/dst"), absl::OkStatus());
  EXPECT_TRUE(At("/dst") == Contents(GetParam()));
  EXPECT_TRUE(At("/src") == Contents(GetParam()));
}

TEST_P(FileSizeTest, IsRenamedWholeOntoAnExistingFile) {
  tree_.AddFile("/src", Contents(GetParam()));
  tree_.AddFile("/dst", "old");
  EXPECT_EQ(files_->RenameFile("/src", "/dst"), absl::OkStatus());
  EXPECT_TRUE(At("/dst") == Contents(GetParam()));
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(2));
}

// TF_OK with fewer bytes than requested is a deviation, not the end.
TEST_P(FileSizeTest, IsCopiedWholeThroughShortReads) {
  tree_.AddFile("/src", Contents(GetParam()));
  tree_.deviations.max_bytes_per_read = 60'001;
  EXPECT_EQ(files_->CopyFile("/src", "/dst"), absl::OkStatus());
  EXPECT_TRUE(At("/dst") == Contents(GetParam()));
}

TEST_P(FileSizeTest, IsCopiedToAnotherFileSystem) {
  MemoryTree other;
  const auto target = other.Open();
  tree_.AddFile("/src", Contents(GetParam()));
  other.AddFile("/d/dst", "old");
  EXPECT_EQ(files_->CopyFileTo("tree://host/src", *target, "/d/dst"),
            absl::OkStatus());
  ASSERT_NE(other.Contents("/d/dst"), nullptr);
  EXPECT_TRUE(*other.Contents("/d/dst") == Contents(GetParam()));
  EXPECT_THAT(other.Snapshot(), ::testing::SizeIs(3));
}

INSTANTIATE_TEST_SUITE_P(Bytes, FileSizeTest,
                         ::testing::Values(0, 1, 4095, 4096, 4097,
                                           kMebibyte - 1, kMebibyte,
                                           kMebibyte + 1, 3 * kMebibyte));

// A source that changes while it is copied.
class ChangingSourceTest : public CopyAndRenameTest,
                           public ::testing::WithParamInterface<size_t> {
 protected:
  void SetUp() override {
    tree_.AddFile("/src", Contents(2 * kMebibyte + 5));
    tree_.AddFile("/dst", "old");
    tree_.after_call = [this](Op op, uint64_t) {
      if (op != Op::kRandomAccessFile_read || changed_) return;
      changed_ = true;
      tree_.Contents("/src")->resize(GetParam());
    };
  }

  bool changed_ = false;
};

TEST_P(ChangingSourceTest, IsNotCopiedToANewName) {
  const absl::Status status = files_->CopyFile("/src", "/new");
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(
      std::string(status.message()),
      MatchesRegex("/src: the file changed while it was copied, from 2097157 "
                   "to [0-9]+ bytes; [0-9]+ were read \\(copy_file\\)"));
  EXPECT_FALSE(tree_.Exists("/new"));
}

TEST_P(ChangingSourceTest, IsNotCopiedOntoAnExistingFile) {
  EXPECT_TRUE(absl::IsAborted(files_->CopyFile("/src", "/dst")));
  EXPECT_EQ(At("/dst"), "old");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

TEST_P(ChangingSourceTest, IsNotCopiedAndRenamedOntoAnExistingFile) {
  EXPECT_TRUE(absl::IsAborted(renaming_->CopyFile("/src", "/dst")));
  EXPECT_EQ(At("/dst"), "old");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

TEST_P(ChangingSourceTest, IsNotRenamed) {
  EXPECT_TRUE(absl::IsAborted(files_->RenameFile("/src", "/new")));
  EXPECT_EQ(At("/src").size(), GetParam());
  EXPECT_FALSE(tree_.Exists("/new"));
}

INSTANTIATE_TEST_SUITE_P(BytesThen, ChangingSourceTest,
                         ::testing::Values(0, 5, kMebibyte - 1, kMebibyte,
                                           kMebibyte + 1, 2 * kMebibyte,
                                           2 * kMebibyte + 4, 2 * kMebibyte + 6,
                                           5 * kMebibyte));

// What is written to the source at any moment is in the target, or the rename
// fails: up to the last check of the source, after which nothing can be
// detected.
TEST_F(CopyAndRenameTest, LosesNothingThatIsWrittenToTheSourceMeanwhile) {
  int cases = 0;
  for (const auto& files : {files_, copying_}) {
    for (uint64_t call = 1;; ++call) {
      tree_.Clear();
      tree_.keeps_records = true;
      tree_.AddFile("/src", "new");
      tree_.AddFile("/dst", "old");
      tree_.after_call = [&](Op, uint64_t number) {
        const auto source = tree_.Contents("/src");
        if (number == call && source != nullptr) *source += "more";
      };
      const absl::Status status = files->RenameFile("/src", "/dst");
      if (tree_.calls() < call) break;
      ++cases;
      uint64_t last_look = 0;
      const std::vector<CallRecord>& records = tree_.records();
      for (size_t i = 0; i < records.size(); ++i) {
        if (records[i].path != "/src") continue;
        if (records[i].op == Op::kFilesystem_delete_file) break;
        if (records[i].op == Op::kFilesystem_stat) last_look = i + 1;
      }
      SCOPED_TRACE(::testing::Message() << "call " << call << ": " << status);
      if (status.ok()) {
        EXPECT_TRUE(At("/dst") == "newmore" || call >= last_look);
      } else {
        EXPECT_EQ(At("/src"), "newmore");
        EXPECT_EQ(At("/dst"), "old");
      }
    }
  }
  std::printf("%d cases\n", cases);
  EXPECT_GT(cases, 30);
}

// Somebody else moves the same file to the same name and finishes after any one
// of our calls: what we wrote there may be all that is left of it.
TEST_F(CopyAndRenameTest, LosesNothingThatAnotherMovesMeanwhile) {
  SchemeTables store = MemoryTree::Tables();
  store.traits.replaces_atomically = true;
  int cases = 0;
  for (const auto& files : {files_, copying_, tree_.Open(store)}) {
    for (const char* const old : {"", "old", "another length"}) {
      for (uint64_t call = 1;; ++call) {
        tree_.Clear();
        tree_.deviations.commits_on_close =
            TablesOf(*files).traits.replaces_atomically;
        tree_.AddFile("/src", "new");
        if (*old != '\0') tree_.AddFile("/dst", old);
        tree_.after_call = [&](Op, uint64_t number) {
          if (number == call && tree_.Exists("/src")) MoveToTarget();
        };
        EXPECT_EQ(files->FlushCaches(), absl::OkStatus());
        const absl::Status status = files->RenameFile("/src", "/dst");
        if (tree_.calls() < call) break;
        ++cases;
        const std::string message(status.message());
        bool is_found = false;
        for (const auto& [path, what] : tree_.Snapshot()) {
          is_found |= what == "file: new" &&
                      (path == "/dst" || message.find(path) != message.npos);
        }
        EXPECT_TRUE(is_found) << "call " << call << ": " << status;
      }
    }
  }
  std::printf("%d cases\n", cases);
  EXPECT_GT(cases, 90);
}

// /proc reports size 0 for files that have contents.
TEST_F(CopyAndRenameTest, CopiesAFileThatHoldsMoreThanItsSizeSays) {
  tree_.AddFile("/proc/file", Contents(5000));
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/proc/file") found.length = 0;
  };
  EXPECT_EQ(files_->CopyFile("/proc/file", "/dst"), absl::OkStatus());
  EXPECT_TRUE(At("/dst") == Contents(5000));
}

TEST_F(CopyAndRenameTest, DoesNotBelieveACopyOfAnotherLength) {
  tree_.AddFile("/src", Contents(5000));
  tree_.AddFile("/dst", "old");
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path.rfind("/.fsload-", 0) == 0) found.length -= 1;
  };
  for (const auto& files : {files_, renaming_}) {
    const absl::Status status = files->CopyFile("/src", "/dst");
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()),
                MatchesRegex("/.fsload-[0-9a-f]+: wanted 5000 bytes, found "
                             "4999; the copy is incomplete \\(copy_file\\)"));
    EXPECT_EQ(At("/dst"), "old");
    EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
  }
}

TEST_F(CopyAndRenameTest, SaysThatACopyToANewNameIsNotWhole) {
  tree_.AddFile("/src", Contents(5000));
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/dst") found.length = 4096;
  };
  EXPECT_EQ(files_->CopyFile("/src", "/dst"),
            absl::DataLossError("/dst: wanted 5000 bytes, found 4096; the copy "
                                "is incomplete (copy_file)"));
  EXPECT_FALSE(tree_.Exists("/dst"));
}

TEST_F(CopyAndRenameTest, ChecksTheCopyThatThePluginMadeForARename) {
  tree_.AddFile("/src", Contents(5000));
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/dst") found.length = 4096;
  };
  EXPECT_EQ(copying_->RenameFile("/src", "/dst"),
            absl::DataLossError("/dst: wanted 5000 bytes, found 4096; the copy "
                                "is incomplete (copy_file)"));
  EXPECT_TRUE(At("/src") == Contents(5000));
}

// However much fits, the target is as before.
class FullStoreTest : public CopyAndRenameTest,
                      public ::testing::WithParamInterface<size_t> {
 protected:
  void SetUp() override {
    tree_.AddFile("/src", Contents(2 * kMebibyte));
    tree_.AddFile("/dst", "old");
    tree_.deviations.capacity = GetParam();
  }
};

TEST_P(FullStoreTest, LeavesNothingOfANewFile) {
  EXPECT_EQ(files_->CopyFile("/src", "/new"),
            absl::ResourceExhaustedError("/new: it is full (append)"));
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

TEST_P(FullStoreTest, LeavesAnExistingFileAsItWas) {
  for (const auto& files : {files_, renaming_}) {
    const absl::Status status = files->CopyFile("/src", "/dst");
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(status.message()),
                MatchesRegex("/.fsload-[0-9a-f]+: it is full \\(append\\)"));
    EXPECT_EQ(At("/dst"), "old");
    EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
  }
}

TEST_P(FullStoreTest, LeavesTheSourceOfARename) {
  EXPECT_EQ(files_->RenameFile("/src", "/new"),
            absl::ResourceExhaustedError("/new: it is full (append)"));
  EXPECT_TRUE(At("/src") == Contents(2 * kMebibyte));
}

INSTANTIATE_TEST_SUITE_P(Bytes, FullStoreTest,
                         ::testing::Values(0, 1, kMebibyte, kMebibyte + 1,
                                           2 * kMebibyte - 1));

// The copy fits, but what the target held does not.
TEST_F(CopyAndRenameTest, LeavesTheTargetWhereItsOldContentsDoNotFitAgain) {
  tree_.AddFile("/src", Contents(1000));
  tree_.AddFile("/dst", "old contents");
  tree_.deviations.capacity = 1005;
  EXPECT_TRUE(absl::IsResourceExhausted(files_->CopyFile("/src", "/dst")));
  EXPECT_EQ(At("/dst"), "old contents");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

// Only the last of three copies fails, and so does restoring the old contents.
TEST_F(CopyAndRenameTest, SaysWhereAllIsWhenTheTargetCannotBeRestored) {
  tree_.AddFile("/d/src", Contents(1000));
  tree_.AddFile("/d/dst", "old contents");
  tree_.deviations.capacity = 1500;
  const absl::Status status = files_->RenameFile("/d/src", "/d/dst");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  const std::string name = "/d/.fsload-[0-9a-f]+";
  EXPECT_THAT(std::string(status.message()),
              MatchesRegex("/d/dst: it is full \\(append\\); /d/dst is damaged "
                           "\\(/d/dst: it is full \\(append\\)\\): its old "
                           "contents are in " +
                           name + ", the new ones in " + name));
  int copies = 0;
  for (const auto& [path, what] : tree_.Snapshot()) {
    const bool named =
        std::string(status.message()).find(path) != std::string::npos;
    copies += named && (what == "file: old contents" ||
                        what == "file: " + Contents(1000));
  }
  EXPECT_EQ(copies, 2);
  EXPECT_TRUE(At("/d/src") == Contents(1000));
}

TEST_F(CopyAndRenameTest, FailsWhereClosingTheCopyFails) {
  tree_.AddFile("/src", "new");
  tree_.deviations.commits_on_close = true;
  // stat, stat, get_children, stat, open, open, read, append, stat, close
  tree_.fault = {10, Fault::When::kBefore, TF_UNIMPLEMENTED};
  EXPECT_EQ(files_->CopyFile("/src", "/dst"),
            absl::UnimplementedError("/dst: injected (close)"));
  EXPECT_EQ(tree_.calls(Op::kWritableFile_close), 1);
  EXPECT_FALSE(tree_.Exists("/dst"));
}

TEST_F(CopyAndRenameTest, NeedsNoClose) {
  SchemeTables tables = MemoryTree::Tables();
  tables.writable_file.close = nullptr;
  tree_.AddFile("/src", "new");
  EXPECT_EQ(tree_.Open(tables)->CopyFile("/src", "/dst"), absl::OkStatus());
  EXPECT_EQ(At("/dst"), "new");
}

TEST_F(CopyAndRenameTest, RefusesToCopyADirectory) {
  tree_.AddDirectory("/d");
  EXPECT_EQ(files_->CopyFile("/d", "/dst"),
            absl::FailedPreconditionError(
                "/d: is a directory, not a file (copy_file)"));
  EXPECT_FALSE(tree_.Exists("/dst"));
}

TEST_F(CopyAndRenameTest, RefusesToRenameADirectory) {
  tree_.AddDirectory("/d");
  EXPECT_EQ(files_->RenameFile("/d", "/dst"),
            absl::FailedPreconditionError(
                "/d: is a directory, not a file (rename_file)"));
}

TEST_F(CopyAndRenameTest, RefusesToRenameOntoADirectory) {
  tree_.AddFile("/src", "new");
  tree_.AddDirectory("/d");
  EXPECT_EQ(files_->RenameFile("/src", "/d"),
            absl::FailedPreconditionError(
                "/d: is a directory, not a file (rename_file)"));
  EXPECT_EQ(At("/src"), "new");
}

// L527
TEST_F(CopyAndRenameTest, CopiesIntoADirectoryUnderTheSourcesName) {
  tree_.AddFile("/a/src", "new");
  tree_.AddDirectory("/d");
  EXPECT_EQ(files_->CopyFile("/a/src", "/d/"), absl::OkStatus());
  EXPECT_EQ(At("/d/src"), "new");
}

TEST_F(CopyAndRenameTest, ReplacesTheFileOfItsNameInADirectory) {
  tree_.AddFile("/a/src", "new");
  tree_.AddFile("/d/src", "old");
  EXPECT_EQ(files_->CopyFile("/a/src", "/d"), absl::OkStatus());
  EXPECT_EQ(At("/d/src"), "new");
}

TEST_F(CopyAndRenameTest, RefusesADirectoryOfTheSourcesNameInADirectory) {
  tree_.AddFile("/a/src", "new");
  tree_.AddDirectory("/d/src");
  EXPECT_EQ(files_->CopyFile("/a/src", "/d"),
            absl::FailedPreconditionError(
                "/d/src: is a directory, not a file (copy_file)"));
}

TEST_F(CopyAndRenameTest, LeavesAFileThatIsCopiedIntoItsOwnDirectory) {
  tree_.AddFile("/d/src", "new");
  EXPECT_EQ(files_->CopyFile("/d/src", "/d"), absl::OkStatus());
  EXPECT_EQ(At("/d/src"), "new");
  EXPECT_EQ(tree_.calls(Op::kFilesystem_new_writable_file), 0);
}

TEST_F(CopyAndRenameTest, SaysThatTheSourceIsMissing) {
  tree_.AddFile("/dst", "old");
  EXPECT_EQ(files_->CopyFile("/none", "/dst"),
            absl::NotFoundError("/none: there is nothing (stat)"));
  EXPECT_EQ(files_->RenameFile("/none", "/dst"),
            absl::NotFoundError("/none: there is nothing (stat)"));
  EXPECT_EQ(At("/dst"), "old");
}

TEST_F(CopyAndRenameTest, SaysThatTheTargetsDirectoryIsMissing) {
  tree_.AddFile("/src", "new");
  EXPECT_EQ(
      files_->CopyFile("/src", "/none/dst"),
      absl::NotFoundError("/none/dst: there is nothing (new_writable_file)"));
  EXPECT_EQ(
      files_->RenameFile("/src", "/none/dst"),
      absl::NotFoundError("/none/dst: there is nothing (new_writable_file)"));
  EXPECT_EQ(At("/src"), "new");
}

TEST_F(CopyAndRenameTest, CallsNothingToRenameAFileToItself) {
  tree_.AddFile("/d/src", "new");
  EXPECT_EQ(files_->RenameFile("tree://host/d/src", "/d/./x/..//src"),
            absl::OkStatus());
  EXPECT_EQ(tree_.calls(), 0);
}

TEST_F(CopyAndRenameTest, RenamesByThePluginsCopyFileWhereItHasOne) {
  tree_.AddFile("/src", "new");
  EXPECT_EQ(copying_->RenameFile("/src", "/dst"), absl::OkStatus());
  EXPECT_EQ(tree_.calls(Op::kFilesystem_copy_file), 1);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_new_writable_file), 0);
  EXPECT_THAT(tree_.Snapshot(),
              ElementsAre(Pair("/", "directory"), Pair("/dst", "file: new")));
}

TEST_F(CopyAndRenameTest, NamesTheOperationsThatAreMissing) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.stat = nullptr;
  tables.writable_file.append = nullptr;
  EXPECT_EQ(tree_.Open(tables)->RenameFile("/src", "/dst"),
            absl::UnimplementedError(
                "/src: the plugin lacks rename_file, and the default needs "
                "append and stat, missing too (rename_file)"));
}

TEST_F(CopyAndRenameTest, NamesWhatTheTargetOfACopyBetweenTwoLacks) {
  MemoryTree other;
  SchemeTables tables = MemoryTree::Tables();
  tables.writable_file.append = nullptr;
  tree_.AddFile("/src", "new");
  const auto target = other.Open(tables);
  EXPECT_EQ(files_->CopyFileTo("/src", *target, "/dst"),
            absl::UnimplementedError("/dst: the plugin has no append, and "
                                     "there is no default for it (append)"));
  EXPECT_FALSE(other.Exists("/dst"));
}

TEST_F(CopyAndRenameTest, KeepsTheFileThatASecondFileSystemReachesToo) {
  tree_.AddFile("/d/src", "new");
  tree_.AddLink("/link", "/d/src");
  EXPECT_EQ(files_->CopyFileTo("/d/src", *copying_, "/link"), absl::OkStatus());
  EXPECT_EQ(files_->CopyFileTo("/d/src", *copying_, "/d/src"),
            absl::OkStatus());
  EXPECT_EQ(At("/d/src"), "new");
  EXPECT_EQ(At("/link"), "new");
}

TEST_F(CopyAndRenameTest, SaysWhatIsLeftOverWhenItCannotBeDeleted) {
  tree_.AddFile("/src", Contents(10));
  tree_.deviations.capacity = 5;
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                     TF_Status* status) {
    TF_SetStatus(status, TF_PERMISSION_DENIED, "not yours");
  };
  EXPECT_EQ(tree_.Open(tables)->CopyFile("/src", "/dst"),
            absl::ResourceExhaustedError(
                "/dst: it is full (append); could not delete "
                "/dst (/dst: not yours (delete_file))"));
  EXPECT_TRUE(tree_.Exists("/dst"));
}

TEST_F(CopyAndRenameTest, KeepsTheSourceThatCannotBeDeletedAndNoCopy) {
  tree_.AddFile("/src", "new");
  tree_.AddFile("/dst", "old");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (std::string_view(path) == "/src") {
      TF_SetStatus(status, TF_PERMISSION_DENIED, "not yours");
    } else {
      MemoryTree::Tables().filesystem.delete_file(filesystem, path, status);
    }
  };
  const auto before = tree_.Snapshot();
  for (const char* target : {"/dst", "/new"}) {
    EXPECT_EQ(tree_.Open(tables)->RenameFile("/src", target),
              absl::PermissionDeniedError("/src: not yours (delete_file)"));
    EXPECT_EQ(tree_.Snapshot(), before);
  }
}

// The client gives up, and the server deletes the source later: with the next
// deletion, or when all is done.
TEST_F(CopyAndRenameTest, LosesNoFileWhoseDeletionTakesEffectLater) {
  static TF_Code code;
  static std::string late;
  static const auto carry_out = [](const TF_Filesystem* filesystem) {
    const std::string path = std::exchange(late, "");
    if (path.empty()) return;
    TF_Status* const ignored = TF_NewStatus();
    MemoryTree::Tables().filesystem.delete_file(filesystem, path.c_str(),
                                                ignored);
    TF_DeleteStatus(ignored);
  };
  for (const std::vector<Op>& optional :
       {std::vector<Op>(), std::vector<Op>{Op::kFilesystem_copy_file}}) {
    for (const bool is_store : {false, true}) {
      SchemeTables tables = MemoryTree::Tables(optional);
      tables.traits.replaces_atomically = is_store;
      tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                         const char* path, TF_Status* status) {
        carry_out(filesystem);
        if (std::string_view(path) != "/src") {
          return MemoryTree::Tables().filesystem.delete_file(filesystem, path,
                                                             status);
        }
        late = path;
        TF_SetStatus(status, code, "no answer");
      };
      for (const TF_Code each :
           {TF_CANCELLED, TF_UNKNOWN, TF_DEADLINE_EXCEEDED, TF_NOT_FOUND,
            TF_RESOURCE_EXHAUSTED, TF_ABORTED, TF_INTERNAL, TF_UNAVAILABLE}) {
        for (const char* const target : {"/new", "/dst"}) {
          code = each;
          tree_.Clear();
          tree_.deviations.commits_on_close = is_store;
          tree_.AddFile("/src", "new");
          tree_.AddFile("/dst", "old");
          const absl::Status status =
              tree_.Open(tables)->RenameFile("/src", target);
          const TF_Filesystem filesystem = {&tree_};
          carry_out(&filesystem);
          EXPECT_FALSE(status.ok());
          EXPECT_EQ(At(target), "new") << code << ": " << status;
          EXPECT_THAT(std::string(status.message()), HasSubstr(target));
        }
      }
    }
  }
}

}  // namespace
}  // namespace fsload
