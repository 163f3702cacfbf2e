#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/copies/mtime_granularity.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

// Plugins whose operations report success without doing their work.
class HostileCopyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    original_ = MemoryTree::Tables({Op::kFilesystem_rename_file});
    tree_.AddFile("/src", "new contents");
  }

  // A file system whose rename_file is `rename`.
  FileSystemPtr Renaming(void (*rename)(const TF_Filesystem*, const char*,
                                        const char*, TF_Status*)) {
    SchemeTables tables = original_;
    tables.filesystem.rename_file = rename;
    return tree_.Open(tables);
  }

  // A store that publishes files when they are closed.
  FileSystemPtr Store(void (*close)(const TF_WritableFile*,
                                    TF_Status*) = nullptr) {
    tree_.deviations.commits_on_close = true;
    SchemeTables tables = original_;
    tables.traits.replaces_atomically = true;
    if (close != nullptr) tables.writable_file.close = close;
    return tree_.Open(tables);
  }

  std::string At(std::string_view path) const {
    const auto contents = tree_.Contents(path);
    return contents == nullptr ? "(nothing)" : *contents;
  }

  static SchemeTables original_;
  MemoryTree tree_;
};

SchemeTables HostileCopyTest::original_;

// The result of a copy is not NOT_FOUND, which is that of a missing source.
TEST_F(HostileCopyTest, SuccessAfterWhichNothingIsThereIsDataLoss) {
  const auto rename = [](const TF_Filesystem* filesystem, const char* src,
                         const char*, TF_Status* status) {
    original_.filesystem.delete_file(filesystem, src, status);
  };
  const auto copy = [](const TF_Filesystem*, const char*, const char*,
                       TF_Status*) {};
  const auto close = [](const TF_WritableFile*, TF_Status*) {};
  tree_.deviations.commits_on_close = true;
  for (const std::string contents : {"", "new contents"}) {
    for (int kind = 0; kind < 5; ++kind) {
      SchemeTables tables = MemoryTree::Tables();
      if (kind == 0) tables.filesystem.rename_file = rename;
      if (kind == 1) tables.filesystem.copy_file = copy;
      if (kind >= 2) tables.writable_file.close = close;
      tables.traits.replaces_atomically = kind >= 3;
      tables.traits.reading_tells = kind == 4;
      tree_.AddFile("/src", contents);
      const auto files = tree_.Open(tables);
      const auto check = [&](const absl::Status& status) {
        EXPECT_EQ(status,
                  absl::DataLossError("/dst: the plugin reported success, but "
                                      "nothing is there (copy_file)"))
            << kind << ", " << contents.size() << " bytes";
        EXPECT_EQ(At("/src"), contents);
      };
      check(files->CopyFileAs("/src", *files, "/dst"));
      if (kind > 0) check(files->RenameFile("/src", "/dst"));
      if (kind < 2) continue;
      check(files->CopyFileTo("/src", *tree_.Open(tables), "/dst"));
      check(files->CopyFile("/src", "/dst"));
    }
  }
}

// The plugin's answer that nothing is there is not believed either.
TEST_F(HostileCopyTest, ACopyThatStatDoesNotFindMayBeThere) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    if (std::string(path) == "/src") {
      return original_.filesystem.stat(filesystem, path, found, status);
    }
    TF_SetStatus(status, TF_NOT_FOUND, "HEAD: 403");
  };
  for (const bool moves : {false, true}) {
    const auto files = tree_.Open(tables);
    const absl::Status status = moves ? files->RenameFile("/src", "/dst")
                                      : files->CopyFile("/src", "/dst");
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
    EXPECT_EQ(At("/src"), "new contents");
  }
}

TEST_F(HostileCopyTest, AnOldFileOfEqualLengthIsNotTakenForTheNewOne) {
  tree_.AddFile("/dst", "old contents");
  const auto files = Renaming(
      [](const TF_Filesystem*, const char*, const char*, TF_Status*) {});
  const absl::Status status = files->CopyFile("/src", "/dst");
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("/dst: the plugin reported success, but the contents "
                        "differ from those of /src (copy_file)"));
  EXPECT_EQ(At("/dst"), "old contents");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

