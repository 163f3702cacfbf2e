// FSP82x and FSP84x: what calls cost, and what happens when something is
// denied or full.
#include <dirent.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "core/conformance/case.h"

namespace fsload::conformance {
namespace {

int OpenDescriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"),
                                                   &closedir);
  int count = 0;
  while (folder != nullptr && readdir(folder.get()) != nullptr) ++count;
  return count;
}

// Expects that `work`, done again and again, leaves no descriptors open.
template <typename Work>
void ExpectNoDescriptors(Trial& t, std::string_view what, Work work,
                         int rounds = 40) {
  for (int i = 0; i < 2; ++i) work();  // connections, caches
  const int before = OpenDescriptors();
  for (int i = 0; i < rounds; ++i) work();
  const int more = OpenDescriptors() - before;
  // A pool may grow a little.
  t.Expect(more < rounds / 2,
           fmt::format("{} {} times leaves {} more descriptors open", what,
                       rounds, more));
}

void LeavesNoDescriptors(Trial& t) {
  if (!t.Put("file", "contents") || !t.PutDir("dir")) return;
  Target& target = t.setting().tested;
  const std::string file = t.Uri("file");
  ExpectNoDescriptors(t, "reading a file", [&] {
    char byte;
    const auto opened = target.Open(file);
    if (opened.ok()) (*opened)->Read(0, 1, &byte).IgnoreError();
  });
  ExpectNoDescriptors(t, "writing a file", [&] {
    const auto opened = target.Create(t.Uri("other"));
    if (!opened.ok()) return;
    (*opened)->Append("a").IgnoreError();
    (*opened)->Close().IgnoreError();
  });
  ExpectNoDescriptors(t, "mapping a file",
                      [&] { target.Map(file).IgnoreError(); });
  ExpectNoDescriptors(t, "listing a directory",
                      [&] { target.GetChildren(t.Uri("")).IgnoreError(); });
  // By default this waits for the next second where times are in seconds.
  ExpectNoDescriptors(
      t, "copying and renaming a file",
      [&] {
        target.CopyFile(file, t.Uri("copy")).IgnoreError();
        target.RenameFile(t.Uri("copy"), t.Uri("moved")).IgnoreError();
      },
      /*rounds=*/8);
}

void UnclosedFilesLeaveNoDescriptors(Trial& t) {
  Target& target = t.setting().tested;
  const std::string uri = t.Uri("file");
  ExpectNoDescriptors(t, "cleaning up a file that was not closed", [&] {
    const auto opened = target.Create(uri);
    if (!opened.ok()) return;
    (*opened)->Append("a").IgnoreError();
    (*opened)->Abandon();
  });
}

void FailedCallsLeaveNoDescriptors(Trial& t) {
  if (!t.Put("file", "contents") || !t.PutDir("dir")) return;
  Target& target = t.setting().tested;
  ExpectNoDescriptors(t, "failing to open what is not there or is a directory",
                      [&] {
                        target.Open(t.Uri("none")).IgnoreError();
                        target.Open(t.Uri("dir")).IgnoreError();
                        target.Map(t.Uri("none")).IgnoreError();
                        target.Map(t.Uri("dir")).IgnoreError();
                      });
  ExpectNoDescriptors(t, "failing to open for writing", [&] {
    target.Create(t.Uri("none/file")).IgnoreError();
    target.Create(t.Uri("dir")).IgnoreError();
    target.OpenToAppend(t.Uri("none/file")).IgnoreError();
    target.OpenToAppend(t.Uri("dir")).IgnoreError();
  });
  ExpectNoDescriptors(t, "failing to list or copy", [&] {
    target.GetChildren(t.Uri("none")).IgnoreError();
    target.GetChildren(t.Uri("file")).IgnoreError();
    target.CopyFile(t.Uri("none"), t.Uri("other")).IgnoreError();
    target.CopyFile(t.Uri("file"), t.Uri("none/other")).IgnoreError();
  });
}

