// With POSIX_SLOW, operations take as long as those of a distant store that
// serves many requests in parallel.
#pragma once

#include <chrono>
#include <thread>

namespace posix_plugin {

#ifdef POSIX_SLOW
constexpr std::chrono::milliseconds kLatency{5};

template <auto function, typename Signature = decltype(function)>
struct AfterLatency;

template <auto function, typename Result, typename... Arguments>
struct AfterLatency<function, Result (*)(Arguments...)> {
  static Result Call(Arguments... arguments) {
    std::this_thread::sleep_for(kLatency);
    return function(arguments...);
  }
};

template <auto function>
constexpr auto kAtItsPace = &AfterLatency<function>::Call;
#else
template <auto function>
constexpr auto kAtItsPace = function;
#endif

}  // namespace posix_plugin