// The temporary file is gone, and the target has the right length.
TEST_F(HostileCopyTest, AFailedRenameIsNoSuccessBecauseOfTheOldFile) {
  tree_.AddFile("/dst", "old contents");
  const auto files =
      Renaming([](const TF_Filesystem* filesystem, const char* src, const char*,
                  TF_Status* status) {
        original_.filesystem.delete_file(filesystem, src, status);
        TF_SetStatus(status, TF_UNAVAILABLE, "503");
      });
  EXPECT_EQ(files->CopyFile("/src", "/dst").code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(At("/dst"), "old contents");
}

// Neither the old contents nor the new ones would be left.
TEST_F(HostileCopyTest, AFailedRenameThatDamagesTheTargetLeavesTheNewContents) {
  static int kind = 0;
  static bool is_down = false;
  static MemoryTree* tree = nullptr;
  tree = &tree_;
  SchemeTables tables = original_;
  tables.filesystem.rename_file = [](const TF_Filesystem* filesystem,
                                     const char*, const char* dst,
                                     TF_Status* status) {
    if (kind < 3) original_.filesystem.delete_file(filesystem, dst, status);
    if (kind == 3) tree->Contents(dst)->resize(4);
    if (kind != 1) TF_SetStatus(status, TF_UNAVAILABLE, "503");
    is_down = kind == 2;
  };
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    if (is_down) return TF_SetStatus(status, TF_UNAVAILABLE, "503");
    original_.filesystem.stat(filesystem, path, found, status);
  };
  const char* const said[] = {
      "/dst is gone: the new contents are in ",
      "/dst is gone: the new contents are in ",
      "/dst could not be looked up: the new contents may be in ",
      "/dst is not as it was: the new contents are in "};
  for (kind = 0; kind < 4; ++kind) {
    tree_.AddFile("/dst", "old contents");
    is_down = false;
    const auto files = tree_.Open(tables);
    const absl::Status status = files->CopyFileAs("/src", *files, "/dst");
    EXPECT_EQ(status.code(), kind == 1 ? absl::StatusCode::kDataLoss
                                       : absl::StatusCode::kUnavailable);
    int copies = 0;
    for (const auto& [path, what] : tree_.Snapshot()) {
      if (path.find(".fsload-") == std::string::npos) continue;
      EXPECT_THAT(std::string(status.message()), HasSubstr(said[kind] + path));
      EXPECT_EQ(At(path), "new contents");
      ++copies;
      EXPECT_EQ(tree_.Open()->DeleteFile(path), absl::OkStatus());
    }
    EXPECT_EQ(copies, 1) << kind << ": " << status;
  }
}

TEST_F(HostileCopyTest, AnEarlyEndOfTheSourceIsAnErrorWithBothNumbers) {
  SchemeTables tables = original_;
  tables.random_access_file.read = [](const TF_RandomAccessFile* file,
                                      uint64_t offset, size_t, char* buffer,
                                      TF_Status* status) -> int64_t {
    const int64_t bytes = offset == 0 ? original_.random_access_file.read(
                                            file, 0, 4, buffer, status)
                                      : 0;
    TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
    return bytes;
  };
  tree_.AddFile("/dst", "old");
  const auto files = tree_.Open(tables);
  EXPECT_EQ(
      files->CopyFile("/src", "/dst"),
      absl::DataLossError(
          "/src: the plugin reported end of file after 4 of 12 bytes (read)"));
  EXPECT_EQ(At("/dst"), "old");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

// Somebody else creates the target once the copy has looked at it.
TEST_F(HostileCopyTest, AFailureDeletesNothingThatTheCopyDidNotWrite) {
  constexpr Op kReader = Op::kFilesystem_new_random_access_file;
  constexpr Op kWriter = Op::kFilesystem_new_writable_file;
  for (const bool moves : {false, true}) {
    for (const auto& [op, code] :
         {std::pair(kReader, TF_UNAVAILABLE), std::pair(kReader, TF_NOT_FOUND),
          std::pair(kWriter, TF_PERMISSION_DENIED),
          std::pair(kWriter, TF_ALREADY_EXISTS)}) {
      tree_.Clear();
      tree_.AddFile("/src", "new contents");
      const auto files = tree_.Open();
      tree_.after_call = [this](Op called, uint64_t) {
        if (called == kReader) tree_.AddFile("/dst", "somebody else's");
      };
      tree_.fault = Fault{1};
      tree_.fault->op = op;
      tree_.fault->code = code;
      if (op == kReader) tree_.fault->when = Fault::When::kAfter;
      const absl::Status status =
          moves ? files->RenameFile("/src", "/dst")
                : files->CopyFileAs("/src", *files, "/dst");
      EXPECT_EQ(static_cast<int>(status.code()), static_cast<int>(code));
      EXPECT_EQ(At("/src"), "new contents");
      EXPECT_EQ(At("/dst"), "somebody else's") << FullName(op) << ", " << code;
    }
  }
}

TEST_F(HostileCopyTest, AStoreIsWrittenToUnderTheFinalNameAlone) {
  tree_.AddFile("/dst", "old");
  const auto files = Store();
  tree_.keeps_records = true;
  EXPECT_EQ(files->CopyFileAs("/src", *files, "/dst"), absl::OkStatus());
  EXPECT_EQ(At("/dst"), "new contents");
  EXPECT_EQ(tree_.calls(Op::kFilesystem_rename_file), 0);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_new_writable_file), 1);
}

