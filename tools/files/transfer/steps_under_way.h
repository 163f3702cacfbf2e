// The steps of plans that threads work on.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "fsload/internal/mutex.h"
#include "tools/files/plan/step.h"
#include "tools/files/plan/step_list.h"

namespace fsload {

// A step that begins and does not end was left by a thread that a plugin has
// ended. Thread-safe.
class StepsUnderWay final {
 public:
  void Begin(const StepList& steps, size_t number) {
    const MutexLock lock(mutex_);
    under_way_.insert({&steps, number});
  }
  void End(const StepList& steps, size_t number) {
    const MutexLock lock(mutex_);
    under_way_.erase({&steps, number});
  }

  // Returns those of one list.
  std::vector<Step> Of(const StepList& steps) const {
    std::vector<Step> found;
    const MutexLock lock(mutex_);
    for (const auto& [list, number] : under_way_) {
      if (list == &steps) found.push_back(steps[number]);
    }
    return found;
  }

 private:
  // A step of a list: its number.
  using Numbered = std::pair<const StepList*, size_t>;

  mutable Mutex mutex_;
  std::set<Numbered> under_way_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
