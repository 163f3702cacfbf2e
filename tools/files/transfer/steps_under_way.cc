#include "tools/files/transfer/steps_under_way.h"

namespace fsload {

void StepsUnderWay::Begin(const StepList& steps, size_t number) {
  const MutexLock lock(mutex_);
  under_way_.insert({&steps, number});
}

void StepsUnderWay::End(const StepList& steps, size_t number) {
  const MutexLock lock(mutex_);
  under_way_.erase({&steps, number});
}

std::vector<Step> StepsUnderWay::Of(const StepList& steps) const {
  std::vector<Step> found;
  const MutexLock lock(mutex_);
  for (const auto& [list, number] : under_way_) {
    if (list == &steps) found.push_back(steps[number]);
  }
  return found;
}

}  // namespace fsload