TEST_F(HostileCopyTest, AnInterruptedUploadIsNotPublished) {
  const auto files = Store();
  for (const char* target : {"/dst", "/new"}) {
    tree_.AddFile("/dst", "old");
    const auto before = tree_.Snapshot();
    CopyOptions options;
    options.after_block = [](int64_t) {
      return absl::CancelledError("interrupted");
    };
    EXPECT_TRUE(
        absl::IsCancelled(files->CopyFileAs("/src", *files, target, options)));
    EXPECT_EQ(tree_.Snapshot(), before);
    EXPECT_EQ(tree_.calls(Op::kWritableFile_close), 0);
  }
}

TEST_F(HostileCopyTest, ASourceThatChangesIsNotPublished) {
  const auto files = Store();
  tree_.AddFile("/dst", "old");
  tree_.after_call = [this](Op op, uint64_t) {
    if (op == Op::kRandomAccessFile_read) *tree_.Contents("/src") += "!";
  };
  EXPECT_TRUE(absl::IsAborted(files->CopyFile("/src", "/dst")));
  EXPECT_EQ(At("/dst"), "old");
}

TEST_F(HostileCopyTest, AnUploadThatSaysOkAndDoesNothingIsNoCopy) {
  tree_.AddFile("/dst", "old contents");
  const auto files = Store([](const TF_WritableFile*, TF_Status*) {});
  EXPECT_TRUE(absl::IsDataLoss(files->CopyFile("/src", "/dst")));
}

TEST_F(HostileCopyTest, AnUploadThatFailsAfterItWasDoneIsACopy) {
  tree_.AddFile("/dst", "old contents");
  const auto files = Store([](const TF_WritableFile* file, TF_Status* status) {
    original_.writable_file.close(file, status);
    TF_SetStatus(status, TF_UNAVAILABLE, "the answer was lost");
  });
  EXPECT_EQ(files->CopyFile("/src", "/dst"), absl::OkStatus());
  EXPECT_EQ(At("/dst"), "new contents");
}

// Somebody else puts an object at the name as soon as ours is written, before
// the copy is checked with stat.
TEST_F(HostileCopyTest, AnotherObjectAtTheNewNameStaysAndIsNamed) {
  const auto files = Store();
  for (const bool replaces : {true, false}) {
    tree_.Clear();
    tree_.deviations.commits_on_close = true;
    tree_.AddFile("/src", "new contents");
    tree_.after_call = [this](Op op, uint64_t) {
      if (op == Op::kWritableFile_close) tree_.AddFile("/dst", "of another");
    };
    CopyOptions options;
    options.overwrite = replaces;
    EXPECT_EQ(files->CopyFileAs("/src", *files, "/dst", options),
              absl::DataLossError("/dst: wanted 12 bytes, found 10; the copy "
                                  "is incomplete (copy_file); /dst is left, "
                                  "because it may belong to somebody else"));
    EXPECT_EQ(At("/dst"), "of another");
  }
}

