// FSP84x, FSP867 and FSP868: what happens when something is denied or full, and
// where no more files can be opened.
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/process_limits.h"

namespace fsload::conformance {
namespace {

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
  if (first.ok() && !t.IsLink("full")) {
    return t.Skip("the plugin replaces a link by what it writes");  // L366
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
  // Why one entry stayed (L480): the file, or a directory that is not empty.
  t.Fails(t.DeleteRecursively("tree", left), {kDenied, kFailed});
  t.Expect(left.files == 1 && left.directories == 2,
           t.calls().back() +
               "; expected 1 file and 2 directories: "
               "closed and what it is in");
  t.Forbid("tree/closed", 0755);
  t.HasNames("tree", {"closed"});
  t.HasContents("tree/closed/kept", "tree/closed/kept");
}

constexpr char kKept[] = "kept";

// Expects an error that does not speak of the path, or the right answer.
void FailsForWantOfDescriptors(Trial& t, const char* call,
                               const absl::Status& status, bool is_right) {
  t.Record(call, status);
  const bool misleads =
      absl::IsNotFound(status) || absl::IsOutOfRange(status) ||
      absl::IsFailedPrecondition(status) || absl::IsInvalidArgument(status) ||
      absl::IsAlreadyExists(status);
  t.Expect(status.ok() ? is_right : !misleads,
           t.calls().back() +
               "; expected RESOURCE_EXHAUSTED, as no file can be opened");
}

void WithoutDescriptorsNothingIsThoughtMissing(Trial& t) {
  if (!t.Put("file", kKept) || !t.PutDir("dir") || !t.Put("dir/a", "a")) return;
  Target& target = t.setting().tested;
  absl::Status opened;
  absl::Status mapped;
  absl::Status created;
  absl::StatusOr<Names> listed;
  {
    const Limit limit = DescriptorLimit(0);
    opened = target.Open(t.Uri("file")).status();
    if (t.Has(kRegion)) mapped = target.Map(t.Uri("file")).status();
    created = target.Create(t.Uri("file")).status();
    listed = target.GetChildren(t.Uri("dir"));
  }
  FailsForWantOfDescriptors(t, "new_random_access_file(\"file\")", opened,
                            true);
  FailsForWantOfDescriptors(
      t, "new_read_only_memory_region_from_file(\"file\")", mapped, true);
  FailsForWantOfDescriptors(t, "new_writable_file(\"file\")", created, true);
  FailsForWantOfDescriptors(t, "get_children(\"dir\")", listed.status(),
                            listed.ok() && *listed == Names{"a"});
  if (!created.ok()) t.HasContents("file", kKept);
  t.HasNames("", {"dir", "file"});
}

void WithoutDescriptorsATreeIsNotDeleted(Trial& t) {
  if (!t.PutDir("tree") || !t.Put("tree/file", kKept)) return;
  Undeleted left;
  absl::Status status;
  {
    const Limit limit = DescriptorLimit(0);
    status = t.setting().tested.DeleteRecursively(t.Uri("tree"), left);
  }
  FailsForWantOfDescriptors(t, "delete_recursively(\"tree\")", status, true);
  if (status.ok()) return t.HasNoFile("tree");
  t.Expect(left.files + left.directories > 0,
           "delete_recursively fails and counts nothing as undeleted");
}

}  // namespace

std::vector<Case> FaultCases() {
  return {
      {841, "faults.full-disk", "writing to a full disk is RESOURCE_EXHAUSTED",
       "L257-L258", 4, kLocalFiles, Calls(kNew, kAppend, kClose),
       AFullDiskIsToldOf, "A file that was not stored passes for one that was.",
       "Check every write, and the last one in close."},
      {842, "faults.permission-denied",
       "what permissions forbid is PERMISSION_DENIED and changes nothing",
       "L356", 4, kLocalFiles | kUnprivileged,
       Calls(kOpen, kNew, kDeleteFile, kCreateDir, kRename, kExists, kStat),
       WhatIsForbiddenIsPermissionDenied,
       "NOT_FOUND makes programs create or overwrite what they may not see.",
       "EACCES and EPERM are PERMISSION_DENIED."},
      {843, "faults.delete-what-can-be-deleted",
       "delete_recursively goes on after a failure, and counts what is left",
       "L479-L482", 4, kLocalFiles | kUnprivileged, Calls(kDeleteTree),
       DeletesWhatCanBeDeleted, "The caller cannot tell how much is left.",
       "Keep the first error, and go on."},
      {844, "faults.permission-denied-to-append",
       "appending to what permissions forbid is PERMISSION_DENIED", "L389-L393",
       4, kLocalFiles | kUnprivileged, Calls(kAppendable),
       ForbiddenAppendsAreDenied,
       "NOT_FOUND makes programs create what they may not see.",
       "EACCES and EPERM are PERMISSION_DENIED."},
      {845, "faults.permission-denied-to-create-ancestors",
       "creating directories where permissions forbid it is PERMISSION_DENIED",
       "L433-L439", 4, kLocalFiles | kUnprivileged, Calls(kCreateDirs),
       ForbiddenAncestorsAreDenied,
       "A caller waits for a directory that cannot be.",
       "EACCES and EPERM are PERMISSION_DENIED."},
      {846, "faults.permission-denied-to-copy",
       "copying what permissions forbid is PERMISSION_DENIED and leaves "
       "nothing",
       "L530-L542", 4, kLocalFiles | kUnprivileged, Calls(kCopy),
       ForbiddenCopiesAreDenied,
       "A copy without contents passes for one that is whole.",
       "Open the source before the target is created."},
      {847, "faults.permission-denied-to-list",
       "listing a directory that permissions forbid is PERMISSION_DENIED",
       "L667-L676", 4, kLocalFiles | kUnprivileged, Calls(kChildren),
       ForbiddenListingsAreDenied,
       "A directory that seems empty is deleted, or copied as if it were.",
       "Report the error of opendir, and that of each readdir."},
      {848, "faults.permission-denied-to-match",
       "a pattern that needs a forbidden directory is PERMISSION_DENIED",
       "L707-L714", 4, kLocalFiles | kUnprivileged, Calls(kGlob),
       ForbiddenMatchesAreDenied,
       "A program works on part of its files, and does not know.",
       "With glob(3), pass GLOB_ERR; report what a listing reports."},
      {867, "faults.no-descriptors",
       "without descriptors files are not thought missing, empty or listed",
       "L351-L356", 4, kLocalFiles | kNoDefaults | kOwnProcess,
       Calls(kOpen, kNew, kChildren), WithoutDescriptorsNothingIsThoughtMissing,
       "A program would create anew, or take for empty, what is there.",
       "EMFILE and ENFILE are RESOURCE_EXHAUSTED; check opendir."},
      {868, "faults.no-descriptors-to-delete",
       "without descriptors delete_recursively fails, and counts what is left",
       "L479-L482", 4, kLocalFiles | kNoDefaults | kOwnProcess,
       Calls(kDeleteTree), WithoutDescriptorsATreeIsNotDeleted,
       "A program would think that nothing is left.", "Check opendir."},
  };
}

}  // namespace fsload::conformance
