// fsload exists.
#include <string>

#include "core/walk/trailing_slash.h"
#include "tools/files/locations/local_parents.h"
#include "tools/files/names/presence.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

absl::StatusOr<bool> IsThereIn(VerbRun& run, const std::string& uri) {
  if (absl::IsNotFound(CheckParents(uri))) return false;
  const absl::StatusOr<FileSystemPtr> file_system = run.FileSystemFor(uri);
  if (!file_system.ok()) return file_system.status();
  const absl::StatusOr<bool> there = IsThere(**file_system, uri);
  if (!there.ok() || !*there) return there;
  return CheckTrailingSlash(**file_system, uri).ok();
}

void AskForEach(VerbRun& run) {
  run.ForEachArgument([&run](const std::string& uri) {
    absl::StatusOr<bool> there = IsThereIn(run, uri);
    if (!there.ok()) return there.status();
    if (!*there) run.output().SetOutcome(kMissing);
    run.output().Result("", "exists", {{"uri", uri}, {"exists", *there}});
    return absl::OkStatus();
  });
}

}  // namespace

void AddExists(CLI::App& app, int& exit_code) {
  AddVerb(
      app, exit_code,
      {"exists",
       "Exit with 0 if all arguments exist, 4 if one is missing; print nothing",
       "URIs or local paths",
       1,
       SIZE_MAX,
       {Op::kFilesystem_path_exists, Op::kFilesystem_stat,
        Op::kFilesystem_get_children}},
      AskForEach);
}

}  // namespace fsload