// Nothing was uploaded, so what is there is not ours.
TEST_F(HostileCopyTest, AnotherObjectStaysWhereTheSourceEndsEarly) {
  SchemeTables tables = original_;
  tables.traits.replaces_atomically = true;
  tables.random_access_file.read = [](const TF_RandomAccessFile*, uint64_t,
                                      size_t, char*,
                                      TF_Status* status) -> int64_t {
    TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
    return 0;
  };
  tree_.deviations.commits_on_close = true;
  tree_.after_call = [this](Op op, uint64_t) {
    if (op == Op::kFilesystem_new_writable_file) {
      tree_.AddFile("/dst", "of another");
    }
  };
  EXPECT_TRUE(absl::IsDataLoss(tree_.Open(tables)->CopyFile("/src", "/dst")));
  EXPECT_EQ(At("/dst"), "of another");
}

// The server fails once the temporary object is there, which is to be renamed
// over one that looks like it.
TEST_F(HostileCopyTest, ATemporaryObjectThatCannotBeCheckedIsNotLeftUnnamed) {
  static MemoryTree* tree = nullptr;
  static bool can_delete = true;
  tree = &tree_;
  static const auto hides = [](const char* path) {
    return std::string_view(path).rfind("/.fsload-", 0) == 0 &&
           tree->Exists(path);
  };
  tree_.deviations.commits_on_close = true;
  SchemeTables tables = MemoryTree::Tables();
  tables.traits.replaces_atomically = true;
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    if (hides(path)) return TF_SetStatus(status, TF_UNAVAILABLE, "503");
    original_.filesystem.stat(filesystem, path, found, status);
  };
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (!can_delete) return TF_SetStatus(status, TF_UNAVAILABLE, "503");
    original_.filesystem.delete_file(filesystem, path, status);
  };
  tree_.AddFile("/dst", "old contents");
  const auto before = tree_.Snapshot();
  for (const bool deletes : {true, false}) {
    can_delete = deletes;
    const absl::Status status = tree_.Open(tables)->RenameFile("/src", "/dst");
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
    EXPECT_EQ(tree_.Snapshot() == before, deletes);
    for (const auto& [path, what] : tree_.Snapshot()) {
      if (before.count(path) > 0) continue;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr("could not delete " + path));
    }
  }
}

// The temporary file is a copy of what is at the target.
TEST_F(HostileCopyTest, ARenameThatCopiesLeavesNothingOver) {
  static MemoryTree* tree = nullptr;
  tree = &tree_;
  tree_.AddFile("/dst", "old");
  const auto files =
      Renaming([](const TF_Filesystem*, const char* src, const char* dst,
                  TF_Status*) { tree->AddFile(dst, *tree->Contents(src)); });
  EXPECT_EQ(files->CopyFileAs("/src", *files, "/dst"), absl::OkStatus());
  EXPECT_EQ(At("/dst"), "new contents");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
}

// A plugin that reports the time of the question, and whose rename_file only
// deletes.
TEST_F(HostileCopyTest, ATimeThatChangesByItselfDoesNotTellThatAFileIsNew) {
  tree_.AddFile("/dst", "old contents");
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/dst") found.mtime_nsec = absl::ToUnixNanos(absl::Now());
  };
  const auto files =
      Renaming([](const TF_Filesystem* filesystem, const char* src, const char*,
                  TF_Status* status) {
        original_.filesystem.delete_file(filesystem, src, status);
      });
  EXPECT_TRUE(absl::IsDataLoss(files->CopyFile("/src", "/dst")));
}

// Its rename_file only deletes the source and changes the target's time.
TEST_F(HostileCopyTest, ANewTimeDoesNotTellThatTheContentsAreNew) {
  static bool renamed = false;
  renamed = false;
  tree_.AddFile("/dst", "old contents");
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/dst") found.mtime_nsec = renamed ? 2'000'000'000 : 0;
  };
  const auto files =
      Renaming([](const TF_Filesystem* filesystem, const char* src, const char*,
                  TF_Status* status) {
        original_.filesystem.delete_file(filesystem, src, status);
        renamed = true;
      });
  EXPECT_TRUE(absl::IsDataLoss(files->CopyFile("/src", "/dst")));
}

