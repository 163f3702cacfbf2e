#include "tools/files/plan/deletion_steps.h"

namespace fsload {

bool MayBeDeleted(const ListedTree& entries, const PathFilter& filter,
                  ListedTree::Id id) {
  return !entries.IsDirectory(id) ||
         (entries.IsWhole(id) && !filter.has_includes());
}

void AddDeletionSteps(const ListedTree& entries, uint32_t tree,
                      const PathFilter& filter,
                      const std::function<bool(ListedTree::Id)>& is_doomed,
                      StepList& steps) {
  const auto& ids = entries.by_path();
  for (const ListedTree::Id id : ids) {
    if (entries.IsDirectory(id) || !is_doomed(id)) continue;
    steps.Add({StepKind::kDeleteFile}, {tree, id});
  }
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    if (!entries.IsDirectory(*id) || !MayBeDeleted(entries, filter, *id) ||
        !is_doomed(*id)) {
      continue;
    }
    steps.Add({StepKind::kDeleteDirectory}, {tree, *id});
  }
}

}  // namespace fsload
