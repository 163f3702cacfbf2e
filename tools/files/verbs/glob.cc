// fsload glob.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/confirmed_stat.h"
#include "tools/files/run/store_errors.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/name_text.h"

namespace fsload {
namespace {

// OK unless `pattern`, which matches nothing, is in a bucket that does not
// exist, or names one path and it is unknown whether that is there: the
// plugin's word for "no match" is NOT_FOUND too.
absl::Status CheckNoMatch(const FileSystem& file_system,
                          const std::string& pattern) {
  const absl::Status bucket = CheckBucket(file_system, pattern);
  if (!bucket.ok()) return bucket;
  if (pattern.find_first_of("*?[\\") != std::string::npos) {
    return absl::OkStatus();
  }
  const absl::Status status = StatConfirmed(file_system, pattern).status();
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

void GlobEach(VerbRun& run) {
  run.ForEachUri(
      [&run](const FileSystem& file_system, const std::string& pattern) {
        const absl::StatusOr<std::vector<std::string>> paths =
            file_system.GetMatchingPaths(pattern);
        if (!paths.ok()) return paths.status();
        for (const std::string& path : *paths) {
          if (!run.output().Result(NameText(path) + "\n", "match",
                                   {{"pattern", pattern}, {"uri", path}})) {
            break;
          }
        }
        return paths->empty() ? CheckNoMatch(file_system, pattern)
                              : absl::OkStatus();
      });
}

}  // namespace

void AddGlob(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code,
          {"glob",
           "List the paths that match a pattern",
           "Patterns with *, ?, [a-z] and [^a-z], which never match /; \\ "
           "escapes a character",
           1,
           SIZE_MAX,
           {Op::kFilesystem_get_matching_paths},
           /*atomic=*/nullptr,
           "pattern",
           Expands::kPatterns},
          GlobEach);
}

}  // namespace fsload