// Plugins without rename_file.
class HostileDeletionTest : public HostileCopyTest {
 protected:
  HostileDeletionTest() { tables_ = MemoryTree::Tables(); }

  SchemeTables tables_;
};

TEST_F(HostileDeletionTest, ThatDoesNothingIsAnErrorThatNamesBothFiles) {
  tables_.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                      TF_Status*) {};
  const auto files = tree_.Open(tables_);
  EXPECT_EQ(
      files->RenameFile("/src", "/new"),
      absl::DataLossError("/src: the plugin reported that it was deleted, but "
                          "it is still there (delete_file); the file is in "
                          "/new, and perhaps still in /src"));
  EXPECT_EQ(At("/src"), "new contents");
  EXPECT_EQ(At("/new"), "new contents");
}

TEST_F(HostileDeletionTest, ThatDeletesTheCopyTooIsDataLoss) {
  tables_.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                      const char*, TF_Status* status) {
    original_.filesystem.delete_file(filesystem, "/src", status);
    original_.filesystem.delete_file(filesystem, "/new", status);
  };
  EXPECT_EQ(tree_.Open(tables_)->RenameFile("/src", "/new"),
            absl::DataLossError("/new: there is nothing "
                                "(new_random_access_file); /src was deleted "
                                "after it was copied to /new, which cannot be "
                                "read anymore"));
}

// Who believed that the file is there could delete the source.
TEST_F(HostileDeletionTest, AnIncompleteCopyIsNotSaidToBeTheFile) {
  static bool is_down = false;
  static MemoryTree* tree = nullptr;
  static bool moves = false;
  tree = &tree_;
  tables_.writable_file.append = [](const TF_WritableFile* file,
                                    const char* buffer, size_t,
                                    TF_Status* status) {
    original_.writable_file.append(file, buffer, 4, status);
    TF_SetStatus(status, TF_UNAVAILABLE, "503");
    is_down = !moves;
    if (moves) {
      EXPECT_EQ(tree->Open()->DeleteFile("/src"), absl::OkStatus());
    }
  };
  tables_.filesystem.stat = [](const TF_Filesystem* filesystem,
                               const char* path, TF_FileStatistics* found,
                               TF_Status* status) {
    if (is_down) return TF_SetStatus(status, TF_UNAVAILABLE, "503");
    original_.filesystem.stat(filesystem, path, found, status);
  };
  for (const bool each : {false, true}) {
    moves = each;
    is_down = false;
    tree_.Clear();
    tree_.AddFile("/src", "new contents");
    EXPECT_EQ(tree_.Open(tables_)->RenameFile("/src", "/new"),
              absl::UnavailableError(
                  std::string("/new: 503 (append); what is in /new may be "
                              "incomplete, and /src ") +
                  (moves ? "is not there anymore" : "could not be looked up")));
    EXPECT_EQ(At("/new"), "new ");
  }
}

TEST_F(HostileDeletionTest, ThatDoesNothingLeavesNoFileUnnamed) {
  tables_.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                      TF_Status*) {};
  tree_.AddFile("/dst", "old");
  const auto files = tree_.Open(tables_);
  const absl::Status status = files->CopyFile("/src", "/dst");
  EXPECT_EQ(At("/dst"), "new contents");
  for (const auto& [path, what] : tree_.Snapshot()) {
    if (path.find(".fsload-") == std::string::npos) continue;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("could not delete the temporary file " + path));
  }
}

// Times are in whole seconds: the source is rewritten in the second in which
// its copy is complete, with as many bytes.
TEST_F(HostileDeletionTest, OfASourceThatIsRewrittenAfterItsCopyIsNotDone) {
  tree_.AddFile("/dst", "old contents");
  bool rewritten = false;
  tree_.after_call = [&](Op op, uint64_t) {
    if (op != Op::kWritableFile_close || rewritten) return;
    if (At("/dst") != "new contents") return;
    rewritten = true;
    *tree_.Contents("/src") = "the last one";
  };
  tree_.correct_stat = [&](const std::string& path, TF_FileStatistics& found) {
    constexpr int64_t kSecond = 1'000'000'000;
    found.mtime_nsec =
        rewritten ? 9 * kSecond : (path == "/src" ? 1 : 2) * kSecond;
  };
  const absl::Status status = tree_.Open(tables_)->RenameFile("/src", "/dst");
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  EXPECT_TRUE(rewritten);
  EXPECT_EQ(At("/src"), "the last one");
  EXPECT_EQ(At("/dst"), "old contents");
}

