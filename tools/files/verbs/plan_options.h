// Command-line options of the verbs that plan.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/command_line.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/run/verb.h"
#include "tools/files/transfer/plan_execution.h"

namespace fsload {

struct PlanOptions {
  size_t jobs = ExecutionOptions().jobs;
  std::vector<std::string> includes;
  std::vector<std::string> excludes;
  bool dry_run = false;
  bool verbose = false;
};

// Options of cp and mv alone.
struct TransferOptions {
  PlanOptions plan;
  bool onto_target = false;  // never into it, if it is a directory
  bool force = false;        // without effect
};

// Adds -j, --include, --exclude, --dry-run and -v; `options` must outlive
// parsing.
void AddPlanOptions(CLI::App& command, PlanOptions& options);

// Adds these, -T and -f.
void AddTransferOptions(CLI::App& command, TransferOptions& options);

// Returns the filter of the options, whose patterns were checked during
// parsing.
PathFilter FilterOf(const PlanOptions& options);

// Reports an error and returns true if an argument is a pattern of everything
// at a root. Call it before patterns are expanded: that would list the whole
// file system. `verb` and `remedy` are parts of the message.
bool RefusesAll(VerbRun& run, Expands expands, std::string_view verb,
                std::string_view remedy);

// Reports an error as a plan requires; returns whether the command goes on.
ErrorReporter ErrorReporterFor(VerbRun& run);

// Returns the locations of `uris`. None if the command stops because one is
// missing, or the directory before a ".." in it; that may be missing if
// `parents_may_be`.
std::optional<std::vector<Location>> LocationsOf(
    VerbRun& run, const std::vector<std::string>& uris,
    bool parents_may_be = false);

// Returns the transfer that the command line asks for, to its last URI, which
// is also recorded for --explain. None if the command stops because a location
// is missing.
std::optional<TransferRequest> TransferOf(VerbRun& run,
                                          const TransferOptions& options);

// Returns whether a file that a verb puts at `target` appears whole or not at
// all, in words for --explain.
std::string DescribeAtomicity(const Location& target);

// Executes `plan` or, with --dry-run, prints it; does nothing without a plan.
void ExecuteOrPrint(VerbRun& run, const std::optional<Plan>& plan,
                    const PlanOptions& options, bool replaces);

}  // namespace fsload
