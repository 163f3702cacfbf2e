// Queries: existence, statistics, listings, patterns and names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "loader/contract/contract_test.h"

namespace fsload {
namespace {

using Names = std::vector<std::string>;

// Names with typical pitfalls.
const Names kOddNames = {"with space", "caf\xc3\xa9",         "%s%n%d",
                         "a[b]*?\\c",  std::string(255, 'n'), "new\nline"};

Names Sorted(const absl::StatusOr<Names>& names) {
  if (!names.ok()) return {names.status().ToString()};
  Names sorted = *names;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

void FilesAndDirectoriesExist(Contract& t) {
  t.Put("file", "");
  t.PutDir("dir");
  EXPECT_EQ(t.fs.FileExists(t.Uri("file")), absl::OkStatus());
  EXPECT_EQ(t.fs.FileExists(t.Uri("dir")), absl::OkStatus());
  EXPECT_EQ(t.fs.FileExists(t.Uri("dir/")), absl::OkStatus());
  ExpectError(t.fs.FileExists(t.Uri("none")), kNotFound,
              "path_exists(" + t.Uri("none") + "): ");
  ExpectError(t.fs.FileExists(t.Uri("none/file")), kNotFound, "none/file");
  ExpectError(t.fs.FileExists(t.Uri("file/below")), kFailed, "file/below");
}

void AllExistWhenEachDoes(Contract& t) {
  t.Put("file", "");
  t.PutDir("dir");
  EXPECT_TRUE(t.fs.FilesExist({}).empty());
  EXPECT_THAT(t.fs.FilesExist({t.Uri("file"), t.Uri("dir")}),
              testing::Each(absl::OkStatus()));
  const std::vector<absl::Status> statuses =
      t.fs.FilesExist({t.Uri("file"), t.Uri("none"), t.Uri("file/below")});
  ASSERT_EQ(statuses.size(), 3);
  EXPECT_EQ(statuses[0], absl::OkStatus());
  ExpectError(statuses[1], kNotFound, t.Uri("none"));
  ExpectError(statuses[2], kFailed, t.Uri("file/below"));
}

int64_t NowNsec() {
  return std::chrono::nanoseconds(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void StatTellsLengthTimeAndKind(Contract& t) {
  // File systems may keep time in steps of several milliseconds.
  const int64_t before = NowNsec() - 1'000'000'000;
  t.Put("file", "12345");
  t.PutDir("dir");
  const auto file = t.fs.Stat(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->length, 5);
  EXPECT_FALSE(file->is_directory);
  EXPECT_GE(file->mtime_nsec, before);
  EXPECT_LE(file->mtime_nsec, NowNsec());
  const auto dir = t.fs.Stat(t.Uri("dir"));
  ASSERT_TRUE(dir.ok()) << dir.status();
  EXPECT_TRUE(dir->is_directory);
}

void StatOfNothingIsNotFound(Contract& t) {
  t.Put("file", "");
  ExpectError(t.fs.Stat(t.Uri("none")).status(), kNotFound,
              "stat(" + t.Uri("none") + "): ");
  ExpectError(t.fs.Stat(t.Uri("none/file")).status(), kNotFound, "none/file");
  ExpectError(t.fs.Stat(t.Uri("file/below")).status(), kFailed, "file/below");
}

void TellsDirectoriesFromFiles(Contract& t) {
  t.Put("file", "");
  t.PutDir("dir");
  EXPECT_TRUE(*t.fs.IsDirectory(t.Uri("dir")));
  EXPECT_FALSE(*t.fs.IsDirectory(t.Uri("file")));
  ExpectError(t.fs.IsDirectory(t.Uri("none")).status(), kNotFound,
              t.Uri("none"));
}

void TellsTheSizeOfAFile(Contract& t) {
  t.Put("file", "12345");
  t.Put("empty", "");
  EXPECT_EQ(*t.fs.GetFileSize(t.Uri("file")), 5);
  EXPECT_EQ(*t.fs.GetFileSize(t.Uri("empty")), 0);
}

void OnlyFilesHaveASize(Contract& t) {
  t.Put("file", "");
  t.PutDir("dir");
  ExpectError(t.fs.GetFileSize(t.Uri("none")).status(), kNotFound,
              t.Uri("none"));
  ExpectError(t.fs.GetFileSize(t.Uri("dir")).status(), kFailed, t.Uri("dir"));
  ExpectError(t.fs.GetFileSize(t.Uri("file/below")).status(), kFailed,
              t.Uri("file/below"));
}

void ListsADirectory(Contract& t) {
  for (const char* dir : {"dir", "dir/sub", "dir2"}) t.PutDir(dir);
  for (const char* file : {"dir/b", "dir/a", "dir/sub/c", "dir2/d", "dir-e"}) {
    t.Put(file, "");
  }
  EXPECT_EQ(Sorted(t.fs.GetChildren(t.Uri("dir"))), (Names{"a", "b", "sub"}));
  EXPECT_EQ(Sorted(t.fs.GetChildren(t.Uri("dir/"))), (Names{"a", "b", "sub"}));
  EXPECT_EQ(Sorted(t.fs.GetChildren(t.Uri(""))),
            (Names{"dir", "dir-e", "dir2"}));
}

void ListsOnlyDirectories(Contract& t) {
  t.Put("file", "");
  t.PutDir("empty");
  EXPECT_EQ(Sorted(t.fs.GetChildren(t.Uri("empty"))), Names{});
  ExpectError(t.fs.GetChildren(t.Uri("none")).status(), kNotFound,
              "get_children(" + t.Uri("none") + "): ");
  ExpectError(t.fs.GetChildren(t.Uri("file")).status(), kFailed, t.Uri("file"));
  ExpectError(t.fs.GetChildren(t.Uri("file/below")).status(), kFailed,
              t.Uri("file/below"));
}

void ListsAThousandEntries(Contract& t) {
  Names names;
  const int count = t.hides_nothing ? 1'100 : 30;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(100'000 + i));
  for (const std::string& name : names) t.PutDir(name);
  EXPECT_TRUE(Sorted(t.fs.GetChildren(t.Uri(""))) == names);
}

void OddNamesAreListedAsTheyAre(Contract& t) {
  Names names = kOddNames;
  for (const std::string& name : names) t.Put(name, name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(Sorted(t.fs.GetChildren(t.Uri(""))), names);
}

void OddNamesAreNamesLikeOthers(Contract& t) {
  for (const std::string& name : kOddNames) {
    t.Put("file", name);
    EXPECT_EQ(t.fs.RenameFile(t.Uri("file"), t.Uri(name)), absl::OkStatus());
    EXPECT_EQ(*t.fs.GetFileSize(t.Uri(name)), name.size());
    EXPECT_EQ(t.Contents(name), name);
    EXPECT_EQ(t.fs.DeleteFile(t.Uri(name)), absl::OkStatus());
  }
  EXPECT_EQ(t.Names(), Names{});
}

void TheOperationsAgree(Contract& t) {
  t.PutDir("dir");
  t.Put("dir/file", "12345");
  t.PutDir("dir/sub");
  const auto names = t.fs.GetChildren(t.Uri("dir"));
  ASSERT_EQ(Sorted(names), (Names{"file", "sub"}));
  for (const std::string& name : *names) {
    const std::string uri = t.Uri("dir/" + name);
    const auto statistics = t.fs.Stat(uri);
    ASSERT_TRUE(statistics.ok()) << statistics.status();
    EXPECT_EQ(*t.fs.IsDirectory(uri), statistics->is_directory);
    EXPECT_EQ(t.fs.FileExists(uri), absl::OkStatus());
    EXPECT_EQ(t.fs.GetFileSize(uri).ok(), !statistics->is_directory);
    if (!statistics->is_directory) {
      EXPECT_EQ(*t.fs.GetFileSize(uri), statistics->length);
    }
  }
}

void FindsWhatMatches(Contract& t) {
  for (const char* dir : {"d1", "d2", "other"}) t.PutDir(dir);
  for (const char* file : {"a1", "a2", "b1", "a-", "d1/x", "d1/y", "d2/x"}) {
    t.Put(file, "");
  }
  const auto matches = [&](const char* pattern) {
    return *t.fs.GetMatchingPaths(t.Uri(pattern));
  };
  const auto uris = [&](Names names) {
    for (std::string& name : names) name = t.Uri(name);
    return names;
  };
  EXPECT_EQ(matches("a*"), uris({"a-", "a1", "a2"}));
  EXPECT_EQ(matches("a?"), uris({"a-", "a1", "a2"}));
  EXPECT_EQ(matches("a"), uris({}));
  EXPECT_EQ(matches("[ab]1"), uris({"a1", "b1"}));
  EXPECT_EQ(matches("[^a]1"), uris({"b1", "d1"}));
  EXPECT_EQ(matches("a[0-9]"), uris({"a1", "a2"}));
  EXPECT_EQ(matches("a[\\-]"), uris({"a-"}));
  EXPECT_EQ(matches("a1"), uris({"a1"}));
  EXPECT_EQ(matches("d*/x"), uris({"d1/x", "d2/x"}));
  EXPECT_EQ(matches("*/?"), uris({"d1/x", "d1/y", "d2/x"}));
  EXPECT_EQ(matches("d?/"), uris({"d1/", "d2/"}));
  EXPECT_EQ(matches("none*"), uris({}));
  EXPECT_EQ(matches("none/*"), uris({}));
}

void FindsOddNamesByEscapingThem(Contract& t) {
  t.Put("a[b]*?\\c", "");
  t.Put("abxxc", "");
  const auto matches = t.fs.GetMatchingPaths(t.Uri("a\\[b\\]\\*\\?\\\\c"));
  EXPECT_EQ(Sorted(matches), Names{t.Uri("a[b]*?\\c")});
}

void MalformedPatternsAreInvalid(Contract& t) {
  for (const char* pattern : {"a[", "a[]", "a[b-", "a\\"}) {
    ExpectError(t.fs.GetMatchingPaths(t.Uri(pattern)).status(), kInvalid,
                "malformed pattern");
  }
}

void TranslatesUrisToCleanPaths(Contract& t) {
  const auto root = t.fs.TranslateName(t.Uri(""));
  ASSERT_TRUE(root.ok()) << root.status();
  const std::string folder = *root == "/" ? "" : *root;
  const auto translated = [&](const char* name) {
    return *t.fs.TranslateName(t.Uri(name));
  };
  EXPECT_EQ(folder.find("://"), std::string::npos);
  EXPECT_EQ(translated("a"), folder + "/a");
  EXPECT_EQ(translated("a//b/"), folder + "/a/b");
  EXPECT_EQ(translated("a/./b/../c"), folder + "/a/c");
  EXPECT_EQ(*t.fs.TranslateName(folder + "/a"), folder + "/a");
}

void APathWithANullByteIsInvalid(Contract& t) {
  t.Put("file", "a");
  const std::string uri = t.Uri(std::string_view("file\0x", 6));
  const std::string good = t.Uri("file");
  for (const absl::Status& status :
       {t.fs.NewRandomAccessFile(uri).status(),
        t.fs.NewWritableFile(uri).status(),
        t.fs.NewAppendableFile(uri).status(),
        t.fs.NewReadOnlyMemoryRegionFromFile(uri).status(),
        t.fs.CreateDir(uri),
        t.fs.RecursivelyCreateDir(uri),
        t.fs.DeleteFile(uri),
        t.fs.DeleteDir(uri),
        t.fs.DeleteRecursively(uri),
        t.fs.RenameFile(uri, good),
        t.fs.RenameFile(good, uri),
        t.fs.CopyFile(uri, good),
        t.fs.CopyFile(good, uri),
        t.fs.FileExists(uri),
        t.fs.Stat(uri).status(),
        t.fs.IsDirectory(uri).status(),
        t.fs.GetFileSize(uri).status(),
        t.fs.GetChildren(uri).status(),
        t.fs.GetMatchingPaths(uri).status(),
        t.fs.TranslateName(uri).status(),
        t.fs.AddToTransaction(uri, nullptr),
        t.fs.GetTransactionForPath(uri).status(),
        t.fs.GetTokenOrStartTransaction(uri).status()}) {
    if (absl::IsUnimplemented(status)) continue;  // hidden, or missing
    ExpectError(status, kInvalid, "null byte");
  }
  EXPECT_FALSE(t.fs.FilesExist({uri}).front().ok());
  EXPECT_EQ(t.Contents("file"), "a");
}

void FlushesCaches(Contract& t) {
  t.Put("file", "a");
  EXPECT_EQ(t.fs.FlushCaches(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "a");
}

}  // namespace

std::vector<Clause> AskingClauses() {
  return {
      FSLOAD_CLAUSE(FilesAndDirectoriesExist, kExists),
      FSLOAD_CLAUSE(AllExistWhenEachDoes, kAllExist),
      FSLOAD_CLAUSE(StatTellsLengthTimeAndKind, kStat),
      FSLOAD_CLAUSE(StatOfNothingIsNotFound, kStat),
      FSLOAD_CLAUSE(TellsDirectoriesFromFiles, kIsDirectory),
      FSLOAD_CLAUSE(TellsTheSizeOfAFile, kSize),
      FSLOAD_CLAUSE(OnlyFilesHaveASize, kSize),
      FSLOAD_CLAUSE(ListsADirectory, kChildren),
      FSLOAD_CLAUSE(ListsOnlyDirectories, kChildren),
      FSLOAD_CLAUSE(ListsAThousandEntries, kChildren),
      FSLOAD_CLAUSE(OddNamesAreListedAsTheyAre, kChildren),
      FSLOAD_CLAUSE(OddNamesAreNamesLikeOthers, kRename, kSize, kDeleteFile),
      FSLOAD_CLAUSE(TheOperationsAgree, kChildren, kStat, kIsDirectory, kExists,
                    kSize),
      FSLOAD_CLAUSE(FindsWhatMatches, kGlob),
      FSLOAD_CLAUSE(FindsOddNamesByEscapingThem, kGlob),
      FSLOAD_CLAUSE(MalformedPatternsAreInvalid, kGlob),
      FSLOAD_CLAUSE(TranslatesUrisToCleanPaths, kTranslate),
      FSLOAD_CLAUSE(APathWithANullByteIsInvalid, ),
      FSLOAD_CLAUSE(FlushesCaches, kFlushCaches),
  };
}

}  // namespace fsload
