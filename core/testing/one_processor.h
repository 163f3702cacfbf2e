// Simulates a machine with one processor.
#pragma once

#include <sched.h>

namespace fsload {

// Binds the thread, and those it starts, to one processor while it lives.
class OneProcessor final {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    is_bound_ = sched_setaffinity(0, sizeof(one), &one) == 0;
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof(before_), &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  // Returns whether the system allowed it.
  bool is_bound() const { return is_bound_; }

 private:
  cpu_set_t before_;
  bool is_bound_;
};

}  // namespace fsload
