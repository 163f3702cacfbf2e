// Tells calls that wait, perhaps for a server, from calls that only compute:
// the latter gain nothing from more threads than processors.
#pragma once

#include <cstdint>

namespace fsload {

// How often one thread has waited for something. (Time would not tell waiting
// from a busy machine.) For use by that thread.
class WaitCount final {
 public:
  // Begins at 0, for the calling thread.
  WaitCount();

  // Returns the count; INT64_MAX if the kernel does not count.
  int64_t Get() const;

 private:
  const int64_t before_;
};

}  // namespace fsload
