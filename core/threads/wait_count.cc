#include "core/threads/wait_count.h"

#include <sys/resource.h>

#include <limits>

namespace fsload {
namespace {

int64_t WaitsOf(int who) {
  rusage usage = {};
  getrusage(who, &usage);
  return usage.ru_nvcsw;
}

}  // namespace

WaitCount::WaitCount() : before_(WaitsOf(RUSAGE_THREAD)) {}

int64_t WaitCount::Get() const {
  const int64_t waits = WaitsOf(RUSAGE_THREAD);
  // A thread may not have waited yet; a whole process has.
  return waits == 0 && WaitsOf(RUSAGE_SELF) == 0
             ? std::numeric_limits<int64_t>::max()
             : waits - before_;
}

}  // namespace fsload
