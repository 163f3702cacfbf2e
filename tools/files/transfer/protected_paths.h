// What must stay because of an error, while a plan deletes.
#pragma once

#include <set>
#include <string>

#include "fsload/internal/mutex.h"

namespace fsload {

// Thread-safe.
class ProtectedPaths final {
 public:
  // Keeps `uri`, but what is in it may go.
  void Keep(const std::string& uri);

  // Keeps all directories above `uri` so: something in them stays.
  void KeepAbove(const std::string& uri);

  // Keeps `uri` with everything below it.
  void KeepAllIn(const std::string& uri);

  // Returns whether `uri` must stay.
  bool Has(const std::string& uri) const;

 private:
  mutable Mutex mutex_;
  std::set<std::string> alone_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> with_contents_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
