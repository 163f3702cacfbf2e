// fsload du.
#include <memory>
#include <string>

#include "core/file_system/confirmed_stat.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/tree_walk.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/name_text.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

struct UsageOptions {
  bool human = false;
  size_t jobs = WalkOptions().jobs;
};

struct Usage {
  uint64_t bytes = 0;
  uint64_t files = 0;
  uint64_t directories = 0;

  void Add(const FileStatistics& found) {
    if (found.is_directory) {
      ++directories;
      return;
    }
    ++files;
    if (found.length > 0) bytes += static_cast<uint64_t>(found.length);
  }
};

absl::Status Sum(VerbRun& run, const FileSystem& file_system,
                 const std::string& uri, const UsageOptions& options) {
  Usage usage;
  const absl::StatusOr<FileStatistics> found = StatConfirmed(file_system, uri);
  if (!found.ok()) return found.status();
  const absl::Status fits = CheckTrailingSlash(file_system, uri);
  if (!fits.ok()) return fits;
  usage.Add(*found);
  if (found->is_directory) {
    WalkOptions walk;
    walk.detail = WalkDetail::kStatistics;
    walk.recursive = true;
    walk.sorted = false;
    walk.jobs = options.jobs;
    const absl::Status status = WalkTree(
        file_system, uri, walk,
        [&usage](const WalkEntry& entry) {
          usage.Add(*entry.found);
          return true;
        },
        [&run](const std::string& failed, const absl::Status& error) {
          run.output().Fail(failed, error);
        });
    if (!status.ok()) return status;
  }
  const std::string bytes =
      options.human ? HumanSize(usage.bytes) : Format("{}", usage.bytes);
  run.output().Result(Format("{}\t{}\n", bytes, NameText(uri)), "usage",
                      {{"uri", uri},
                       {"bytes", usage.bytes},
                       {"files", usage.files},
                       {"directories", usage.directories}});
  return absl::OkStatus();
}

}  // namespace

void AddDu(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<UsageOptions>();
  CLI::App* const command =
      AddVerb(app, exit_code,
              {"du",
               "Show the total length of all files under a path",
               "URIs or local paths",
               1,
               SIZE_MAX,
               {Op::kFilesystem_get_children, Op::kFilesystem_stat}},
              [options](VerbRun& run) {
                run.ForEachUri(
                    [&](const FileSystem& file_system, const std::string& uri) {
                      return Sum(run, file_system, uri, *options);
                    });
              });
  KeepShortHelpFree(*command);
  AddFlag(*command, "-h,--human-readable", options->human,
          "Print lengths with units, such as 1.5K");
  AddJobsOption(*command, "plugin calls to make", options->jobs);
}

}  // namespace fsload
