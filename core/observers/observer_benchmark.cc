// What watching costs: observer_benchmark NULL_PLUGIN. A read of a plugin that
// does nothing, unwatched, with an observer that does nothing (which takes the
// time twice, before and after the call), and with a CallHistogram.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "core/testing/allocation_count.h"
#include "core/testing/bare_plugin.h"
#include "fsload/call_histogram.h"

namespace fsload {
namespace {

class IdleObserver final : public OpObserver {
 public:
  void OnCall(const OpCall&) override {}
};

// An open file of `plugin`, whose calls `observer` sees.
std::unique_ptr<RandomAccessFile> OpenFile(const BarePlugin& plugin,
                                           OpObserver* observer) {
  SchemeTables tables;
  tables.filesystem = plugin.filesystem();
  tables.random_access_file = plugin.reading();
  tables.memory = {plugin.info().plugin_memory_allocate,
                   plugin.info().plugin_memory_free};
  tables.observer = observer;
  const auto sealed = OpTables::Seal({&tables, 1});
  if (!sealed.ok()) std::abort();
  const auto created =
      PluginFileSystem::Create(sealed->front(), "null", "the benchmark");
  if (!created.ok()) std::abort();
  auto file = (*created)->NewRandomAccessFile("/file");
  if (!file.ok()) std::abort();
  return *std::move(file);
}

// One file for all threads.
void Reads(benchmark::State& state, const RandomAccessFile& file) {
  char buffer[64];
  const size_t before = AllocationsOfThisThread();
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(file.Read(0, sizeof(buffer), buffer));
  }
  state.counters["allocations"] = benchmark::Counter(
      static_cast<double>(AllocationsOfThisThread() - before),
      benchmark::Counter::kAvgIterations);
}

void Add(const std::string& name, const BarePlugin& plugin,
         OpObserver* observer) {
  // Neither is destroyed: benchmarks run once main has added all.
  const RandomAccessFile* const file = OpenFile(plugin, observer).release();
  benchmark::RegisterBenchmark(
      name.c_str(), [file](benchmark::State& state) { Reads(state, *file); })
      ->Threads(1)
      ->Threads(2);
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) return 2;
  const auto* const plugin = new fsload::BarePlugin(argv[1]);
  fsload::Add("Read", *plugin, nullptr);
  fsload::Add("Read/observer", *plugin, new fsload::IdleObserver);
  fsload::Add("Read/histogram/1", *plugin, new fsload::CallHistogram(1));
  fsload::Add("Read/histogram/4", *plugin, new fsload::CallHistogram(4));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
