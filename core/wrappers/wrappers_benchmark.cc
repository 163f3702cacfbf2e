// What wrappers add to the calls of a plugin that does nothing:
// wrappers_benchmark PLUGIN
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "core/testing/bare_plugin.h"
#include "core/testing/benchmark_host.h"
#include "fsload/faulty.h"
#include "fsload/metered.h"
#include "fsload/read_only.h"
#include "fsload/retrying.h"
#include "fsload/scheme_registry.h"
#include "fsload/subtree.h"

namespace fsload {
namespace {

FileSystemPtr Made(absl::StatusOr<FileSystemPtr> made) {
  if (!made.ok()) std::abort();
  return *std::move(made);
}

FileSystemPtr Bare() { return Made(SchemeRegistry::Default().Find("null")); }

// One way to wrap the plugin's file system.
struct Row {
  const char* name;
  FileSystemPtr (*make)();
};

const Row kRows[] = {
    {"(none)", Bare},
    {"ReadOnly", [] { return Made(ReadOnly(Bare())); }},
    {"Retrying", [] { return Made(Retrying(Bare())); }},
    {"Faulty", [] { return Made(Faulty(Bare(), {})); }},
    {"Subtree",
     [] { return Made(Subtree(Bare(), "null:///root/of/it", "sub")); }},
    {"Metered",
     [] { return Made(Metered(Bare(), std::make_shared<OpMeter>())); }},
    {"Retrying over Metered over Subtree",
     [] {
       FileSystemPtr stack = Made(Subtree(Bare(), "null:///root/of/it", "sub"));
       stack = Made(Metered(stack, std::make_shared<OpMeter>()));
       return Made(Retrying(stack));
     }},
};

void MeasureRead(benchmark::State& state, const Row& row) {
  const FileSystemPtr fs = row.make();
  const auto file = fs->NewRandomAccessFile("/a/path/of/20/bytes");
  if (!file.ok()) std::abort();
  char buffer[64];
  for (auto step : state) {
    static_cast<void>(step);
    if (!(*file)->Read(0, sizeof(buffer), buffer).ok()) std::abort();
  }
}

void MeasureStat(benchmark::State& state, const Row& row) {
  const FileSystemPtr fs = row.make();
  for (auto step : state) {
    static_cast<void>(step);
    if (!fs->Stat("/a/path/of/20/bytes").ok()) std::abort();
  }
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) return 2;
  const fsload::BarePlugin plugin(argv[1]);
  benchmark_host::Register(argv[1], plugin);
  for (const fsload::Row& row : fsload::kRows) {
    const auto add = [&row](const char* call, auto function) {
      benchmark::RegisterBenchmark(
          (std::string(call) + "/" + row.name).c_str(),
          [function, &row](benchmark::State& state) { function(state, row); });
    };
    add("Read", fsload::MeasureRead);
    add("Stat", fsload::MeasureStat);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
