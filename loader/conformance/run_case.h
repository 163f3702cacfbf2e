// Runs conformance cases against a plugin, in this process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "fsload/file_system.h"
#include "fsload/op.h"
#include "loader/conformance/case.h"
#include "loader/conformance/trial.h"

namespace fsload::conformance {

// How a case calls the plugin.
enum class CallMode : uint8_t {
  kTables,   // its functions: is the plugin right?
  kFacade,   // through FileSystem: is the pair right?
  kWithout,  // the same with one operation hidden, so that its default is used
};

// One way to run a case.
struct CaseRun {
  const Case* the_case;
  CallMode way;
  std::optional<Op> hidden;  // for kWithout

  // Returns "rename.onto-itself@tables", "...@facade",
  // "...@without-rename_file".
  std::string Name() const;
};

// Returns all ways to run `the_case` with some plugin, the plugin's own first:
// each operation is hidden that the case calls and that has a default.
std::vector<CaseRun> PossibleRuns(const Case& the_case);

// Returns the first of them, and the others that can be asked of a plugin that
// has `tables`.
std::vector<CaseRun> RunsOf(const Case& the_case, const SchemeTables& tables);

// Returns the operations without which `run` cannot be asked of a plugin that
// has `tables`, each once; empty if it can.
std::vector<Op> MissingOps(const CaseRun& run, const SchemeTables& tables);

// Returns "the plugin has no stat, get_children".
std::string HasNo(const std::vector<Op>& ops);

// Returns whether `pattern`, a glob, matches the name of `run`, of its case or
// of its rule.
bool Selects(const std::string& pattern, const CaseRun& run);

struct CaseResult {
  std::vector<std::string> failures;   // sentences; empty: it passed
  std::vector<std::string> calls;      // what was called, with the results
  std::optional<std::string> skipped;  // why nothing was tested
  std::string sequence;  // what fails, for RunSetting::replay; "" if nothing
};

// Runs one case with the plugin behind `file_system`. One case at a time. The
// directory's contents are left as the case left them.
CaseResult RunCase(const CaseRun& run, const FileSystemPtr& file_system,
                   const RunSetting& setting);

// Returns `file_system`, not null, without `op`.
absl::StatusOr<FileSystemPtr> Hide(FileSystemPtr file_system, Op op);

// Returns whether the directory `root` is one of this machine's, so that cases
// may prepare it past the plugin: a file written by the plugin is seen there.
bool IsLocalDirectory(const FileSystem& file_system, const std::string& root);

}  // namespace fsload::conformance
