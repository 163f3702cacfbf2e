#include "core/system/random_number.h"

#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace fsload {
namespace {

// The finalizer of MurmurHash3: each bit of `number` affects the whole result.
uint64_t Mixed(uint64_t number) {
  number ^= number >> 33;
  number *= 0xff51afd7ed558ccd;
  number ^= number >> 33;
  number *= 0xc4ceb9fe1a85ec53;
  return number ^ number >> 33;
}

uint64_t NumberOfThisMoment() {
  // The default order; relaxed would do: only that each call gets another
  // number counts.
  static std::atomic<uint64_t> calls{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const uint64_t process = Mixed(static_cast<uint64_t>(getpid()));
  return Mixed(static_cast<uint64_t>(now.count()) ^ process) + Mixed(++calls);
}

}  // namespace

uint64_t RandomNumber() {
  uint64_t number;
  const ssize_t bytes = getrandom(&number, sizeof(number), GRND_NONBLOCK);
  return bytes == sizeof(number) ? number : NumberOfThisMoment();
}

}  // namespace fsload
