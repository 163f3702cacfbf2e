#include "tools/files/transfer/protected_paths.h"

#include "core/paths/path.h"
#include "fsload/internal/mutex.h"

namespace fsload {

void ProtectedPaths::Keep(const std::string& uri) {
  const MutexLock lock(mutex_);
  alone_.insert(uri);
}

void ProtectedPaths::KeepAbove(const std::string& uri) {
  const MutexLock lock(mutex_);
  AddFoldersAbove(uri, alone_);
}

void ProtectedPaths::KeepAllIn(const std::string& uri) {
  const MutexLock lock(mutex_);
  with_contents_.insert(uri);
}

bool ProtectedPaths::Has(const std::string& uri) const {
  const MutexLock lock(mutex_);
  if (alone_.count(uri) > 0) return true;
  for (std::string path = uri; !with_contents_.empty();) {
    if (with_contents_.count(path) > 0) return true;
    const std::string outer(Dirname(path));
    if (outer == path) return false;
    path = outer;
  }
  return false;
}

}  // namespace fsload
