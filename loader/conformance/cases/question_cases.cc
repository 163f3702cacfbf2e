// FSP70x to FSP72x: existence, statistics, kinds and sizes.
#include <chrono>
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

void FilesAndDirectoriesExist(Trial& t) {
  if (!t.Put("file", "") || !t.PutDir("dir")) return;
  t.Ok(t.PathExists("file"));
  t.Ok(t.PathExists("dir"));
  t.Ok(t.PathExists("dir/"));
  t.Ok(t.PathExists(""));
}

void WhatIsMissingDoesNotExist(Trial& t) {
  if (!t.Put("file", "") || !t.PutDir("dir")) return;
  for (const char* name : {"none", "none/file", "fil", "file2", "di", "FILE"}) {
    t.Fails(t.PathExists(name), {kNotFound});
  }
}

void NothingExistsBelowAFile(Trial& t) {
  if (!t.Put("file", "")) return;
  t.Fails(t.PathExists("file/below"), {kFailed});
  t.Fails(t.Stat("file/below"), {kFailed});
}

void WhatIsDeletedDoesNotExist(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Ok(t.PathExists("file"));
  t.Ok(t.DeleteFile("file"));
  t.Fails(t.PathExists("file"), {kNotFound});
  if (!t.Put("file", "b")) return;
  t.Ok(t.PathExists("file"));
}

void AllExistWhenEachDoes(Trial& t) {
  if (!t.Put("file", "") || !t.PutDir("dir")) return;
  using Codes = std::vector<absl::StatusCode>;
  constexpr auto kOkCode = absl::StatusCode::kOk;
  const auto expect = [&](const Names& names, const Codes& expected) {
    Codes found;
    for (const absl::Status& each : t.PathsExist(names)) {
      found.push_back(each.code());
    }
    t.Expect(found == expected,
             t.calls().back() + "; each path has a status of its own");
  };
  expect({"file", "dir"}, {kOkCode, kOkCode});
  expect({"file", "none", "dir"}, {kOkCode, kNotFound, kOkCode});
  expect({"none", "file"}, {kNotFound, kOkCode});
  expect({"file", "none"}, {kOkCode, kNotFound});
  expect({"none", "gone"}, {kNotFound, kNotFound});
}

int64_t NowNsec() {
  return std::chrono::nanoseconds(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void StatTellsTheLength(Trial& t) {
  for (const size_t size : {0, 5, 70'000}) {
    if (!t.Put("file", PatternBytes(size))) return;
    const auto found = t.Stat("file");
    if (!t.Ok(found)) return;
    t.Expect(
        found->length == static_cast<int64_t>(size) && !found->is_directory,
        Format("{}; expected a file of {} bytes", t.calls().back(), size));
  }
}

void StatTellsTheTime(Trial& t) {
  // The clock of a server may differ, and time may come in steps.
  constexpr int64_t kSlack = 300'000'000'000;
  const int64_t before = NowNsec() - kSlack;
  if (!t.Put("file", "12345")) return;
  const auto found = t.Stat("file");
  if (!t.Ok(found)) return;
  t.Expect(
      found->mtime_nsec >= before && found->mtime_nsec <= NowNsec() + kSlack,
      t.calls().back() + "; expected nanoseconds since 1970, about now");
}

void StatTellsDirectories(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("dir/file", "a")) return;
  for (const char* name : {"dir", ""}) {
    const auto found = t.Stat(name);
    if (!t.Ok(found)) continue;
    t.Expect(found->is_directory, t.calls().back() + "; expected a directory");
  }
}

void StatOfNothingIsNotFound(Trial& t) {
  if (!t.Put("file", "")) return;
  for (const char* name : {"none", "none/file", "fil"}) {
    t.Fails(t.Stat(name), {kNotFound});
  }
}

void TellsDirectoriesFromFiles(Trial& t) {
  if (!t.Put("file", "a") || !t.PutDir("dir")) return;
  t.Yields(t.IsDirectory("dir"), true);
  t.Fails(t.IsDirectory("none"), {kNotFound});
  const auto answer = t.IsDirectory("file");
  t.Expect(!answer.ok() || !*answer,
           t.calls().back() + "; a file is no directory");
}

void AFileIsNoDirectoryWithOk(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Yields(t.IsDirectory("file"), false);
}

void TellsTheSizeOfAFile(Trial& t) {
  if (!t.Put("file", "12345") || !t.Put("empty", "")) return;
  t.Yields(t.GetFileSize("file"), 5);
  t.Yields(t.GetFileSize("empty"), 0);
  if (!t.Put("file", "123")) return;
  t.Yields(t.GetFileSize("file"), 3);
}

void OnlyFilesHaveASize(Trial& t) {
  if (!t.PutDir("dir")) return;
  t.Fails(t.GetFileSize("none"), {kNotFound});
  t.Fails(t.GetFileSize("dir"), {kFailed});
}

void TheOperationsAgree(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("dir/file", "12345") || !t.PutDir("dir/sub") ||
      !t.Put("dir/sub/deep", "1") || !t.Put("dir/empty", "")) {
    return;
  }
  const auto names = t.GetChildren("dir");
  if (!t.Ok(names)) return;
  for (const std::string& name : *names) {
    const std::string path = "dir/" + name;
    const auto found = t.Stat(path);
    if (!t.Ok(found)) continue;
    t.Ok(t.PathExists(path));
    if (found->is_directory) {
      t.Yields(t.IsDirectory(path), true);
    } else {
      t.Yields(t.GetFileSize(path), found->length);
    }
  }
}

}  // namespace

