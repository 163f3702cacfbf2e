#include "tools/files/plan/transfer_steps.h"

#include <map>
#include <utility>

#include "core/paths/path.h"
#include "core/walk/uri_check.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/names/part_count.h"

namespace fsload {

TransferSteps::TransferSteps(const TransferRequest& request)
    : request_(request), target_(request), targets_(std::in_place, steps_) {}

bool TransferSteps::ReportRest(const Location& location,
                               const absl::Status& status, std::string folder) {
  if (kept_.insert(folder).second) AddFoldersAbove(folder, kept_);
  return ReportError(location, status);
}

bool TransferSteps::ReportWhatStays(const Location& source,
                                    const absl::Status& status) {
  others_.files.push_back({StepKind::kDeleteFile, source});
  return ReportRest(source, status, std::string(Dirname(source.uri)));
}

absl::Status TransferSteps::CheckDirectory(const Location& source,
                                           const Location& target,
                                           const PathState& there) const {
  if (!request_.recursive) {
    return FailedPreconditionError("{}: is a directory; use -r to copy it",
                                   source.uri);
  }
  if (!there.status.ok()) return there.status;
  if (there.type == FileType::kFile) {
    return FailedPreconditionError(
        "{}: is a file; cannot replace it with the directory {}", target.uri,
        source.uri);
  }
  absl::Status status = target_.CheckNoLink(source, target, there);
  if (status.ok() && !renamed_.empty() && renamed_.count(KeyOf(target)) > 0) {
    status = TwoSources(source, target);
  }
  if (!status.ok()) return status;
  return CheckOutside(source, target,
                      request_.moves ? "move a directory" : "copy a directory");
}

bool TransferSteps::AddFile(const Location& source, const Location& target,
                            const FileStatistics& found, const PathState& there,
                            std::optional<Origin> origin) {
  if (there.type == FileType::kDirectory) {
    return ReportWhatStays(source, DirectoryInTheWay(source, target));
  }
  const bool exists = there.type == FileType::kFile;
  if (exists && !request_.replaces) {
    Skip();
    return true;
  }
  const std::string key = KeyOf(target);
  if (targets_->Has(key)) {
    return ReportWhatStays(source, TwoSources(source, target));
  }
  const bool may_rename =
      source.file_system == target.file_system || AreLocal(source, target);
  const StepKind kind = !request_.moves ? StepKind::kCopyFile
                        : may_rename    ? StepKind::kRenameFile
                                        : StepKind::kMoveFile;
  absl::Status status = CheckNameIsText(*target.file_system, target.uri);
  if (status.ok()) status = CheckPartCount(target.uri, found.length);
  if (status.ok()) status = target_.CheckStep(kind, source, target, exists);
  if (!status.ok()) {
    targets_->AddWithoutStep(key, target.uri);
    return ReportWhatStays(source, status);
  }
  // A dangling symlink is replaced too.
  const bool replaces =
      exists || (target.tree != nullptr && IsKnownLink(target));
  Step step = {kind, source, target, found.length, replaces};
  step.source_found = found;
  if (exists) step.target_found = there.statistics;
  targets_->AddNext(key);
  if (origin.has_value()) {
    steps_.Add(step, *origin);
  } else {
    steps_.push_back(std::move(step));
  }
  return true;
}

void TransferSteps::AddDirectory(const Location& target, Origin origin) {
  const std::string key = KeyOf(target);
  if (targets_->Has(key)) return;
  targets_->AddNext(key);
  steps_.Add({StepKind::kMakeDirectory}, origin);
}

void TransferSteps::AddRename(Step step) {
  const std::string key = KeyOf(step.target);
  targets_->AddWithoutStep(key, "");
  renamed_.insert(key);
  steps_.push_back(std::move(step));
}

bool TransferSteps::HasTarget(const Location& location) const {
  return targets_->Has(KeyOf(location));
}

bool TransferSteps::HasFileAt(const Location& location) const {
  return targets_->FileAt(KeyOf(location)) == location.uri;
}

bool TransferSteps::TakeOutStepsOntoSources() {
  targets_ = std::nullopt;  // no longer needed, and large
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_.KindOf(i) != StepKind::kRenameDirectory) continue;
    others_.directories.push_back(steps_[i].source);
  }
  const std::map<size_t, std::string> onto_sources =
      StepsOntoSources(steps_, others_);
  if (onto_sources.empty()) return true;
  for (const auto& [i, uri] : onto_sources) {
    const Step step = steps_[i];
    const absl::Status status = InvalidArgumentError(
        "{}: its target {} is also a source ({}); move one of "
        "them out of the way first",
        step.source.uri, step.target.uri, uri);
    if (!ReportRest(step.source, status,
                    std::string(Dirname(step.source.uri)))) {
      return false;
    }
  }
  steps_.RemoveIf([&](size_t i) {
    return onto_sources.count(i) > 0 ||
           (steps_.KindOf(i) == StepKind::kDeleteDirectory &&
            IsKept(steps_[i].source.uri));
  });
  return true;
}

std::optional<Plan> TransferSteps::TakePlan() {
  if (!TakeOutStepsOntoSources()) return std::nullopt;
  Plan plan;
  plan.skipped = skipped_;
  plan.steps = std::move(steps_);
  plan.steps.Sort();
  return plan;
}

}  // namespace fsload
