// Feeds untrusted files to the static pass: no bytes make it crash, hang or
// read outside them.
#include <cstddef>
#include <cstdint>

#include "loader/static_pass/static_pass.h"

// Called by libFuzzer, and by static_pass_replay_test.cc.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fsload::CheckBytesStatically({reinterpret_cast<const char*>(data), size});
  return 0;
}