std::vector<Case> QuestionCases() {
  return {
      {701, "exists.files-and-directories",
       "path_exists is OK for files and directories", "L544-L550", 1, kPlain,
       Calls(kExists), FilesAndDirectoriesExist,
       "Programs would write over what is there.",
       "In a store, a name with objects below it exists."},
      {702, "exists.missing-is-not-found",
       "path_exists of nothing is NOT_FOUND, also where another name merely "
       "shares its prefix",
       "L551-L553", 2, kPlain, Calls(kExists), WhatIsMissingDoesNotExist,
       "Programs would read or resume from what is not there.",
       "Compare whole names."},
      {703, "exists.nothing-below-a-file",
       "path_exists and stat below a file are FAILED_PRECONDITION",
       "L554, L585", 2, kNotForStores, Calls(kExists, kStat),
       NothingExistsBelowAFile, "The path cannot be created either.",
       "ENOTDIR is FAILED_PRECONDITION."},
      {704, "exists.not-after-deletion",
       "a deleted file does not exist, and a new one does", "L544-L553", 2,
       kPlain, Calls(kExists, kDeleteFile), WhatIsDeletedDoesNotExist,
       "A cache answers for the past.",
       "Drop what is cached of a file that is written or deleted."},
      {705, "paths-exist.each-its-status",
       "paths_exist gives each path a status, and true if all are OK",
       "L557-L575", 2, kPlain, Calls(kAllExist), AllExistWhenEachDoes,
       "A missing file passes for one that is there.",
       "Leave the operation null: the host's default does it."},
      {711, "stat.length", "stat gives the length of a file", "L577-L582", 1,
       kPlain, Calls(kStat), StatTellsTheLength,
       "Hosts read as many bytes as stat says.",
       "Do not answer from a cache after a write."},
      {712, "stat.time", "stat gives nanoseconds since 1970", "L577-L582", 2,
       kPlain, Calls(kStat), StatTellsTheTime,
       "Programs take the newest checkpoint by its time.",
       "Multiply seconds by 1,000,000,000."},
      {713, "stat.directories", "stat reports whether a path is a directory",
       "L577-L582", 2, kPlain, Calls(kStat), StatTellsDirectories,
       "Trees are walked by it.", "Set is_directory."},
      {714, "stat.missing-is-not-found",
       "stat of nothing is NOT_FOUND, also where another name merely shares "
       "its prefix",
       "L583-L584", 2, kPlain, Calls(kStat), StatOfNothingIsNotFound,
       "Programs would read what is not there.", "Compare whole names."},
      {715, "is-directory.tells-directories",
       "is_directory is true for directories only, NOT_FOUND for nothing",
       "L590-L599", 2, kPlain, Calls(kIsDirectory), TellsDirectoriesFromFiles,
       "Trees are walked by it.",
       "Leave the operation null: the host's "
       "default does it."},
      {716, "is-directory.of-a-file",
       "is_directory of a file is false, with OK", "L592-L597", 2, kDisputed,
       Calls(kIsDirectory), AFileIsNoDirectoryWithOk,
       "L592 asks for this; plugins in use answer FAILED_PRECONDITION, as "
       "TensorFlow's own do.",
       "Answer false with TF_OK."},
      {717, "size.of-a-file", "get_file_size gives the length of a file",
       "L607-L611", 1, kPlain, Calls(kSize), TellsTheSizeOfAFile,
       "Hosts read as many bytes as it says.",
       "Leave the operation null: the host's default does it."},
      {718, "size.only-of-files",
       "get_file_size of nothing is NOT_FOUND, of a directory "
       "FAILED_PRECONDITION",
       "L613-L618", 2, kPlain, Calls(kSize), OnlyFilesHaveASize,
       "A directory would pass for an empty file.", "Check what the path is."},
      {719, "stat.agrees-with-the-others",
       "stat, is_directory, get_file_size, get_children and path_exists agree",
       "L590-L611", 2, kPlain,
       Calls(kChildren, kStat, kIsDirectory, kExists, kSize),
       TheOperationsAgree, "Hosts use whichever operation is nearest.",
       "Make all of them ask one function."},
  };
}

}  // namespace fsload::conformance
