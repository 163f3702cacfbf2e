// The cost of handling URIs and paths.
#include <benchmark/benchmark.h>

#include <string>

#include "core/paths/path.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr int kShort = 20;
constexpr int kLong = 250;

// A path of `bytes` bytes, clean or not.
std::string Path(size_t bytes, bool clean) {
  std::string path;
  while (path.size() < bytes) path += clean ? "/directory" : "/./directory";
  path.resize(bytes - 1);
  return path + "f";
}

void ParsesUri(benchmark::State& state) {
  const std::string uri = "scheme://host" + Path(state.range(0), true);
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(ParseUri(uri));
  }
}
BENCHMARK(ParsesUri)->Arg(kShort)->Arg(kLong);

template <bool clean>
void Cleans(benchmark::State& state) {
  const std::string path = Path(state.range(0), clean);
  std::string out(path.size() + 1, '\0');
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(CleanPathInto(path, out.data()));
    benchmark::ClobberMemory();
  }
}
BENCHMARK_TEMPLATE(Cleans, true)
    ->Name("CleanPath/clean")
    ->Arg(kShort)
    ->Arg(kLong);
BENCHMARK_TEMPLATE(Cleans, false)
    ->Name("CleanPath/dots")
    ->Arg(kShort)
    ->Arg(kLong);

void CopiesClean(benchmark::State& state) {
  const std::string uri = "scheme://host" + Path(state.range(0), true);
  const size_t scheme_bytes = SchemeOf(uri).size();
  std::string out(uri.size() + kCopySlack, '\0');
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(CopyCleanPath(uri, scheme_bytes, out.data()));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(CopiesClean)->Name("CopyCleanPath")->Arg(kShort)->Arg(kLong);

// 100 processor cycles: additions that depend on each other.
void Cycles(benchmark::State& state) {
  constexpr unsigned kCycles = 100;
  for (auto step : state) {
    static_cast<void>(step);
    unsigned sum = 0;
    for (unsigned i = 0; i < kCycles; ++i) {
      sum += i;
      asm volatile("" : "+r"(sum));
    }
  }
}
BENCHMARK(Cycles)->Name("Cycles/100");

template <auto function>
void TakesApart(benchmark::State& state) {
  const std::string uri = "scheme://host" + Path(state.range(0), true);
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(function(uri));
  }
}
BENCHMARK_TEMPLATE(TakesApart, &Dirname)
    ->Name("Dirname")
    ->Arg(kShort)
    ->Arg(kLong);
BENCHMARK_TEMPLATE(TakesApart, &Basename)
    ->Name("Basename")
    ->Arg(kShort)
    ->Arg(kLong);

void Joins(benchmark::State& state) {
  const std::string folder = Path(state.range(0), true);
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(JoinPath(folder, "name"));
  }
}
BENCHMARK(Joins)->Name("JoinPath")->Arg(kShort)->Arg(kLong);

}  // namespace
}  // namespace fsload

BENCHMARK_MAIN();
