#include "tools/files/verbs/plan_options.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/bucket.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_parents.h"
#include "tools/files/transfer/plan_execution.h"

namespace fsload {
namespace {

std::string RefusePattern(const std::string& pattern) {
  return std::string(PathFilter::Create({pattern}, {}).status().message());
}

}  // namespace

void AddPlanOptions(CLI::App& command, PlanOptions& options) {
  AddJobsOption(command, "files to process", options.jobs);
  AddTexts(
      command, "--include", options.includes, &RefusePattern,
      "Select only files that match a pattern, such as '*.txt' or 'a/*/b', "
      "or are in a matching directory");
  AddTexts(command, "--exclude", options.excludes, &RefusePattern,
           "Skip paths that match a pattern");
  AddFlag(command, "--dry-run", options.dry_run,
          "Print the plan without executing it");
  AddFlag(command, "-v,--verbose", options.verbose,
          "Print a line for each completed change");
}

void AddTransferOptions(CLI::App& command, TransferOptions& options) {
  AddFlag(command, "-T,--no-target-directory", options.onto_target,
          "Treat the target as the destination path itself, never as a "
          "directory to put sources in");
  AddFlag(command, "-f,--force", options.force,
          "Ignored; accepted for scripts, as fsload never prompts");
  AddPlanOptions(command, options.plan);
}

PathFilter FilterOf(const PlanOptions& options) {
  absl::StatusOr<PathFilter> filter =
      PathFilter::Create(options.includes, options.excludes);
  return *std::move(filter);
}

bool RefusesAll(VerbRun& run, Expands expands, std::string_view verb,
                std::string_view remedy) {
  const std::optional<std::string> all = run.PatternOfAll(expands);
  if (!all.has_value()) return false;
  const Bucket bucket = BucketOf(*all);
  const bool is_of_file_system = ParseUri(*all).host == bucket.name;
  run.output().Fail(
      *all, FailedPreconditionError(
                "{}: refusing to {} all at the root of a {}; {}", *all, verb,
                is_of_file_system ? "file system" : bucket.word, remedy));
  return true;
}

ErrorReporter ErrorReporterFor(VerbRun& run) {
  return [&run](const std::string& uri, const absl::Status& status) {
    run.output().Fail(uri, status);
    return run.options().continue_on_error && !absl::IsCancelled(status);
  };
}

std::optional<std::vector<Location>> LocationsOf(
    VerbRun& run, const std::vector<std::string>& uris, bool parents_may_be) {
  const ErrorReporter report_error = ErrorReporterFor(run);
  std::vector<Location> locations;
  for (const std::string& uri : uris) {
    if (parents_may_be && absl::IsNotFound(CheckParents(uri))) continue;
    const absl::StatusOr<FileSystemPtr> file_system = run.FileSystemFor(uri);
    if (file_system.ok()) {
      locations.push_back({*file_system, uri});
    } else if (!report_error(uri, file_system.status())) {
      return std::nullopt;
    }
  }
  return locations;
}

std::string DescribeAtomicity(const Location& target) {
  const SchemeTables& tables = TablesOf(*target.file_system);
  if (tables.traits.replaces_atomically) {
    return "per file: the store shows an object only when it is complete";
  }
  return tables.filesystem.rename_file != nullptr
             ? "per file (written under a temporary name, then renamed)"
             : "no: there is no rename_file at the target, so incomplete files "
               "may be visible";
}

std::optional<TransferRequest> TransferOf(VerbRun& run,
                                          const TransferOptions& options) {
  std::vector<std::string> uris = run.uris();
  const std::optional<std::vector<Location>> target =
      LocationsOf(run, {uris.back()});
  uris.pop_back();
  if (!target.has_value() || target->empty()) return std::nullopt;
  run.SayAtomic(DescribeAtomicity(target->front()));
  const std::optional<std::vector<Location>> sources = LocationsOf(run, uris);
  if (!sources.has_value()) return std::nullopt;
  TransferRequest request;
  request.sources = *sources;
  request.target = target->front();
  request.named = run.named_sources();
  request.onto_target = options.onto_target;
  request.filter = FilterOf(options.plan);
  request.report_error = ErrorReporterFor(run);
  return request;
}

void ExecuteOrPrint(VerbRun& run, const std::optional<Plan>& plan,
                    const PlanOptions& options, bool replaces) {
  if (!plan.has_value()) return;
  if (options.verbose) run.ReportMatches();
  if (options.dry_run) {
    PrintPlan(*plan, run.output());
    return;
  }
  Execute(*plan,
          {options.jobs, replaces, run.options().continue_on_error,
           run.options().quiet, options.verbose, run.options().retries},
          run.output());
}

}  // namespace fsload
