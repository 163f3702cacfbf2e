#include "tools/files/transfer/directory_steps.h"

#include <optional>

#include "core/paths/path.h"
#include "tools/files/transfer/store_directories.h"

namespace fsload {
namespace {

// Returns whether steps of the plan make directories through plugins.
bool MakesDirectoriesAtStores(const StepList& steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps.KindOf(i) != StepKind::kMakeDirectory) return false;
    const Step step = steps[i];
    if (!AreLocal(step.source, step.target)) return true;
  }
  return false;
}

}  // namespace

DirectorySteps::DirectorySteps(const StepList& steps) {
  if (!MakesDirectoriesAtStores(steps)) return;
  for (size_t i = 0; i < steps.size(); ++i) {
    const StepKind kind = steps.KindOf(i);
    if (!IsFileKind(kind) || IsDeletion(kind)) continue;
    AddFoldersAbove(steps[i].target.uri, filled_);
  }
}

absl::Status DirectorySteps::Make(const Step& step) {
  if (!AreLocal(step.source, step.target)) return MakeAt(step.target);
  std::optional<MadeDirectory> made;
  const absl::Status status = MakeLocalDirectory(step, made);
  if (made.has_value() && IsUnfinished(step, *made)) {
    unfinished_.emplace_back(step, *made);
  }
  return status;
}

// Makes a directory through a plugin. A store without directories derives them
// from its files; one without files is made for them.
absl::Status DirectorySteps::MakeAt(const Location& location) const {
  const absl::Status status =
      location.file_system->RecursivelyCreateDir(location.uri);
  if (!status.ok() && !absl::IsUnimplemented(status)) return status;
  return filled_.count(location.uri) > 0
             ? absl::OkStatus()
             : EnsureDirectory(*location.file_system, location.uri);
}

absl::Status DirectorySteps::Finish(
    const std::function<absl::Status(const Step& step,
                                     const absl::Status& error)>& report) {
  absl::Status result;
  for (; !unfinished_.empty(); unfinished_.pop_back()) {
    const auto& [step, made] = unfinished_.back();
    const absl::Status status = FinishLocalDirectory(step, made);
    if (!status.ok()) result.Update(report(step, status));
  }
  return result;
}

}  // namespace fsload
