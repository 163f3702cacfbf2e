// What a process has, and those that it forks do not share.
#pragma once

#include <atomic>
#include <cstdint>
#include <tuple>
#include <utility>

#include "core/system/fork_generation.h"

namespace fsload {

// A T, which a forked child makes again, of the same arguments: a thread of the
// parent may have held a mutex of the first. Thread-safe.
template <typename T, typename... Arguments>
class OfProcess final {
 public:
  explicit OfProcess(Arguments... arguments)
      : arguments_(std::move(arguments)...), last_(new Made(arguments_)) {}
  // Leaves the parent's, in a child, as it is.
  ~OfProcess() {
    Made* const last = last_.load();
    if (last->generation == ForkGeneration()) delete last;
  }
  OfProcess(const OfProcess&) = delete;
  OfProcess& operator=(const OfProcess&) = delete;

  T& get() {
    // Acquire: another thread may have made it.
    Made* last = last_.load(std::memory_order_acquire);
    if (last->generation == ForkGeneration()) return last->value;
    auto* const own = new Made(arguments_);
    // If another thread was faster, acquires what that has made.
    if (last_.compare_exchange_strong(last, own)) return own->value;
    delete own;
    return last->value;
  }

 private:
  struct Made {
    explicit Made(const std::tuple<Arguments...>& arguments)
        : value(std::make_from_tuple<T>(arguments)) {}
    const uint64_t generation = ForkGeneration();
    T value;
  };

  const std::tuple<Arguments...> arguments_;
  std::atomic<Made*> last_;
};

}  // namespace fsload
