// Gives the host of a worker answers that no worker would: none makes it
// crash, hang or read outside them.
#include <cstddef>
#include <cstdint>

#include "loader/worker/lying_worker_host.h"

// Called by libFuzzer. The bytes are those of given_lies.h.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fsload::CallAllWith({reinterpret_cast<const char*>(data), size})
      .IgnoreError();
  return 0;
}
