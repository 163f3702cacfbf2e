// Times streams and ranges, compared with reads and writes of the same file:
//
//   stream_benchmark POSIX_PLUGIN SLOW_PLUGIN FOLDER
//
// In FOLDER, a file of 64 MiB with lines of 60 bytes is read and written
// through the first plugin, and parts of it through the second, which takes 5
// ms for each operation.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fsload/buffered_reader.h"
#include "fsload/buffered_writer.h"
#include "fsload/by_uri.h"
#include "fsload/file_streams.h"
#include "fsload/plugin_loader.h"
#include "fsload/read_ranges.h"

namespace {

constexpr size_t kBytes = size_t{64} << 20;
constexpr size_t kBlock = size_t{1} << 20;
constexpr std::string_view kLine =
    "a line of sixty bytes with its end, as logs and tables have\n";

std::string path;  // set before the benchmarks run

std::string Uri() { return "posix://" + path; }
std::string SlowUri() { return "slow://" + path; }

void Die(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status << "\n";
  std::exit(1);
}

template <typename T>
T Get(absl::StatusOr<T> value) {
  Die(value.status());
  return *std::move(value);
}

// Of all iterations; shown for one.
void Count(benchmark::State& state, uint64_t bytes, uint64_t lines) {
  state.counters["bytes"] = benchmark::Counter(
      static_cast<double>(bytes), benchmark::Counter::kAvgIterations);
  state.counters["lines"] = benchmark::Counter(
      static_cast<double>(lines), benchmark::Counter::kAvgIterations);
}

// Splits blocks into lines by hand: the least that reading lines can cost.
class Lines {
 public:
  void Add(std::string_view block) {
    for (size_t end; (end = block.find('\n')) != std::string_view::npos;) {
      benchmark::DoNotOptimize(block.substr(0, end));
      block.remove_prefix(end + 1);
      ++count_;
    }
  }
  uint64_t count() const { return count_; }

 private:
  uint64_t count_ = 0;
};

void RawBlocks(benchmark::State& state) {
  const auto file = Get(fsload::NewRandomAccessFile(Uri()));
  const auto buffer = std::make_unique<char[]>(kBlock);
  uint64_t bytes = 0;
  for (auto step : state) {
    static_cast<void>(step);
    for (uint64_t at = 0;;) {
      const size_t read = Get(file->Read(at, kBlock, buffer.get()));
      at += read;
      bytes += read;
      if (read < kBlock) break;
    }
  }
  Count(state, bytes, 0);
}

void Blocks(benchmark::State& state) {
  uint64_t bytes = 0;
  for (auto step : state) {
    static_cast<void>(step);
    const auto reader = Get(fsload::BufferedReader::Open(Uri()));
    for (;;) {
      const std::string_view block = Get(reader->ReadBlock());
      if (block.empty()) break;
      bytes += block.size();
    }
  }
  Count(state, bytes, 0);
}

void RawLines(benchmark::State& state) {
  const auto file = Get(fsload::NewRandomAccessFile(Uri()));
  const auto buffer = std::make_unique<char[]>(kBlock);
  uint64_t bytes = 0;
  Lines lines;
  for (auto step : state) {
    static_cast<void>(step);
    for (uint64_t at = 0;;) {
      const size_t read = Get(file->Read(at, kBlock, buffer.get()));
      lines.Add({buffer.get(), read});
      at += read;
      bytes += read;
      if (read < kBlock) break;
    }
  }
  Count(state, bytes, lines.count());
}

void ReadLines(benchmark::State& state, bool reads_ahead) {
  uint64_t bytes = 0;
  uint64_t lines = 0;
  fsload::BufferedReaderOptions options;
  options.reads_ahead = reads_ahead;
  for (auto step : state) {
    static_cast<void>(step);
    const auto reader = Get(fsload::BufferedReader::Open(Uri(), options));
    for (;;) {
      auto line = Get(reader->ReadLine());
      if (!line.has_value()) break;
      benchmark::DoNotOptimize(*line);
      ++lines;
    }
    bytes += reader->position();
  }
  Count(state, bytes, lines);
}

void LinesOf(benchmark::State& state, std::istream& in) {
  uint64_t bytes = 0;
  uint64_t lines = 0;
  std::string line;
  for (auto step : state) {
    static_cast<void>(step);
    in.clear();
    in.seekg(0);
    while (std::getline(in, line)) {
      bytes += line.size() + 1;
      ++lines;
    }
  }
  Count(state, bytes, lines);
}

void StreamLines(benchmark::State& state) {
  LinesOf(state, *Get(fsload::InputFileStream::Open(Uri())));
}

void StandardLines(benchmark::State& state) {
  std::ifstream in(path, std::ios::binary);
  LinesOf(state, in);
}

constexpr int kLinesWritten = 100'000;

void RawWrites(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    const auto file = Get(fsload::NewWritableFile(Uri() + ".out"));
    for (int i = 0; i < kLinesWritten; ++i) Die(file->Append(kLine));
    Die(file->Close());
  }
  Count(state, state.iterations() * kLinesWritten * kLine.size(),
        state.iterations() * kLinesWritten);
}

