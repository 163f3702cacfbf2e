// Creating and deleting.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loader/contract/contract_test.h"

namespace fsload {
namespace {

using Names = std::vector<std::string>;

void CreatesADirectory(Contract& t) {
  EXPECT_EQ(t.fs.CreateDir(t.Uri("dir")), absl::OkStatus());
  EXPECT_EQ(t.Names("dir"), Names{});
}

void CreatesNoDirectoryTwice(Contract& t) {
  t.PutDir("dir");
  t.Put("file", "a");
  constexpr auto kExistsAlready = absl::StatusCode::kAlreadyExists;
  ExpectError(t.fs.CreateDir(t.Uri("dir")), kExistsAlready, t.Uri("dir"));
  ExpectError(t.fs.CreateDir(t.Uri("file")), kExistsAlready, t.Uri("file"));
  EXPECT_EQ(t.Contents("file"), "a");
}

void CreatesADirectoryOnlyInADirectory(Contract& t) {
  t.Put("file", "a");
  ExpectError(t.fs.CreateDir(t.Uri("none/dir")), kNotFound, t.Uri("none/dir"));
  ExpectError(t.fs.CreateDir(t.Uri("file/dir")), kFailed, t.Uri("file/dir"));
  EXPECT_EQ(t.Names(), Names{"file"});
}

void CreatesAllAncestors(Contract& t) {
  EXPECT_EQ(t.fs.RecursivelyCreateDir(t.Uri("a/b/c/d")), absl::OkStatus());
  EXPECT_EQ(t.fs.RecursivelyCreateDir(t.Uri("a/b/e/")), absl::OkStatus());
  EXPECT_EQ(t.Names("a/b"), (Names{"c", "e"}));
  EXPECT_EQ(t.Names("a/b/c/d"), Names{});
}

void CreatesAncestorsThatExistAgain(Contract& t) {
  t.PutDir("a");
  t.Put("a/file", "a");
  EXPECT_EQ(t.fs.RecursivelyCreateDir(t.Uri("a")), absl::OkStatus());
  EXPECT_EQ(t.fs.RecursivelyCreateDir(t.Uri("a/b")), absl::OkStatus());
  EXPECT_EQ(t.Names("a"), (Names{"b", "file"}));
}

void CreatesNoDirectoryWhereAFileIs(Contract& t) {
  t.Put("file", "a");
  for (const char* name : {"file", "file/dir", "file/dir/below"}) {
    ExpectError(t.fs.RecursivelyCreateDir(t.Uri(name)), kFailed, t.Uri(name));
  }
  EXPECT_EQ(t.Contents("file"), "a");
}

void DeletesAFile(Contract& t) {
  t.Put("file", "a");
  t.Put("file2", "b");
  EXPECT_EQ(t.fs.DeleteFile(t.Uri("file")), absl::OkStatus());
  EXPECT_EQ(t.Names(), Names{"file2"});
}

void DeletesOnlyFilesAsFiles(Contract& t) {
  t.PutDir("dir");
  t.Put("file", "a");
  ExpectError(t.fs.DeleteFile(t.Uri("none")), kNotFound, t.Uri("none"));
  ExpectError(t.fs.DeleteFile(t.Uri("dir")), kFailed, t.Uri("dir"));
  ExpectError(t.fs.DeleteFile(t.Uri("file/below")), kFailed, "file/below");
  EXPECT_EQ(t.Names(), (Names{"dir", "file"}));
}

void DeletesAnEmptyDirectory(Contract& t) {
  t.PutDir("dir");
  EXPECT_EQ(t.fs.DeleteDir(t.Uri("dir")), absl::OkStatus());
  EXPECT_EQ(t.Names(), Names{});
}

void DeletesOnlyEmptyDirectories(Contract& t) {
  t.PutDir("dir");
  t.Put("dir/file", "a");
  t.Put("file", "a");
  ExpectError(t.fs.DeleteDir(t.Uri("dir")), kFailed, t.Uri("dir"));
  ExpectError(t.fs.DeleteDir(t.Uri("file")), kFailed, t.Uri("file"));
  ExpectError(t.fs.DeleteDir(t.Uri("none")), kNotFound, t.Uri("none"));
  EXPECT_EQ(t.Names(), (Names{"dir", "file"}));
  EXPECT_EQ(t.Contents("dir/file"), "a");
}

void DeletesATreeAndNothingElse(Contract& t) {
  for (const char* dir : {"a", "a/b", "a/b/c", "a/d", "a2"}) t.PutDir(dir);
  for (const char* file : {"a/1", "a/b/2", "a/b/c/3", "a2/4", "a.txt"}) {
    t.Put(file, file);
  }
  Undeleted left = {7, 7};
  EXPECT_EQ(t.fs.DeleteRecursively(t.Uri("a"), &left), absl::OkStatus());
  EXPECT_EQ(left.files, 0);
  EXPECT_EQ(left.directories, 0);
  EXPECT_EQ(t.Names(), (Names{"a.txt", "a2"}));
  EXPECT_EQ(t.Contents("a2/4"), "a2/4");
}

void DeletesOnlyDirectoriesAsTrees(Contract& t) {
  t.Put("file", "a");
  const auto expect_not_started = [&](const char* name, absl::StatusCode code) {
    Undeleted left = {7, 7};
    ExpectError(t.fs.DeleteRecursively(t.Uri(name), &left), code, t.Uri(name));
    EXPECT_EQ(left.files, 0) << name;
    EXPECT_EQ(left.directories, 1) << name;
  };
  expect_not_started("none", kNotFound);
  expect_not_started("file", kFailed);
  expect_not_started("file/below", kFailed);
  EXPECT_EQ(t.Contents("file"), "a");
}

}  // namespace

std::vector<Clause> NamespaceClauses() {
  return {
      FSLOAD_CLAUSE(CreatesADirectory, kCreateDir),
      FSLOAD_CLAUSE(CreatesNoDirectoryTwice, kCreateDir),
      FSLOAD_CLAUSE(CreatesADirectoryOnlyInADirectory, kCreateDir),
      FSLOAD_CLAUSE(CreatesAllAncestors, kCreateDirs),
      FSLOAD_CLAUSE(CreatesAncestorsThatExistAgain, kCreateDirs),
      FSLOAD_CLAUSE(CreatesNoDirectoryWhereAFileIs, kCreateDirs),
      FSLOAD_CLAUSE(DeletesAFile, kDeleteFile),
      FSLOAD_CLAUSE(DeletesOnlyFilesAsFiles, kDeleteFile),
      FSLOAD_CLAUSE(DeletesAnEmptyDirectory, kDeleteDir),
      FSLOAD_CLAUSE(DeletesOnlyEmptyDirectories, kDeleteDir),
      FSLOAD_CLAUSE(DeletesATreeAndNothingElse, kDeleteTree),
      FSLOAD_CLAUSE(DeletesOnlyDirectoriesAsTrees, kDeleteTree),
  };
}

}  // namespace fsload
