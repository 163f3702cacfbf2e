#include "loader/conformance/run_case.h"

#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_needs.h"
#include "core/tables/operations.h"
#include "core/wrappers/layer.h"
#include "loader/conformance/target.h"
#include "loader/conformance/trial.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

// What a plugin would be that lacked one of its operations.
class LackingLayer final : public Layer {
 public:
  LackingLayer(FileSystemPtr inner, Op lacked)
      : Layer(std::move(inner)), lacked_(lacked) {}

  bool Has(Op op) const override {
    return op != lacked_ && FunctionIn(tables(), op) != nullptr;
  }
  void Pass(LayerCall& call) const override { call.Forward(); }

 private:
  const Op lacked_;
};

}  // namespace

std::string CaseRun::Name() const {
  switch (way) {
    case CallMode::kTables:
      return Format("{}@tables", the_case->name);
    case CallMode::kFacade:
      return Format("{}@facade", the_case->name);
    case CallMode::kWithout:
      return Format("{}@without-{}", the_case->name, Describe(*hidden).name);
  }
  return "";
}

std::vector<CaseRun> PossibleRuns(const Case& the_case) {
  std::vector<CaseRun> runs = {{&the_case, CallMode::kTables, std::nullopt}};
  if ((the_case.traits & kPresetStatuses) != 0) return runs;
  runs.push_back({&the_case, CallMode::kFacade, std::nullopt});
  if ((the_case.traits & kNoDefaults) != 0) return runs;
  for (const Op op : the_case.calls) {
    if (Describe(op).absence == Absence::kDefault) {
      runs.push_back({&the_case, CallMode::kWithout, op});
    }
  }
  return runs;
}

std::vector<CaseRun> RunsOf(const Case& the_case, const SchemeTables& tables) {
  std::vector<CaseRun> runs;
  for (const CaseRun& run : PossibleRuns(the_case)) {
    if (runs.empty() || MissingOps(run, tables).empty()) runs.push_back(run);
  }
  return runs;
}

std::vector<Op> MissingOps(const CaseRun& run, const SchemeTables& tables) {
  const bool hides = run.hidden.has_value();
  if (hides && FunctionIn(tables, *run.hidden) == nullptr) {
    return {*run.hidden};
  }
  const SchemeTables tested = hides ? Without(tables, *run.hidden) : tables;
  const bool own =
      run.way == CallMode::kTables || (run.the_case->traits & kNoDefaults) != 0;
  std::vector<Op> missing;
  for (const Op op : run.the_case->calls) {
    if (own && FunctionIn(tested, op) == nullptr) missing.push_back(op);
    if (own) continue;
    for (const Op each : MissingFor(tested, op)) {
      if (std::count(missing.begin(), missing.end(), each) == 0) {
        missing.push_back(each);
      }
    }
  }
  return missing;
}

std::string HasNo(const std::vector<Op>& ops) {
  std::vector<std::string> names;
  for (const Op op : ops) names.emplace_back(Describe(op).name);
  return Format("the plugin has no {}", absl::StrJoin(names, ", "));
}

bool Selects(const std::string& pattern, const CaseRun& run) {
  const auto matches = [&](const std::string& name) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  };
  return matches(run.Name()) || matches(run.the_case->name) ||
         matches(RuleName(*run.the_case));
}

absl::StatusOr<FileSystemPtr> Hide(FileSystemPtr file_system, Op op) {
  return MakeLayered(
      std::make_unique<LackingLayer>(std::move(file_system), op));
}

bool IsLocalDirectory(const FileSystem& file_system, const std::string& root) {
  const auto path = file_system.TranslateName(root + "/fsload-is-it-local");
  if (!path.ok()) return false;
  const auto file = file_system.NewWritableFile(root + "/fsload-is-it-local");
  if (!file.ok()) return false;
  struct stat found;
  const bool local = (*file)->Close().ok() && stat(path->c_str(), &found) == 0;
  file_system.DeleteFile(root + "/fsload-is-it-local").IgnoreError();
  return local;
}

CaseResult RunCase(const CaseRun& run, const FileSystemPtr& file_system,
                   const RunSetting& setting) {
  CaseResult result;
  const std::vector<Op> missing = MissingOps(run, TablesOf(*file_system));
  if (!missing.empty()) {
    result.skipped = HasNo(missing);
    return result;
  }
  FileSystemPtr tested = file_system;
  if (run.hidden.has_value()) {
    auto hidden = Hide(file_system, *run.hidden);
    if (!hidden.ok()) {
      result.failures.push_back(hidden.status().ToString());
      return result;
    }
    tested = *std::move(hidden);
  }
  const bool raw = run.way == CallMode::kTables;
  Trial* current = nullptr;
  const auto violation = [&current](const std::string& sentence) {
    current->Expect(false, sentence);
  };
  const bool presets = (run.the_case->traits & kPresetStatuses) != 0;
  const std::unique_ptr<Target> target =
      raw ? MakeTableTarget(*tested, violation, presets)
          : MakeFacadeTarget(*tested);
  const std::unique_ptr<Target> whole =
      raw ? MakeTableTarget(*file_system, violation, /*presets_status=*/false)
          : MakeFacadeTarget(*file_system);
  Trial trial({*target, *whole, *tested, raw, setting});
  current = &trial;
  run.the_case->run(trial);
  result.failures = trial.failures();
  result.calls = trial.calls();
  result.sequence = trial.sequence();
  // Violations count even if the case could go no further.
  if (result.failures.empty()) result.skipped = trial.skipped();
  return result;
}

}  // namespace fsload::conformance
