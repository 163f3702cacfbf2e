// fsload rm.
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/cli/operands.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/removal_plan.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/plan_options.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

struct RemoveFlags {
  PlanOptions plan;
  bool recursive = false;
  bool force = false;
  int really = 0;  // how often it was given
};

constexpr std::string_view kReally = "give --really twice to override";

void Remove(VerbRun& run, const RemoveFlags& flags) {
  if (flags.recursive) run.KeepOutermost();
  const std::optional<std::vector<Location>> locations =
      LocationsOf(run, run.uris(), flags.force);
  if (!locations.has_value()) return;
  RemovalRequest request;
  request.locations = *locations;
  request.recursive = flags.recursive;
  request.whatever_it_is = flags.really >= 2;
  request.may_be_missing = flags.force;
  request.by_name = !flags.plan.dry_run;
  request.filter = FilterOf(flags.plan);
  request.report_error = ErrorReporterFor(run);
  ExecuteOrPrint(run, PlanRemoval(request), flags.plan, true);
}

}  // namespace

void AddRm(CLI::App& app, int& exit_code) {
  const auto flags = std::make_shared<RemoveFlags>();
  CLI::App* const command =
      AddVerb(app, exit_code,
              {"rm",
               "Delete files and directories",
               "URIs or local paths",
               1,
               SIZE_MAX,
               {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
                Op::kFilesystem_stat, Op::kFilesystem_delete_file,
                Op::kFilesystem_delete_dir},
               "no; files deleted before an error are not restored",
               "uri",
               Expands::kAll,
               [flags](VerbRun& run) {
                 return flags->really >= 2 ||
                        !RefusesAll(run, Expands::kAll, "delete", kReally);
               }},
              [flags](VerbRun& run) { Remove(run, *flags); });
  AddFlag(*command, "-r,--recursive", flags->recursive,
          "Delete directories and their contents");
  AllowNoOperands(*command,
                  AddFlag(*command, "-f,--force", flags->force,
                          "Ignore paths that do not exist; accept an empty "
                          "argument list"));
  AddRepeatedFlag(
      *command, "--really", flags->really,
      "If given twice, delete even what -r refuses, such as a root");
  AddPlanOptions(*command, flags->plan);
}

}  // namespace fsload