// In use, with blocks that have a mapping of their own.
size_t HeapBytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

// Expects that `work`, done again and again, does not grow the heap.
template <typename Work>
void ExpectNoGrowth(Trial& t, std::string_view what, Work work) {
  constexpr int kRounds = 300;
  constexpr size_t kMost = 100;  // bytes for each round, of caches
  for (int i = 0; i < 30; ++i) work();
  const size_t before = HeapBytes();
  for (int i = 0; i < kRounds; ++i) work();
  const size_t after = HeapBytes();
  t.Expect(after < before + kRounds * kMost,
           fmt::format("{} {} times takes {} bytes more of memory", what,
                       kRounds, after - before));
}

void LeaksNoMemory(Trial& t) {
  if (!t.Put("file", std::string(300, 'x')) || !t.PutDir("dir")) return;
  for (int i = 0; i < 20; ++i) {
    if (!t.Put(fmt::format("dir/a file with a long name {}", i), "")) return;
  }
  Target& target = t.setting().tested;
  const std::string file = t.Uri("file");
  const std::string dir = t.Uri("dir");
  ExpectNoGrowth(t, "reading a file", [&] {
    char buffer[200];
    const auto opened = target.Open(file);
    if (opened.ok()) {
      (*opened)->Read(0, sizeof(buffer), buffer).IgnoreError();
    }
  });
  ExpectNoGrowth(t, "listing a directory",
                 [&] { target.GetChildren(dir).IgnoreError(); });
  ExpectNoGrowth(t, "matching a pattern",
                 [&] { target.GetMatchingPaths(dir + "/*").IgnoreError(); });
  ExpectNoGrowth(t, "translating a name",
                 [&] { target.TranslateName(file).IgnoreError(); });
  ExpectNoGrowth(t, "stat of a file", [&] { target.Stat(file).IgnoreError(); });
  ExpectNoGrowth(t, "failing to open and list", [&] {
    target.Open(t.Uri("none")).IgnoreError();
    target.GetChildren(t.Uri("none")).IgnoreError();
  });
}

void WritesLeakNoMemory(Trial& t) {
  Target& target = t.setting().tested;
  const std::string uri = t.Uri("file");
  ExpectNoGrowth(t, "writing a file", [&] {
    const auto opened = target.Create(uri);
    if (!opened.ok()) return;
    (*opened)->Append(std::string(300, 'x')).IgnoreError();
    (*opened)->Close().IgnoreError();
  });
}

void AFullDiskIsToldOf(Trial& t) {
  // Writes to this device fail as if the disk were full.
  if (!t.PutLink("full", "/dev/full")) return;
  const auto file = t.Create("full");
  if (!file.ok()) return t.Skip("the plugin writes no devices");
  const std::string bytes(1 << 20, 'x');
  absl::Status first;
  for (const absl::Status& status :
       {(*file)->Append(bytes), (*file)->Flush(), (*file)->Close()}) {
    if (first.ok() && !absl::IsUnimplemented(status)) first = status;
  }
  t.Expect(absl::IsResourceExhausted(first),
           "writing to a full disk -> " + first.ToString() +
               "; expected RESOURCE_EXHAUSTED from append, flush or close");
}

constexpr auto kDenied = absl::StatusCode::kPermissionDenied;

// A file that may not be opened, and a directory with a file that has `mode`.
bool PutForbidden(Trial& t, unsigned mode) {
  return t.PutDir("closed") && t.Put("closed/file", "kept") &&
         t.Put("secret", "kept") && t.Forbid("secret", 0) &&
         t.Forbid("closed", mode);
}

void LiftAndExpectUnchanged(Trial& t) {
  t.Forbid("secret", 0644);
  t.Forbid("closed", 0755);
  t.HasNames("", {"closed", "secret"});
  t.HasNames("closed", {"file"});
  t.HasContents("closed/file", "kept");
  t.HasContents("secret", "kept");
}

