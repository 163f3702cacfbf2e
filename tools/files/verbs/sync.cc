// fsload sync.
#include <memory>
#include <optional>
#include <vector>

#include "tools/files/plan/plan.h"
#include "tools/files/plan/sync_plan.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/plan_options.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

struct SyncFlags {
  PlanOptions plan;
  bool checksum = false;
  bool deletes = false;
  bool really = false;
};

void Sync(VerbRun& run, const SyncFlags& flags) {
  const std::optional<std::vector<Location>> locations =
      LocationsOf(run, run.uris());
  if (!locations.has_value() || locations->size() != 2) return;
  run.SayAtomic(DescribeAtomicity(locations->back()));
  SyncRequest request;
  request.source = locations->front();
  request.target = locations->back();
  request.by_contents = flags.checksum;
  request.deletes = flags.deletes;
  request.deletes_all = flags.really;
  request.filter = FilterOf(flags.plan);
  request.report_error = ErrorReporterFor(run);
  ExecuteOrPrint(run, PlanSync(request), flags.plan, true);
}

}  // namespace

void AddSync(CLI::App& app, int& exit_code) {
  const auto flags = std::make_shared<SyncFlags>();
  CLI::App* const command = AddVerb(
      app, exit_code,
      {"sync",
       "Make a target directory's contents match a source directory's",
       "The directory to copy from, then the one to copy to",
       2,
       2,
       {Op::kFilesystem_get_children, Op::kFilesystem_stat,
        Op::kFilesystem_create_dir, Op::kFilesystem_new_random_access_file,
        Op::kRandomAccessFile_read, Op::kFilesystem_new_writable_file,
        Op::kWritableFile_append, Op::kWritableFile_close,
        Op::kFilesystem_copy_file, Op::kFilesystem_rename_file,
        Op::kFilesystem_delete_file, Op::kFilesystem_delete_dir},
       "per file, if the target's plugin has rename_file; not across "
       "files",
       "source target",
       Expands::kNothing},
      [flags](VerbRun& run) { Sync(run, *flags); });
  AddFlag(*command, "--checksum", flags->checksum,
          "Compare files of equal length by contents, not by modification "
          "time");
  CLI::Option* const deletes = AddFlag(
      *command, "--delete", flags->deletes,
      "Delete from the target what the source does not have, after copying");
  Need(AddFlag(*command, "--really", flags->really,
               "Delete even if the source has no files"),
       deletes);
  AddPlanOptions(*command, flags->plan);
}

}  // namespace fsload
