// The cost of finding the file system of a scheme, and the unavoidable cost of
// an open file.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/registry/pinned.h"
#include "core/tables/op_tables.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

// A registry of `count` schemes, one of which is "s3".
SchemeRegistry& RegistryOf(int count) {
  SchemeTables tables;
  tables.filesystem.init = [](TF_Filesystem*, TF_Status*) {};
  tables.filesystem.cleanup = [](TF_Filesystem*) {};
  const auto sealed = OpTables::Seal({&tables, 1});
  if (!sealed.ok()) std::abort();
  auto* const registry = new SchemeRegistry;
  std::vector<FileSystemPtr> file_systems;
  for (int i = 0; i < count; ++i) {
    const std::string scheme = i == 0 ? "s3" : "scheme" + std::to_string(i);
    file_systems.push_back(
        *PluginFileSystem::Create(sealed->front(), scheme, "the benchmark"));
  }
  if (!registry->Register(file_systems).ok()) std::abort();
  return *registry;
}

template <int schemes>
void Pins(benchmark::State& state) {
  static SchemeRegistry& registry = RegistryOf(schemes);
  for (auto step : state) {
    static_cast<void>(step);
    constexpr std::string_view kUri = "s3://bucket/key";
    const Pinned pinned(registry, kUri, SchemeBytesOf(kUri));
    benchmark::DoNotOptimize(pinned.get());
  }
}
BENCHMARK_TEMPLATE(Pins, 1)->Name("Pin/1")->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(Pins, 8)->Name("Pin/8")->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(Pins, 64)->Name("Pin/64")->Threads(1);

// Adds and drops one owner of a file system.
void Owners(benchmark::State& state) {
  const auto found = RegistryOf(1).Find("s3");
  for (auto step : state) {
    static_cast<void>(step);
    const FileSystemPtr owner(*found);
    benchmark::DoNotOptimize(owner.get());
  }
}
BENCHMARK(Owners)->Name("Owner");

constexpr size_t kFileBytes = 80;  // an open one, with its URI

void Allocations(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    const std::unique_ptr<char[]> file(new char[kFileBytes]);
    benchmark::DoNotOptimize(file.get());
  }
}
BENCHMARK(Allocations)->Name("Allocation");

// The unavoidable cost of opening and closing a file, besides the plugin's
// calls.
void Openings(benchmark::State& state) {
  static SchemeRegistry& registry = RegistryOf(1);
  constexpr std::string_view kUri = "s3://bucket/directory/a-file";
  for (auto step : state) {
    static_cast<void>(step);
    const size_t scheme_bytes = SchemeBytesOf(kUri);
    const Pinned pinned(registry, kUri, scheme_bytes);
    const FileSystemPtr owner(pinned.get());
    char path[kUri.size() + kCopySlack];
    benchmark::DoNotOptimize(CopyCleanPath(kUri, scheme_bytes, path));
    const std::unique_ptr<char[]> file(new char[kFileBytes]);
    benchmark::DoNotOptimize(file.get());
    std::memcpy(file.get(), kUri.data(), kUri.size());
  }
}
BENCHMARK(Openings)->Name("Opening");

}  // namespace
}  // namespace fsload

BENCHMARK_MAIN();
