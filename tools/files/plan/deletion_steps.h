// Steps that delete what is in a tree.
#pragma once

#include <cstdint>
#include <functional>

#include "tools/files/listing/listed_tree.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/plan/step_list.h"

namespace fsload {

// Returns whether the entry can be deleted: a file, or a directory of which the
// filter has left nothing out.
bool MayBeDeleted(const ListedTree& entries, const PathFilter& filter,
                  ListedTree::Id id);

// Adds steps to `steps` that delete those of its tree's entries for which
// `is_doomed` is true: the files and then, unless the filter has --include, the
// directories in which nothing stays, leaves first.
void AddDeletionSteps(const ListedTree& entries, uint32_t tree,
                      const PathFilter& filter,
                      const std::function<bool(ListedTree::Id)>& is_doomed,
                      StepList& steps);

}  // namespace fsload