void WhatIsForbiddenIsPermissionDenied(Trial& t) {
  if (!PutForbidden(t, 0555)) return;
  t.Ok(t.PathExists("secret"));
  t.Ok(t.Stat("secret"));
  t.Fails(t.Open("secret"), {kDenied});
  t.Fails(t.Create("closed/new"), {kDenied});
  t.Fails(t.DeleteFile("closed/file"), {kDenied});
  t.Fails(t.CreateDir("closed/dir"), {kDenied});
  t.Fails(t.RenameFile("closed/file", "new"), {kDenied});
  LiftAndExpectUnchanged(t);
}

void ForbiddenAppendsAreDenied(Trial& t) {
  if (!PutForbidden(t, 0555)) return;
  t.Fails(t.OpenToAppend("secret"), {kDenied});
  t.Fails(t.OpenToAppend("closed/new"), {kDenied});
  LiftAndExpectUnchanged(t);
}

void ForbiddenAncestorsAreDenied(Trial& t) {
  if (!PutForbidden(t, 0555)) return;
  t.Fails(t.RecursivelyCreateDir("closed/a/b"), {kDenied});
  LiftAndExpectUnchanged(t);
}

void ForbiddenCopiesAreDenied(Trial& t) {
  if (!PutForbidden(t, 0555)) return;
  t.Fails(t.CopyFile("secret", "new"), {kDenied});
  t.Fails(t.CopyFile("closed/file", "closed/new"), {kDenied});
  LiftAndExpectUnchanged(t);
}

void ForbiddenListingsAreDenied(Trial& t) {
  if (!PutForbidden(t, 0)) return;
  t.Fails(t.GetChildren("closed"), {kDenied});
  LiftAndExpectUnchanged(t);
}

void ForbiddenMatchesAreDenied(Trial& t) {
  if (!PutForbidden(t, 0)) return;
  t.Fails(t.GetMatchingPaths("closed/*"), {kDenied});
  t.Fails(t.GetMatchingPaths("*/*"), {kDenied});
  LiftAndExpectUnchanged(t);
}

void DeletesWhatCanBeDeleted(Trial& t) {
  for (const char* dir : {"tree", "tree/a", "tree/closed", "tree/z"}) {
    if (!t.PutDir(dir)) return;
  }
  for (const char* file : {"tree/a/1", "tree/closed/kept", "tree/z/2"}) {
    if (!t.Put(file, file)) return;
  }
  if (!t.Forbid("tree/closed", 0555)) return;
  Undeleted left = {7, 7};
  t.Fails(t.DeleteRecursively("tree", left),
          {absl::StatusCode::kPermissionDenied});
  t.Expect(left.files == 1 && left.directories == 2,
           t.calls().back() +
               "; expected 1 file and 2 directories: "
               "closed and what it is in");
  t.Forbid("tree/closed", 0755);
  t.HasNames("tree", {"closed"});
  t.HasContents("tree/closed/kept", "tree/closed/kept");
}

}  // namespace

