// fsload mv.
#include <memory>
#include <optional>

#include "tools/files/plan/transfer_plan.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/plan_options.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

void Move(VerbRun& run, const TransferOptions& options) {
  run.KeepOutermost();
  std::optional<TransferRequest> request = TransferOf(run, options);
  if (!request.has_value()) return;
  request->moves = true;
  request->recursive = true;
  ExecuteOrPrint(run, PlanTransfer(*request), options.plan, true);
}

}  // namespace

void AddMv(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<TransferOptions>();
  CLI::App* const command =
      AddVerb(app, exit_code,
              {"mv",
               "Move files and directories within or between file systems",
               "Sources, then the target",
               2,
               SIZE_MAX,
               {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
                Op::kFilesystem_stat, Op::kFilesystem_create_dir,
                Op::kFilesystem_rename_file, Op::kFilesystem_copy_file,
                Op::kFilesystem_delete_file, Op::kFilesystem_delete_dir},
               "per file, within a file system whose plugin has rename_file; "
               "not across files",
               "source... target",
               Expands::kSources,
               [](VerbRun& run) {
                 return !RefusesAll(run, Expands::kSources, "move",
                                    "name what is to be moved");
               }},
              [options](VerbRun& run) { Move(run, *options); });
  AddTransferOptions(*command, *options);
}

}  // namespace fsload