// A plugin that nobody has tested writes other bytes, as many as it was given.
TEST_F(HostileDeletionTest, OfASourceWhoseCopyDiffersIsNotDone) {
  static MemoryTree* tree = nullptr;
  tree = &tree_;
  tables_.traits.is_untested = true;
  tables_.writable_file.close = [](const TF_WritableFile* file,
                                   TF_Status* status) {
    original_.writable_file.close(file, status);
    if (tree->Exists("/new")) *tree->Contents("/new") = "of other one";
  };
  const absl::Status status = tree_.Open(tables_)->RenameFile("/src", "/new");
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_EQ(At("/src"), "new contents");
  EXPECT_FALSE(tree_.Exists("/new"));
}

// So is the copy of the new contents, of the old ones, or the target.
TEST_F(HostileDeletionTest, ATargetIsReplacedOnlyByACorrectCopy) {
  static int opened = 0;
  static int wrong = 0;
  tables_.traits.is_untested = true;
  tables_.filesystem.new_writable_file =
      [](const TF_Filesystem* filesystem, const char* path,
         TF_WritableFile* file, TF_Status* status) {
        ++opened;
        original_.filesystem.new_writable_file(filesystem, path, file, status);
      };
  tables_.writable_file.append = [](const TF_WritableFile* file,
                                    const char* buffer, size_t n,
                                    TF_Status* status) {
    const std::string other(n, '#');
    original_.writable_file.append(
        file, opened == wrong ? other.data() : buffer, n, status);
  };
  tree_.AddFile("/dst", "old contents");
  const auto files = tree_.Open(tables_);
  for (const bool moves : {false, true}) {
    for (wrong = 1; wrong <= 3; ++wrong) {
      opened = 0;
      const absl::Status status =
          moves ? files->RenameFile("/src", "/dst")
                : files->CopyFileAs("/src", *files, "/dst");
      EXPECT_TRUE(absl::IsDataLoss(status)) << status;
      EXPECT_EQ(At("/src"), "new contents");
      EXPECT_EQ(At("/dst"), "old contents") << wrong;
      EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(3));
    }
  }
}

// What is to restore the target writes something else of the same length.
TEST_F(HostileDeletionTest, ATargetThatIsNotRestoredKeepsItsOldContents) {
  static MemoryTree* tree = nullptr;
  static int closed = 0;
  tree = &tree_;
  closed = 0;
  tree_.AddFile("/dst", "old contents");
  tables_.writable_file.close = [](const TF_WritableFile* file,
                                   TF_Status* status) {
    original_.writable_file.close(file, status);
    constexpr int kCopies = 2;  // of both files
    if (++closed <= kCopies) return;
    *tree->Contents("/dst") = "new con/ents";
    if (closed == kCopies + 1) TF_SetStatus(status, TF_UNAVAILABLE, "503");
  };
  const absl::Status status = tree_.Open(tables_)->CopyFile("/src", "/dst");
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("/dst is damaged (it has other contents): its old "
                        "contents are in /.fsload-"));
  bool is_kept = false;
  for (const auto& [path, what] : tree_.Snapshot()) {
    is_kept = is_kept || what == "file: old contents";
  }
  EXPECT_TRUE(is_kept);
}

// Both names are one file; stat, answered from a cache, finds the target after
// the file is gone.
TEST_F(HostileDeletionTest, OfTheOnlyFileIsNotHiddenByACache) {
  tree_.deviations.folds_case = true;
  tables_.filesystem.stat = [](const TF_Filesystem* filesystem,
                               const char* path, TF_FileStatistics* found,
                               TF_Status* status) {
    original_.filesystem.stat(filesystem, path, found, status);
    if (TF_GetCode(status) != TF_NOT_FOUND || std::string(path) != "/SRC") {
      return;
    }
    *found = {12, 0, false};
    TF_SetStatus(status, TF_OK, "");
  };
  EXPECT_EQ(tree_.Open(tables_)->RenameFile("/src", "/SRC"), absl::OkStatus());
  EXPECT_EQ(At("/SRC"), "new contents");
  EXPECT_THAT(tree_.Snapshot(), ::testing::SizeIs(2));
}