std::vector<Case> ResourceCases() {
  return {
      {821,
       "resources.no-descriptors",
       "calls leave no descriptors open",
       "L206-L212",
       2,
       kPlain,
       {kOpen, kRead, kNew, kAppend, kClose, kChildren},
       LeavesNoDescriptors,
       "A long run ends with EMFILE.",
       "Close in close or cleanup what was opened, on every path."},
      {822,
       "resources.no-descriptors-after-errors",
       "failed calls leave no descriptors open",
       "L61-L63",
       2,
       kPlain,
       {kOpen, kChildren},
       FailedCallsLeaveNoDescriptors,
       "The host does not clean up a file that did not open.",
       "Close what was opened before an error is returned."},
      {823,
       "resources.no-memory",
       "calls leak no memory",
       "L656-L665",
       2,
       kPlain,
       {kOpen, kRead, kChildren},
       LeaksNoMemory,
       "A long run ends without memory.",
       "Free what is not handed over, and allocate with the plugin's hook "
       "what is."},
      {824,
       "resources.no-memory-by-writing",
       "writing leaks no memory",
       "L240-L246",
       2,
       kPlain,
       {kNew, kAppend, kClose},
       WritesLeakNoMemory,
       "A long run ends without memory.",
       "Free the file's state in cleanup."},
      {825,
       "resources.no-descriptors-without-close",
       "a file that is cleaned up without a close leaves no descriptor open",
       "L240-L246",
       2,
       kPlain,
       {kNew, kAppend},
       UnclosedFilesLeaveNoDescriptors,
       "A host that fails in the middle of a file does not close it.",
       "Close in cleanup what close has not closed."},
      {841,
       "faults.full-disk",
       "writing to a full disk is RESOURCE_EXHAUSTED",
       "L257-L258",
       4,
       kLocalFiles,
       {kNew, kAppend, kClose},
       AFullDiskIsToldOf,
       "A file that was not stored passes for one that was.",
       "Check every write, and the last one in close."},
      {842,
       "faults.permission-denied",
       "what permissions forbid is PERMISSION_DENIED and changes nothing",
       "L356",
       4,
       kLocalFiles | kUnprivileged,
       {kOpen, kNew, kDeleteFile, kCreateDir, kRename, kExists, kStat},
       WhatIsForbiddenIsPermissionDenied,
       "NOT_FOUND makes programs create or overwrite what they may not see.",
       "EACCES and EPERM are PERMISSION_DENIED."},
      {843,
       "faults.delete-what-can-be-deleted",
       "delete_recursively goes on after a failure, and counts what is left",
       "L479-L482",
       4,
       kLocalFiles | kUnprivileged,
       {kDeleteTree},
       DeletesWhatCanBeDeleted,
       "The caller cannot tell how much is left.",
       "Keep the first error, and go on."},
      {844,
       "faults.permission-denied-to-append",
       "appending to what permissions forbid is PERMISSION_DENIED",
       "L389-L393",
       4,
       kLocalFiles | kUnprivileged,
       {kAppendable},
       ForbiddenAppendsAreDenied,
       "NOT_FOUND makes programs create what they may not see.",
       "EACCES and EPERM are PERMISSION_DENIED."},
      {845,
       "faults.permission-denied-to-create-ancestors",
       "creating directories where permissions forbid it is PERMISSION_DENIED",
       "L433-L439",
       4,
       kLocalFiles | kUnprivileged,
       {kCreateDirs},
       ForbiddenAncestorsAreDenied,
       "A caller waits for a directory that cannot be.",
       "EACCES and EPERM are PERMISSION_DENIED."},
      {846,
       "faults.permission-denied-to-copy",
       "copying what permissions forbid is PERMISSION_DENIED and leaves "
       "nothing",
       "L530-L542",
       4,
       kLocalFiles | kUnprivileged,
       {kCopy},
       ForbiddenCopiesAreDenied,
       "A copy without contents passes for one that is whole.",
       "Open the source before the target is created."},
      {847,
       "faults.permission-denied-to-list",
       "listing a directory that permissions forbid is PERMISSION_DENIED",
       "L667-L676",
       4,
       kLocalFiles | kUnprivileged,
       {kChildren},
       ForbiddenListingsAreDenied,
       "A directory that seems empty is deleted, or copied as if it were.",
       "Report the error of opendir, and that of each readdir."},
      {848,
       "faults.permission-denied-to-match",
       "a pattern that needs a forbidden directory is PERMISSION_DENIED",
       "L707-L714",
       4,
       kLocalFiles | kUnprivileged,
       {kGlob},
       ForbiddenMatchesAreDenied,
       "A program works on part of its files, and does not know.",
       "With glob(3), pass GLOB_ERR; report what a listing reports."},
  };
}

}  // namespace fsload::conformance
