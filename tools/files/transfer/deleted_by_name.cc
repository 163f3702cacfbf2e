#include "tools/files/transfer/deleted_by_name.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "core/paths/path.h"
#include "core/walk/child_names.h"
#include "fsload/file_system.h"
#include "fsload/internal/mutex.h"

namespace fsload {

void DeletedByName::Add(const StepList& steps, size_t number,
                        const Step& step) {
  const std::string folder(Dirname(step.source.uri));
  const MutexLock lock(mutex_);
  steps_[folder].emplace_back(&steps, number);
}

void DeletedByName::AddFailed(const std::string& uri) {
  const MutexLock lock(mutex_);
  failed_.insert(uri);
}

bool DeletedByName::HasFailed(const std::string& uri) const {
  const MutexLock lock(mutex_);
  return failed_.count(uri) > 0;
}

DeletedByName::Steps DeletedByName::Take(const std::string& folder,
                                         std::set<std::string> no_files) {
  const MutexLock lock(mutex_);
  const auto deleted = steps_.extract(folder);
  Steps files;
  if (deleted.empty()) return files;
  for (const auto& [list, number] : deleted.mapped()) {
    const std::string uri = (*list)[number].source.uri;
    if (no_files.erase(uri) == 0) files.emplace_back(list, number);
  }
  return files;
}

DeletedByName::Steps DeletedByName::TakeDeleted() {
  const MutexLock lock(mutex_);
  Steps gone;
  for (const auto& [folder, steps] : steps_) {
    const auto& [any_list, any_number] = steps.front();
    const FileSystemPtr files = (*any_list)[any_number].source.file_system;
    const absl::StatusOr<Children> left = ListChildren(*files, folder);
    if (!left.ok()) continue;
    for (const auto& [list, number] : steps) {
      const std::string uri = (*list)[number].source.uri;
      const bool is_left = std::binary_search(
          left->names.begin(), left->names.end(), std::string(Basename(uri)));
      if (!is_left) gone.emplace_back(list, number);
    }
  }
  steps_.clear();
  return gone;
}

}  // namespace fsload