// A store whose times are in whole seconds.
class SourceOfWholeSeconds {
 public:
  static void Write(MemoryTree& tree, const std::string& contents) {
    tree.AddFile("/src", contents);
    written_ = absl::ToUnixSeconds(absl::Now());
  }

  static int64_t Time() { return written_ * 1'000'000'000; }

 private:
  static int64_t written_;
};

int64_t SourceOfWholeSeconds::written_ = 0;

MemoryTree* tree_that_changes = nullptr;

TEST_F(HostileCopyTest, ASourceThatChangesWithinTheSecondOfItsTimeIsNoCopy) {
  SourceOfWholeSeconds::Write(tree_, "old contents");
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/src") found.mtime_nsec = SourceOfWholeSeconds::Time();
  };
  tree_that_changes = &tree_;
  SchemeTables tables = original_;
  tables.random_access_file.read = [](const TF_RandomAccessFile* file,
                                      uint64_t offset, size_t n, char* buffer,
                                      TF_Status* status) {
    SourceOfWholeSeconds::Write(*tree_that_changes, "new contents");
    return original_.random_access_file.read(file, offset, n, buffer, status);
  };
  const auto files = tree_.Open(tables);
  EXPECT_TRUE(absl::IsAborted(files->CopyFile("/src", "/dst")));
}

TEST_F(HostileCopyTest, SaysThatASourceChangedThoughItsLengthDidNot) {
  tree_.AddFile("/empty", "");
  bool was_read = false;
  tree_.after_call = [&](Op op, uint64_t) {
    was_read = was_read || op == Op::kRandomAccessFile_read;
  };
  tree_.correct_stat = [&](const std::string& path, TF_FileStatistics& found) {
    if (path == "/empty") found.mtime_nsec = was_read ? 2 : 1;
  };
  SchemeTables tables = original_;
  tables.traits.is_exact = true;
  EXPECT_EQ(tree_.Open(tables)->CopyFile("/empty", "/dst"),
            absl::AbortedError("/empty: the file changed while it was copied, "
                               "and still has 0 bytes; 0 were read "
                               "(copy_file)"));
}

// Its copy could not be told from a torn one.
TEST_F(HostileCopyTest, ASourceThatIsWrittenToAllTheTimeIsNoCopy) {
  SchemeTables tables = original_;
  tables.traits.is_exact = true;
  tree_.correct_stat = [](const std::string& path, TF_FileStatistics& found) {
    if (path == "/src") found.mtime_nsec = absl::ToUnixNanos(absl::Now());
  };
  EXPECT_EQ(tree_.Open(tables)->CopyFile("/src", "/dst"),
            absl::AbortedError("/src: is written to continuously, so a copy "
                               "may be incomplete (copy_file)"));
  EXPECT_FALSE(tree_.Exists("/dst"));
}

TEST(MtimeGranularityTest, WaitsForNoTimeFarFromOurs) {
  for (const int64_t time : {INT64_MIN, INT64_MIN + 1, INT64_MAX}) {
    const auto settled = WaitForNewMtime(
        false, [&]() -> absl::StatusOr<int64_t> { return time; });
    EXPECT_TRUE(settled.ok() && *settled) << time;
  }
}

TEST(MtimeGranularityTest, IsThatOfTheClockThatTellsTheTime) {
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr int64_t kOdd = 1'700'000'001 * kSecond;
  constexpr int64_t kFine = kOdd + 123'456'789;
  EXPECT_EQ(MtimeGranularity(kFine, true), 20'000'000);
  EXPECT_EQ(MtimeGranularity(kFine, false), 0);
  EXPECT_EQ(MtimeGranularity(kOdd, true), kSecond * 5 / 4);
  EXPECT_EQ(MtimeGranularity(kOdd, false), kSecond * 5 / 4);
  EXPECT_EQ(MtimeGranularity(kOdd + kSecond, true), kSecond * 9 / 4);
  EXPECT_EQ(MtimeGranularity(kOdd + kSecond, false), kSecond * 5 / 4);
}

}  // namespace
}  // namespace fsload
