// Renaming and copying.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "loader/contract/contract_test.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using Names = std::vector<std::string>;

void RenamesAFile(Contract& t) {
  t.Put("file", "contents");
  t.PutDir("dir");
  EXPECT_EQ(t.fs.RenameFile(t.Uri("file"), t.Uri("dir/new")), absl::OkStatus());
  EXPECT_EQ(t.Names(), Names{"dir"});
  EXPECT_EQ(t.Names("dir"), Names{"new"});
  EXPECT_EQ(t.Contents("dir/new"), "contents");
}

void RenamingReplacesTheTarget(Contract& t) {
  t.Put("src", "new");
  t.Put("dst", "the old contents");
  EXPECT_EQ(t.fs.RenameFile(t.Uri("src"), t.Uri("dst")), absl::OkStatus());
  EXPECT_EQ(t.Names(), Names{"dst"});
  EXPECT_EQ(t.Contents("dst"), "new");
}

void RenamingOntoItselfChangesNothing(Contract& t) {
  t.Put("file", "contents");
  EXPECT_EQ(t.fs.RenameFile(t.Uri("file"), t.Uri("file")), absl::OkStatus());
  EXPECT_EQ(t.fs.RenameFile(t.Uri("file"), t.Uri("./file")), absl::OkStatus());
  EXPECT_EQ(t.Names(), Names{"file"});
  EXPECT_EQ(t.Contents("file"), "contents");
}

void AFailedRenameChangesNothing(Contract& t) {
  t.Put("file", "a");
  t.Put("other", "b");
  t.PutDir("dir");
  const auto rename = [&](const char* src, const char* dst) {
    return t.fs.RenameFile(t.Uri(src), t.Uri(dst));
  };
  ExpectError(rename("none", "other"), kNotFound, "none");
  ExpectError(rename("none/file", "other"), kNotFound, "none/file");
  ExpectError(rename("file", "none/file"), kNotFound, "none/file");
  ExpectError(rename("dir", "new"), kFailed, "dir");
  ExpectError(rename("file", "dir"), kFailed, "dir");
  ExpectError(rename("file/below", "new"), kFailed, "file/below");
  ExpectError(rename("other", "file/below"), kFailed, "file/below");
  EXPECT_EQ(t.Names(), (Names{"dir", "file", "other"}));
  EXPECT_EQ(t.Names("dir"), Names{});
  EXPECT_EQ(t.Contents("file"), "a");
  EXPECT_EQ(t.Contents("other"), "b");
}

void CopiesAFile(Contract& t) {
  for (const size_t size : {0, 1, 4097, (1 << 20) + 1}) {
    const std::string contents(size, 'x');
    t.Put("src", contents);
    EXPECT_EQ(t.fs.CopyFile(t.Uri("src"), t.Uri("dst")), absl::OkStatus());
    EXPECT_EQ(t.Names(), (Names{"dst", "src"}));
    EXPECT_TRUE(t.Contents("dst") == contents) << size;
    EXPECT_TRUE(t.Contents("src") == contents) << size;
  }
}

void CopyingReplacesTheTarget(Contract& t) {
  t.Put("src", "new");
  t.Put("dst", "the old contents");
  EXPECT_EQ(t.fs.CopyFile(t.Uri("src"), t.Uri("dst")), absl::OkStatus());
  EXPECT_EQ(t.Names(), (Names{"dst", "src"}));
  EXPECT_EQ(t.Contents("dst"), "new");
  EXPECT_EQ(t.Contents("src"), "new");
}

void CopyingOntoItselfChangesNothing(Contract& t) {
  t.Put("file", "contents");
  EXPECT_EQ(t.fs.CopyFile(t.Uri("file"), t.Uri("file")), absl::OkStatus());
  EXPECT_EQ(t.Names(), Names{"file"});
  EXPECT_EQ(t.Contents("file"), "contents");
}

void CopiesIntoADirectory(Contract& t) {
  t.Put("file", "new");
  t.PutDir("dir");
  EXPECT_EQ(t.fs.CopyFile(t.Uri("file"), t.Uri("dir")), absl::OkStatus());
  EXPECT_EQ(t.Contents("dir/file"), "new");
  t.Put("file", "newer");
  EXPECT_EQ(t.fs.CopyFile(t.Uri("file"), t.Uri("dir")), absl::OkStatus());
  EXPECT_EQ(t.Names("dir"), Names{"file"});
  EXPECT_EQ(t.Contents("dir/file"), "newer");
}

void AFailedCopyChangesNothing(Contract& t) {
  t.Put("file", "a");
  t.Put("other", "b");
  t.PutDir("dir");
  t.PutDir("dir/file");
  const auto copy = [&](const char* src, const char* dst) {
    return t.fs.CopyFile(t.Uri(src), t.Uri(dst));
  };
  ExpectError(copy("none", "other"), kNotFound, "none");
  ExpectError(copy("none/file", "other"), kNotFound, "none/file");
  ExpectError(copy("file", "none/file"), kNotFound, "none/file");
  ExpectError(copy("dir", "new"), kFailed, "dir");
  ExpectError(copy("dir", "other"), kFailed, "dir");
  ExpectError(copy("file", "dir"), kFailed, "dir");
  ExpectError(copy("file/below", "new"), kFailed, "file/below");
  ExpectError(copy("other", "file/below"), kFailed, "file/below");
  EXPECT_EQ(t.Names(), (Names{"dir", "file", "other"}));
  EXPECT_EQ(t.Names("dir"), Names{"file"});
  EXPECT_EQ(t.Contents("file"), "a");
  EXPECT_EQ(t.Contents("other"), "b");
}

void CopiesToAnotherFileSystem(Contract& t) {
  t.Put("src", "contents");
  const auto other = MakeFileSystem(TablesOf(t.fs), t.fs);
  EXPECT_EQ(t.fs.CopyFileTo(t.Uri("src"), *other, t.Uri("dst")),
            absl::OkStatus());
  EXPECT_EQ(t.Contents("dst"), "contents");
}

}  // namespace

std::vector<Clause> MovingClauses() {
  return {
      FSLOAD_CLAUSE(RenamesAFile, kRename),
      FSLOAD_CLAUSE(RenamingReplacesTheTarget, kRename),
      FSLOAD_CLAUSE(RenamingOntoItselfChangesNothing, kRename),
      FSLOAD_CLAUSE(AFailedRenameChangesNothing, kRename),
      FSLOAD_CLAUSE(CopiesAFile, kCopy),
      FSLOAD_CLAUSE(CopyingReplacesTheTarget, kCopy),
      FSLOAD_CLAUSE(CopyingOntoItselfChangesNothing, kCopy),
      FSLOAD_CLAUSE(CopiesIntoADirectory, kCopy),
      FSLOAD_CLAUSE(AFailedCopyChangesNothing, kCopy),
      FSLOAD_CLAUSE(CopiesToAnotherFileSystem, kOpen, kRead, kNew, kAppend,
                    kStat, kDeleteFile),
  };
}

}  // namespace fsload
