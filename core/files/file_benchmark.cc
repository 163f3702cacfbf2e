// Measures the cost of a call through a host, compared with calling the same
// plugin's table directly: file_benchmark NULL_PLUGIN [CALLS]. Each figure for
// the host, <name>/Read, has one for the plugin itself, Raw/Read. The plugin
// does nothing. CALLS is for profilers: each is called that many times, plus
// once before.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/testing/allocation_count.h"
#include "core/testing/bare_plugin.h"
#ifndef FSLOAD_BENCHMARK_HOST  // the header of the host
#define FSLOAD_BENCHMARK_HOST "core/testing/benchmark_host.h"
#endif
#include FSLOAD_BENCHMARK_HOST

namespace {

using ::fsload::BarePlugin;

constexpr size_t kBytes = 64;

// Shared by the benchmarks; set before they run.
const BarePlugin* plugin;
TF_Status* status;  // for the table: the plugin touches none
int calls = 0;      // 0: as many as it takes

std::string Uri(size_t path_bytes) {
  constexpr std::string_view kDirectory = "/directory";
  std::string path;
  while (path.size() < path_bytes) path += kDirectory;
  path.resize(path_bytes - 1);
  return std::string(plugin->info().ops->scheme) + "://host" + path + "f";
}

// Runs `call` and counts its allocations. Flattened, so that no function of the
// benchmark itself is measured.
template <typename Call>
__attribute__((flatten)) void Measure(benchmark::State& state,
                                      const Call& call) {
  if (!call()) return state.SkipWithError("the call failed");
  const size_t before = fsload::AllocationsOfThisThread();
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(call());
  }
  state.counters["allocations"] = benchmark::Counter(
      static_cast<double>(fsload::AllocationsOfThisThread() - before),
      benchmark::Counter::kAvgIterations);
}

void RawRead(benchmark::State& state) {
  const TF_RandomAccessFile file = {nullptr};
  char buffer[kBytes];
  Measure(state, [&] {
    return plugin->reading().read(&file, 0, kBytes, buffer, status) == kBytes;
  });
}

void RawAppend(benchmark::State& state) {
  const TF_WritableFile file = {nullptr};
  const char data[kBytes] = {};
  Measure(state, [&] {
    plugin->writing().append(&file, data, kBytes, status);
    return true;
  });
}

void RawTell(benchmark::State& state) {
  const TF_WritableFile file = {nullptr};
  Measure(state, [&] { return plugin->writing().tell(&file, status) == 0; });
}

void RawExists(benchmark::State& state) {
  const std::string path(static_cast<size_t>(state.range(0)), 'p');
  Measure(state, [&] {
    plugin->filesystem().path_exists(&plugin->state, path.c_str(), status);
    return true;
  });
}

void RawStat(benchmark::State& state) {
  const std::string path(static_cast<size_t>(state.range(0)), 'p');
  Measure(state, [&] {
    TF_FileStatistics statistics;
    plugin->filesystem().stat(&plugin->state, path.c_str(), &statistics,
                              status);
    return statistics.length == 0;
  });
}

void RawOpenAndClose(benchmark::State& state) {
  Measure(state, [&] {
    TF_RandomAccessFile file = {nullptr};
    plugin->filesystem().new_random_access_file(&plugin->state, "/file", &file,
                                                status);
    plugin->reading().cleanup(&file);
    return true;
  });
}

// One file for all threads.
benchmark_host::Reader& SharedReader() {
  static const auto file = benchmark_host::OpenReader(Uri(20));
  if (file == nullptr) std::abort();
  return *file;
}

void HostRead(benchmark::State& state) {
  const benchmark_host::Reader& file = SharedReader();
  char buffer[kBytes];
  Measure(state, [&] { return benchmark_host::Read(file, 0, kBytes, buffer); });
}

void HostAppend(benchmark::State& state) {
  const auto file = benchmark_host::OpenWriter(Uri(20));
  const std::string data(kBytes, 'd');
  Measure(state, [&] { return benchmark_host::Append(*file, data); });
}

void HostTell(benchmark::State& state) {
  const auto file = benchmark_host::OpenWriter(Uri(20));
  Measure(state, [&] { return benchmark_host::Tell(*file); });
}

void HostExists(benchmark::State& state) {
  const std::string uri = Uri(static_cast<size_t>(state.range(0)));
  Measure(state, [&] { return benchmark_host::Exists(uri); });
}

void HostStat(benchmark::State& state) {
  const std::string uri = Uri(static_cast<size_t>(state.range(0)));
  Measure(state, [&] { return benchmark_host::Stat(uri); });
}

void HostOpenAndClose(benchmark::State& state) {
  const std::string uri = Uri(20);
  Measure(state, [&] { return benchmark_host::OpenReader(uri) != nullptr; });
}

// The heap memory of an open file.
void HostOpenFiles(benchmark::State& state) {
  constexpr int kFiles = 10'000;
  const std::string uri = Uri(20);
  for (auto step : state) {
    static_cast<void>(step);
    std::vector<std::unique_ptr<benchmark_host::Reader>> files;
    files.reserve(kFiles);
    const size_t before = mallinfo2().uordblks;
    for (int i = 0; i < kFiles; ++i) {
      files.push_back(benchmark_host::OpenReader(uri));
    }
    state.counters["bytes"] =
        static_cast<double>(mallinfo2().uordblks - before) / kFiles;
  }
}

// The same calls of the table and of the host.
struct Row {
  const char* name;
  void (*raw)(benchmark::State&);
  void (*host)(benchmark::State&);
  int path_bytes;  // 0: the call takes no relevant path
  bool shared;     // whether two threads share its object
};

constexpr Row kRows[] = {
    {"Read", RawRead, HostRead, 0, true},
    {"Append", RawAppend, HostAppend, 0, false},
    {"Tell", RawTell, HostTell, 0, false},
    {"FileExists", RawExists, HostExists, 20, true},
    {"FileExists", RawExists, HostExists, 250, false},
    {"Stat", RawStat, HostStat, 20, true},
    {"Stat", RawStat, HostStat, 250, false},
    {"OpenAndClose", RawOpenAndClose, HostOpenAndClose, 0, false},
};

void Add(const std::string& name, void (*function)(benchmark::State&),
         const Row& row) {
  auto* const added = benchmark::RegisterBenchmark(name.c_str(), function);
  if (row.path_bytes != 0) added->Arg(row.path_bytes);
  added->Threads(1);
  if (row.shared) added->Threads(2);
  if (calls != 0) added->Iterations(calls);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2 && argc != 3) return 2;
  if (argc == 3) calls = std::atoi(argv[2]);
  plugin = new BarePlugin(argv[1]);
  status = reinterpret_cast<TF_Status*>(std::calloc(1, 1024));
  benchmark_host::Register(argv[1], *plugin);
  for (const Row& row : kRows) {
    Add(std::string("Raw/") + row.name, row.raw, row);
    Add(std::string(benchmark_host::kName) + "/" + row.name, row.host, row);
  }
  const std::string open_files =
      std::string(benchmark_host::kName) + "/OpenFiles";
  benchmark::RegisterBenchmark(open_files.c_str(), HostOpenFiles)
      ->Iterations(1);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
