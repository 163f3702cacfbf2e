// FSPx91: statuses that are an error before each call.
#include <vector>

#include "loader/conformance/cases/cases.h"

namespace fsload::conformance {
namespace {

void ReadingSetsTheStatus(Trial& t) {
  if (!t.Put("file", "0123456789")) return;
  const auto file = t.Open("file");
  if (t.Ok(file)) {
    t.Yields((*file)->Read(0, 10), "0123456789");
    t.Yields((*file)->Read(5, 10), "56789");
  }
  if (t.Has(kRegion)) t.Ok(t.Map("file"));
}

void WritingSetsTheStatus(Trial& t) {
  const auto write = [&](absl::StatusOr<std::unique_ptr<TrialWriter>> file) {
    if (!t.Ok(file)) return;
    t.Ok((*file)->Append("contents"));
    if (t.Has(kTell)) t.Ok((*file)->Tell());
    if (t.Has(kFlush)) t.Ok((*file)->Flush());
    if (t.Has(kSync)) t.Ok((*file)->Sync());
    t.Ok((*file)->Close());
  };
  write(t.Create("file"));
  if (t.Has(kAppendable)) write(t.OpenToAppend("file"));
}

void ChangingSetsTheStatus(Trial& t) {
  if (!t.Put("file", "a")) return;
  if (t.Has(kCreateDir)) t.Ok(t.CreateDir("dir"));
  if (t.Has(kDeleteDir)) t.Ok(t.DeleteDir("dir"));
  const bool tree = t.Has(kCreateDirs)
                        ? t.Ok(t.RecursivelyCreateDir("a/b"))
                        : t.Has(kCreateDir) && t.Ok(t.CreateDir("a"));
  Undeleted left;
  if (tree && t.Has(kDeleteTree)) t.Ok(t.DeleteRecursively("a", left));
  if (t.Has(kCopy)) t.Ok(t.CopyFile("file", "copy"));
  if (t.Has(kRename)) t.Ok(t.RenameFile("file", "moved"));
  if (!t.Put("file", "a")) return;
  if (t.Has(kDeleteFile)) t.Ok(t.DeleteFile("file"));
}

void AskingSetsTheStatus(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("dir/file", "a")) return;
  if (t.Has(kExists)) t.Ok(t.PathExists("dir/file"));
  if (t.Has(kAllExist)) t.Ok(t.PathsExist({"dir/file"}).front());
  if (t.Has(kStat)) t.Ok(t.Stat("dir/file"));
  if (t.Has(kIsDirectory)) t.Ok(t.IsDirectory("dir"));
  if (t.Has(kSize)) t.Ok(t.GetFileSize("dir/file"));
  if (t.Has(kChildren)) t.Ok(t.GetChildren("dir"));
  if (t.Has(kGlob)) t.Ok(t.GetMatchingPaths("dir/*"));
}

}  // namespace

std::vector<Case> StatusCases() {
  static constexpr char kWhy[] =
      "A host that uses a status again takes the old error for a new one.";
  static constexpr char kRepair[] =
      "Set TF_OK too: TF_SetStatus(status, TF_OK, \"\").";
  return {
      {491, "statuses.of-reading",
       "reading sets its status, also to TF_OK on success", "L227-L228", 2,
       kPresetStatuses, Calls(kOpen, kRead), ReadingSetsTheStatus, kWhy,
       kRepair},
      {591, "statuses.of-writing",
       "writing sets its status, also to TF_OK on success", "L255-L256, L369",
       2, kPresetStatuses, Calls(kNew, kAppend, kClose), WritingSetsTheStatus,
       kWhy, kRepair},
      {691, "statuses.of-changes",
       "creating, deleting and moving set their status, also to TF_OK on "
       "success",
       "L423-L523", 2, kPresetStatuses, Calls(), ChangingSetsTheStatus, kWhy,
       kRepair},
      {791, "statuses.of-questions",
       "questions and listings set their status, also to TF_OK on success",
       "L548-L708", 2, kPresetStatuses, Calls(), AskingSetsTheStatus, kWhy,
       kRepair},
  };
}

}  // namespace fsload::conformance
