#include "core/threads/processors.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace fsload {

size_t Processors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    return CPU_COUNT(&allowed);
  }
  // More processors than the set has room for.
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace fsload
