#include "loader/isolation/fork_generation.h"

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
  return generation.load(std::memory_order_relaxed);
}

}  // namespace fsload
