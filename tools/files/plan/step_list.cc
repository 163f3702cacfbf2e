#include "tools/files/plan/step_list.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fsload {
namespace {

// The order of execution, by StepKind.
constexpr int kTurns[] = {
    0,  // kMakeDirectory
    1,  // kCopyFile
    1,  // kRenameFile
    1,  // kMoveFile
    3,  // kDeleteFile
    2,  // kRenameDirectory
    4,  // kDeleteRest
    5,  // kDeleteDirectory
};

int TurnOf(StepKind kind) { return kTurns[static_cast<size_t>(kind)]; }

}  // namespace

void StepList::push_back(Step step) {
  steps_.push_back({kNone, static_cast<uint32_t>(others_.size()), kNone,
                    step.kind, step.replaces});
  others_.push_back(std::move(step));
}

uint32_t StepList::AddTree(StepTree tree) {
  trees_.push_back(std::move(tree));
  return static_cast<uint32_t>(trees_.size() - 1);
}

void StepList::Add(const Step& step, Origin origin) {
  uint32_t there = kNone;
  if (step.target_found.has_value()) {
    there = static_cast<uint32_t>(target_found_.size());
    target_found_.push_back(*step.target_found);
  }
  steps_.push_back(
      {origin.tree, origin.entry, there, step.kind, step.replaces});
}

void StepList::Sort() {
  const auto is_before = [](const Compact& a, const Compact& b) {
    return TurnOf(a.kind) < TurnOf(b.kind);
  };
  if (std::is_sorted(steps_.begin(), steps_.end(), is_before)) return;
  std::stable_sort(steps_.begin(), steps_.end(), is_before);
}

void StepList::RemoveIf(const std::function<bool(size_t)>& is_out) {
  size_t kept = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (!is_out(i)) steps_[kept++] = steps_[i];
  }
  steps_.resize(kept);
}

int64_t StepList::BytesOf(size_t i) const {
  const Compact& compact = steps_[i];
  if (compact.tree == kNone) return others_[compact.entry].bytes;
  return IsFileKind(compact.kind)
             ? trees_[compact.tree].entries->FoundAt(compact.entry).length
             : 0;
}

Step StepList::operator[](size_t i) const {
  const Compact& compact = steps_[i];
  if (compact.tree == kNone) return others_[compact.entry];
  const StepTree& tree = trees_[compact.tree];
  const std::string path = tree.entries->PathOf(compact.entry);
  const StepKind kind = compact.kind;
  Step step = {kind};
  if (kind != StepKind::kMakeDirectory || tree.mirrors) {
    step.source = Below(tree.source, path);
  }
  if (!IsDeletion(kind)) step.target = Below(tree.target, path);
  if (kind == StepKind::kMakeDirectory) step.keeps = tree.moves;
  if (kind == StepKind::kDeleteDirectory && tree.moves) {
    step.moved_to = Below(tree.target, path);
  }
  step.bytes = BytesOf(i);
  step.replaces = compact.replaces;
  // An object beside the root was found by reading it.
  step.by_name = tree.by_name && IsFileKind(kind) && !path.empty();
  step.hides_bytes = kind == StepKind::kDeleteFile &&
                     step.source.tree == nullptr &&
                     !tree.entries->IsExamined(compact.entry);
  if (IsFileKind(kind) && !IsDeletion(kind)) {
    step.source_found = tree.entries->FoundAt(compact.entry);
  }
  if (compact.there != kNone) step.target_found = target_found_[compact.there];
  return step;
}

}  // namespace fsload
