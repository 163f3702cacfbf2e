// fsload mv.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/files/plan.h"
#include "tools/files/plan_options.h"
#include "tools/files/transfer_plan.h"
#include "tools/files/verb.h"
#include "tools/files/verbs.h"

namespace fsload {
namespace {

void Move(VerbRun& run, const PlanOptions& options) {
  std::vector<std::string> uris = run.options().uris;
  const std::optional<std::vector<Place>> target = PlacesOf(run, {uris.back()});
  uris.pop_back();
  if (!target.has_value() || target->empty()) return;
  run.SayAtomic(HowFilesAppearAt(target->front()));
  const std::optional<std::vector<Place>> sources = PlacesOf(run, uris);
  if (!sources.has_value()) return;
  TransferRequest request;
  request.sources = *sources;
  request.target = target->front();
  request.moves = true;
  request.recursive = true;
  request.filter = FilterOf(options);
  request.tell = TellsOf(run);
  ExecuteOrPrint(run, PlanTransfer(request), options, true);
}

}  // namespace

void AddMove(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* const command =
      AddVerb(app, exit_code,
              {"mv",
               "Move files and directories, to another file system too",
               "Sources, then the target",
               2,
               SIZE_MAX,
               {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
                Op::kFilesystem_stat, Op::kFilesystem_create_dir,
                Op::kFilesystem_rename_file, Op::kFilesystem_copy_file,
                Op::kFilesystem_delete_file, Op::kFilesystem_delete_dir},
               "each file, where it stays in one file system whose plugin has "
               "rename_file; several files are not"},
              [options](VerbRun& run) { Move(run, *options); });
  AddPlanOptions(*command, *options);
}

}  // namespace fsload
