// Measures calls of plugins in processes of their own, beside the same plugins
// in this process: isolation_benchmark NULL_PLUGIN MEMORY_PLUGIN POSIX_PLUGIN
// FOLDER [S3_PLUGIN]. Each figure Isolated/... has one InProcess/..., but for
// how long after its timeout a call ends that hangs.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/testing/test_processes.h"

namespace fsload {
namespace {

// A plugin's first file system, in or out of this process.
class Loaded {
 public:
  Loaded(const std::string& plugin, bool isolated,
         absl::Duration call_timeout = absl::InfiniteDuration()) {
    LoadOptions options;
    options.registry = &registry_;
    options.trust_untested = true;
    options.stub_missing_functions = true;
    options.partial = true;
    if (isolated) options.isolation.emplace().call_timeout = call_timeout;
    const LoadReport report = LoadPlugin(plugin, options);
    if (!report.status.ok()) {
      std::fprintf(stderr, "%s\n", report.status.ToString().c_str());
      std::exit(1);
    }
    scheme_ = report.schemes.front().scheme;
    file_system_ = *registry_.Find(scheme_);
  }
  ~Loaded() {
    file_system_.reset();
    registry_.RetireAll().IgnoreError();
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  const FileSystem& operator*() const { return *file_system_; }
  const FileSystem* operator->() const { return &*file_system_; }
  std::string Uri(const std::string& path) const {
    return scheme_ + "://" + path;
  }

 private:
  SchemeRegistry registry_;
  std::string scheme_;
  FileSystemPtr file_system_;
};

using Shared = std::shared_ptr<const Loaded>;

void Stat(benchmark::State& state, const Shared& loaded) {
  const std::string uri = loaded->Uri("/f");
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize((*loaded)->Stat(uri).ok());
  }
}

// Sleeps before each call, until the worker sleeps too.
void StatAfterPause(benchmark::State& state, const Shared& loaded) {
  const std::string uri = loaded->Uri("/f");
  while (state.KeepRunning()) {
    absl::SleepFor(absl::Milliseconds(1));
    const absl::Time begin = absl::Now();
    benchmark::DoNotOptimize((*loaded)->Stat(uri).ok());
    state.SetIterationTime(absl::ToDoubleSeconds(absl::Now() - begin));
  }
}

void Read(benchmark::State& state, const Shared& loaded, const std::string& uri,
          size_t bytes) {
  const auto file = (*loaded)->NewRandomAccessFile(uri);
  if (!file.ok()) return state.SkipWithError("it cannot be opened");
  std::vector<char> buffer(bytes);
  for (auto step : state) {
    static_cast<void>(step);
    const auto read = (*file)->Read(0, bytes, buffer.data());
    if (!read.ok() || static_cast<size_t>(*read) != bytes) {
      return state.SkipWithError("a read failed");
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}

void Append(benchmark::State& state, const Shared& loaded,
            const std::string& uri, size_t bytes) {
  const auto file = (*loaded)->NewWritableFile(uri);
  if (!file.ok()) return state.SkipWithError("it cannot be opened");
  const std::string contents(bytes, 'x');
  while (state.KeepRunning()) {
    if (!(*file)->Append(contents).ok()) return state.SkipWithError("failed");
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
  (*file)->Close().IgnoreError();
}

void Start(benchmark::State& state, const std::string& plugin, bool isolated) {
  while (state.KeepRunning()) {
    const Loaded loaded(plugin, isolated);
  }
}

constexpr absl::Duration kTimeout = absl::Milliseconds(200);

// Measures how long after its timeout a call ends that hangs: at most 100 ms,
// and the next one must have an answer.
template <typename Call>
void MeasureEnd(benchmark::State& state, const Loaded& loaded, Call hang) {
  const absl::Time begin = absl::Now();
  const absl::Status status = hang();
  const absl::Duration late = absl::Now() - begin - kTimeout;
  state.SetIterationTime(absl::ToDoubleSeconds(late));
  if (!absl::IsDeadlineExceeded(status) || late > absl::Milliseconds(100) ||
      !loaded->FileExists(loaded.Uri("/")).ok()) {
    std::fprintf(stderr, "a call that hangs ended %s late: %s\n",
                 absl::FormatDuration(late).c_str(), status.ToString().c_str());
    std::exit(1);
  }
}

// Appends to a FIFO that nobody reads.
void EndHang(benchmark::State& state, const std::string& posix,
             const std::string& fifo) {
  unlink(fifo.c_str());  // of an earlier run
  if (mkfifo(fifo.c_str(), 0600) != 0) return state.SkipWithError("no FIFO");
  const Descriptor pipe(open(fifo.c_str(), O_RDWR | O_CLOEXEC));
  while (state.KeepRunning()) {
    const Loaded loaded(posix, /*isolated=*/true, kTimeout);
    const auto file = loaded->NewWritableFile(loaded.Uri(fifo));
    if (!file.ok()) return state.SkipWithError("it cannot be opened");
    const std::string too_much(size_t{1} << 20, 'x');
    MeasureEnd(state, loaded, [&] { return (*file)->Append(too_much); });
    (*file)->Close().IgnoreError();  // else its end logs the error
  }
}

// Stops the child that is not among `others`.
bool StopNewChild(const std::vector<pid_t>& others) {
  for (const pid_t child : ChildProcesses()) {
    if (std::count(others.begin(), others.end(), child) != 0) continue;
    siginfo_t stopped;  // all its threads are
    return kill(child, SIGSTOP) == 0 &&
           waitid(P_PID, child, &stopped, WSTOPPED) == 0;
  }
  return false;
}

// Reads from a process that is stopped.
void EndHangOfRead(benchmark::State& state, const std::string& posix,
                   const std::string& path) {
  while (state.KeepRunning()) {
    const std::vector<pid_t> others = ChildProcesses();
    const Loaded loaded(posix, /*isolated=*/true, kTimeout);
    const auto file = loaded->NewRandomAccessFile(loaded.Uri(path));
    if (!file.ok()) return state.SkipWithError("it cannot be opened");
    if (!StopNewChild(others)) return state.SkipWithError("it does not stop");
    char byte;
    MeasureEnd(state, loaded,
               [&] { return (*file)->Read(0, 1, &byte).status(); });
  }
}

// A file of `bytes` bytes.
std::string Filled(const Loaded& loaded, const std::string& path,
                   size_t bytes) {
  const std::string uri = loaded.Uri(path);
  if (!WriteWholeFile(*loaded, uri, std::string(bytes, 'x')).ok()) std::exit(1);
  return uri;
}

void Register(const std::vector<std::string>& arguments, bool isolated) {
  constexpr size_t kSmall = 64;
  constexpr size_t kBlock = size_t{64} << 10;
  constexpr size_t kLarge = size_t{1} << 20;
  const std::string host = isolated ? "Isolated/" : "InProcess/";
  const auto add = [&host](const std::string& name, auto&&... rest) {
    return benchmark::RegisterBenchmark((host + name).c_str(), rest...)
        ->UseRealTime();
  };
  const auto null = std::make_shared<Loaded>(arguments[1], isolated);
  add("Stat", &Stat, null);
  add("Stat", &Stat, null)->Threads(2);
  add("Stat", &Stat, null)->Threads(8);
  benchmark::RegisterBenchmark((host + "StatAfterPause").c_str(),
                               &StatAfterPause, null)
      ->UseManualTime()
      ->Iterations(500);
  add("Read/64", &Read, null, null->Uri("/f"), kSmall);
  const auto memory = std::make_shared<Loaded>(arguments[2], isolated);
  const std::string stored = Filled(*memory, "/f", kLarge);
  add("ReadMemory/64KiB", &Read, memory, stored, kBlock);
  add("ReadMemory/1MiB", &Read, memory, stored, kLarge);
  const auto posix = std::make_shared<Loaded>(arguments[3], isolated);
  const std::string file = Filled(*posix, arguments[4] + "/f", kLarge);
  add("ReadPosix/64KiB", &Read, posix, file, kBlock);
  add("ReadPosix/1MiB", &Read, posix, file, kLarge);
  add("AppendPosix/64KiB", &Append, posix, file + "2", kBlock)
      ->Iterations(2000);
  add("Load/null", &Start, arguments[1], isolated)
      ->Unit(benchmark::kMillisecond);
  if (arguments.size() > 5) {
    add("Load/s3", &Start, arguments[5], isolated)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(1)  // in process it stays loaded
        ->Iterations(isolated ? 5 : 1);
  }
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.size() < 5) {
    std::fprintf(stderr, "arguments: NULL MEMORY POSIX FOLDER [S3_PLUGIN]\n");
    return 1;
  }
  fsload::Register(arguments, /*isolated=*/false);
  fsload::Register(arguments, /*isolated=*/true);
  const auto add = [&](const char* name, auto* hang, const char* path) {
    benchmark::RegisterBenchmark(name, hang, arguments[3], arguments[4] + path)
        ->UseManualTime()
        ->Iterations(20)
        ->Unit(benchmark::kMillisecond);
  };
  add("Isolated/EndHang", &fsload::EndHang, "/fifo");
  add("Isolated/EndHangOfRead", &fsload::EndHangOfRead, "/f");
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
