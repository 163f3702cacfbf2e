#include "core/system/fork_generation.h"

#include <pthread.h>

#include <atomic>

namespace fsload {
namespace {

std::atomic<uint64_t> generation{0};

}  // namespace

uint64_t ForkGeneration() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { ++generation; });
  static_cast<void>(registered);
  // Relaxed: it changes only in the one thread of a child that fork has made.
  return generation.load(std::memory_order_relaxed);
}

}  // namespace fsload
