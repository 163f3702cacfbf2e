// The cost of loading a plugin, compared with only dlopen and TF_InitPlugin,
// and with copying the file into memory, which fsload does first:
// load_benchmark NULL_PLUGIN FOLDER. Each load is of a separate file in FOLDER,
// because a plugin that is already loaded is not loaded again; what was loaded
// stays, and resident_KiB is the growth of the process.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "core/testing/bare_plugin.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/rules/findings.h"
#include "loader/trust/private_copy.h"

namespace fsload {
namespace {

// The size of tensorflow-io 0.37.1, in bytes.
constexpr int64_t kLargePlugin = 39'579'232;

std::string plugin;  // set before the benchmarks run
std::string folder;

// A new file like the plugin's, of at least `bytes` bytes.
std::string Copy(size_t bytes) {
  static int copies = 0;
  const std::string path = folder + "/" + std::to_string(++copies) + ".so";
  std::filesystem::copy_file(plugin, path);
  const size_t more =
      bytes - std::min<size_t>(bytes, std::filesystem::file_size(path));
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << std::string(more, '\0') << copies;
  return path;
}

long ResidentKib() {
  long all = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

bool LoadBare(const std::string& path) {
  static_cast<void>(new BarePlugin(path.c_str()));
  return true;
}

bool Load(const std::string& path) {
  LoadOptions options;
  options.registry = new SchemeRegistry;
  const LoadReport report = LoadPlugin(path, options);
  if (!report.status.ok()) std::cerr << report.status << "\n";
  return report.status.ok();
}

// The copy stays, as a plugin does: freeing it would take time, too.
bool CopyIntoMemory(const std::string& path) {
  Findings findings;
  return PrivateCopy::OfFile(path, findings).release() != nullptr;
}

template <auto load>
void Loads(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    const std::string path = Copy(static_cast<size_t>(state.range(0)));
    const long before = ResidentKib();
    const auto start = std::chrono::steady_clock::now();
    const bool loaded = load(path);
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    if (!loaded) state.SkipWithError("it was not loaded");
    state.SetIterationTime(seconds.count());
    state.counters["resident_KiB"] =
        static_cast<double>(ResidentKib() - before);
    std::filesystem::remove(path);
  }
}

void Add(const std::string& name, void (*function)(benchmark::State&)) {
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->ArgName("bytes")
      ->Arg(0)
      ->Arg(kLargePlugin)
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string in_turns = "--benchmark_enable_random_interleaving=true";
  arguments.push_back(in_turns.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count != 3) return 2;
  fsload::plugin = arguments[1];
  fsload::folder = std::string(arguments[2]) + "/loadXXXXXX";
  if (mkdtemp(fsload::folder.data()) == nullptr) return 1;
  fsload::Add("dlopen/Load", fsload::Loads<fsload::LoadBare>);
  fsload::Add("copy/Load", fsload::Loads<fsload::CopyIntoMemory>);
  fsload::Add("fsload/Load", fsload::Loads<fsload::Load>);
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(fsload::folder);
  return 0;
}
