// What the verbs that plan have in common on their command lines.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_PLAN_OPTIONS_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_PLAN_OPTIONS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/command_line.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/run/verb.h"
#include "tools/files/walk/path_filter.h"

namespace fsload {

struct PlanOptions {
  size_t jobs = 4;
  std::vector<std::string> includes;
  std::vector<std::string> excludes;
  bool dry_run = false;
};

// Adds -j, --include, --exclude and --dry-run; `options` outlives the parsing.
void AddPlanOptions(CLI::App& command, PlanOptions& options);

// What the options say, whose patterns were checked when they were parsed.
PathFilter FilterOf(const PlanOptions& options);

// Tells of an error, as a plan wants it; whether the command goes on after it.
TellError TellsOf(VerbRun& run);

// The places of `uris`. Nothing when the command ends for want of one.
std::optional<std::vector<Place>> PlacesOf(
    VerbRun& run, const std::vector<std::string>& uris);

// What the command line asks to be brought to its last URI, which --explain is
// told of too. Nothing when the command ends for want of a place.
std::optional<TransferRequest> TransferOf(VerbRun& run,
                                          const PlanOptions& options);

// Whether a file that a verb puts at `target` is there whole or not at all, in
// words for --explain.
std::string HowFilesAppearAt(const Place& target);

// Does what `plan` says or, for --dry-run, prints it; neither without a plan.
void ExecuteOrPrint(VerbRun& run, const std::optional<Plan>& plan,
                    const PlanOptions& options, bool replaces);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_PLAN_OPTIONS_H_
