// fsload exists.
#include <string>

#include "core/walk/trailing_slash.h"
#include "tools/files/names/presence.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

void AskForEach(VerbRun& run) {
  run.ForEachUri([&run](const FileSystem& file_system, const std::string& uri) {
    absl::StatusOr<bool> there = IsThere(file_system, uri);
    if (!there.ok()) return there.status();
    if (*there) there = CheckTrailingSlash(file_system, uri).ok();
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