void Writes(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    const auto writer = Get(fsload::BufferedWriter::Open(Uri() + ".out"));
    for (int i = 0; i < kLinesWritten; ++i) Die(writer->Append(kLine));
    Die(writer->Close());
  }
  Count(state, state.iterations() * kLinesWritten * kLine.size(),
        state.iterations() * kLinesWritten);
}

// 1,000 ranges of 100 bytes, `apart` from each other.
std::vector<fsload::ByteRange> Ranges(uint64_t apart) {
  std::vector<fsload::ByteRange> ranges(1000);
  for (size_t i = 0; i < ranges.size(); ++i) ranges[i] = {i * apart, 100};
  return ranges;
}

void OneByOne(benchmark::State& state) {
  const auto file = Get(fsload::NewRandomAccessFile(SlowUri()));
  char buffer[100];
  for (auto step : state) {
    static_cast<void>(step);
    for (const fsload::ByteRange& range : Ranges(state.range(0))) {
      Get(file->Read(range.offset, range.length, buffer));
    }
  }
}

void ReadRanges(benchmark::State& state) {
  const auto file = Get(fsload::NewRandomAccessFile(SlowUri()));
  for (auto step : state) {
    static_cast<void>(step);
    Get(fsload::ReadRanges(*file, Ranges(state.range(0))));
  }
}

void AddRanges(const char* name, void (*function)(benchmark::State&)) {
  // A gap is wider than what is read over, or is not.
  benchmark::RegisterBenchmark(name, function)
      ->Arg((64 << 10) + 101)
      ->Arg(1000)
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void Add(const char* name, void (*function)(benchmark::State&)) {
  benchmark::RegisterBenchmark(name, function)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 4) return 2;
  Die(fsload::LoadPlugin(argv[1]).status);
  Die(fsload::LoadPlugin(argv[2]).status);
  path = std::string(argv[3]) + "/stream_benchmark";
  {
    std::ofstream out(path, std::ios::binary);
    for (size_t bytes = 0; bytes < kBytes; bytes += kLine.size()) out << kLine;
  }
  Add("read/blocks", RawBlocks);
  Add("fsload/blocks", Blocks);
  Add("read/lines", RawLines);
  Add("fsload/lines", [](benchmark::State& state) { ReadLines(state, true); });
  Add("fsload/lines_not_ahead",
      [](benchmark::State& state) { ReadLines(state, false); });
  Add("istream/lines", StreamLines);
  Add("ifstream/lines", StandardLines);
  Add("append/lines", RawWrites);
  Add("fsload/append_lines", Writes);
  AddRanges("read/ranges", OneByOne);
  AddRanges("fsload/ranges", ReadRanges);
  benchmark::RunSpecifiedBenchmarks();
  std::remove(path.c_str());
  std::remove((path + ".out").c_str());
  return 0;
}
