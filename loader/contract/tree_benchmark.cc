// Times trees and large files, compared with standard tools:
//
//   tree_benchmark PLUGIN SCHEME FOLDER FOLDERS FILES MEBIBYTES DEPTH
//
// In FOLDER, a tree of FOLDERS folders with FILES files each is listed and
// deleted, a file of MEBIBYTES copied and a path of DEPTH folders made, by the
// host and by find, rm, cp and mkdir. <host>/one_cpu is the same on one
// processor: the tools use only one. With --benchmark_repetitions all take
// turns, in random order. peak_MiB is the memory that the host used on top of
// what its process had.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/testing/one_processor.h"

#ifndef FSLOAD_BENCHMARK_HOST  // the header of the host
#define FSLOAD_BENCHMARK_HOST "loader/contract/tree_benchmark_host.h"
#endif
#include FSLOAD_BENCHMARK_HOST

namespace {

struct Shape {
  std::string scheme;
  std::string folder;
  int folders;
  int files;
  int mebibytes;
  int depth;

  std::string Uri(const std::string& path) const {
    return scheme + "://" + path;
  }
};
Shape shape;  // set before the benchmarks run

// The memory that work uses.
struct Peak {
  // The value of `name` in /proc/self/status, KiB.
  static long Own(const std::string& name) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);) {
      if (line.compare(0, name.size(), name) == 0) {
        return std::atol(line.c_str() + name.size() + 1);
      }
    }
    return 0;
  }

  void Start() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak
    before_kib = Own("VmRSS");
  }

  double MebibytesTaken() const {
    return static_cast<double>(Own("VmHWM") - before_kib) / 1024;
  }

  long before_kib = 0;
};

// The processor time used by this process so far.
struct ProcessorTimes {
  ProcessorTimes() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const auto milliseconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) * 1e3 +
             static_cast<double>(time.tv_usec) / 1e3;
    };
    user_ms = milliseconds(usage.ru_utime);
    system_ms = milliseconds(usage.ru_stime);
  }
  double user_ms;
  double system_ms;
};

// Runs a program and drops its output; returns whether it succeeded.
bool Run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  pid_t process;
  const int error = posix_spawnp(&process, arguments[0], &actions, nullptr,
                                 arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  return error == 0 && waitpid(process, &status, 0) == process && status == 0;
}

void BuildTree(const std::string& root) {
  mkdir(root.c_str(), 0777);
  for (int i = 0; i < shape.folders; ++i) {
    const std::string folder = root + "/d" + std::to_string(i);
    mkdir(folder.c_str(), 0777);
    for (int k = 0; k < shape.files; ++k) {
      const std::string file = folder + "/f" + std::to_string(k);
      close(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    }
  }
}

// The tree that is only read.
const std::string& KeptTree() {
  static const std::string* const root = [] {
    auto* path = new std::string(shape.folder + "/kept");
    BuildTree(*path);
    return path;
  }();
  return *root;
}

const std::string& LargeFile() {
  static const std::string* const path = [] {
    auto* file = new std::string(shape.folder + "/large");
    std::ofstream out(*file, std::ios::binary);
    std::string mebibyte(1 << 20, '\0');
    for (size_t i = 0; i < mebibyte.size(); ++i) {
      mebibyte[i] = static_cast<char>(i * 7 + (i >> 8));
    }
    for (int i = 0; i < shape.mebibytes; ++i) out << mebibyte;
    return file;
  }();
  return *path;
}

// The measured work: prepared anew, done once, and undone.
struct Work {
  std::function<void()> prepare = [] {};
  std::function<bool()> work;
  std::function<void()> undo = [] {};
};

void Measure(benchmark::State& state, const Work& work, bool one_processor) {
  for (auto step : state) {
    static_cast<void>(step);
    work.prepare();
    bool done;
    Peak peak;
    peak.Start();
    const ProcessorTimes before;
    std::chrono::duration<double> seconds;
    {
      std::optional<fsload::OneProcessor> bound;
      if (one_processor) bound.emplace();
      const auto start = std::chrono::steady_clock::now();
      done = work.work();
      seconds = std::chrono::steady_clock::now() - start;
    }
    const ProcessorTimes after;
    state.counters["user_ms"] = after.user_ms - before.user_ms;
    state.counters["system_ms"] = after.system_ms - before.system_ms;
    state.counters["peak_MiB"] = peak.MebibytesTaken();
    work.undo();
    if (!done) state.SkipWithError("it failed");
    state.SetIterationTime(seconds.count());
  }
}

void Add(const std::string& name, const Work& work,
         bool one_processor = false) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) { Measure(state, work, one_processor); })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

// The host's work and the tool's.
void AddPair(const std::string& name, const std::string& tool, const Work& host,
             const Work& tools) {
  const std::string host_name = benchmark_host::kName;
  Add(host_name + "/" + name, host);
  Add(host_name + "/one_cpu/" + name, host, true);
  Add(tool + "/" + name, tools);
}

void AddGlob(const std::string& name, const std::string& pattern,
             size_t matches, const std::vector<std::string>& tests) {
  Work host;
  host.prepare = [] { KeptTree(); };
  // Freeing the results is not measured: the tools do not free them either.
  const auto paths = std::make_shared<std::vector<std::string>>();
  host.work = [=] {
    const std::string uri = shape.Uri(KeptTree() + "/" + pattern);
    return benchmark_host::Glob(uri, paths.get()) && paths->size() == matches;
  };
  host.undo = [=] { *paths = {}; };
  Work tool;
  tool.prepare = host.prepare;
  tool.work = [=] {
    std::vector<std::string> words = {"find", KeptTree(),  "-mindepth",
                                      "2",    "-maxdepth", "2"};
    words.insert(words.end(), tests.begin(), tests.end());
    return Run(words);
  };
  AddPair(name, "find", host, tool);
}

// How many of `files` names, f0 and up, begin with "f1".
size_t BeginWithOne(int files) {
  size_t count = 0;
  for (int i = 0; i < files; ++i) count += std::to_string(i)[0] == '1';
  return count;
}

void AddDelete() {
  const std::string root = shape.folder + "/deleted";
  Work host;
  host.prepare = [=] { BuildTree(root); };
  host.work = [=] { return benchmark_host::Delete(shape.Uri(root)); };
  Work tool;
  tool.prepare = host.prepare;
  tool.work = [=] { return Run({"rm", "-rf", root}); };
  AddPair("Delete", "rm", host, tool);
}

void AddCopy() {
  const std::string target = shape.folder + "/copy";
  // Memory that the file system has not used before, in pieces of the same
  // size, takes longer to get: so each copies once before.
  const auto twice = [=](const std::function<bool()>& copy) {
    Work work;
    work.prepare = [=] {
      copy();
      std::filesystem::remove(target);
    };
    work.work = copy;
    work.undo = [=] { std::filesystem::remove(target); };
    return work;
  };
  const Work host = twice([=] {
    return benchmark_host::Copy(shape.Uri(LargeFile()), shape.Uri(target));
  });
  const Work tool = twice([=] { return Run({"cp", LargeFile(), target}); });
  AddPair("Copy", "cp", host, tool);
}

void AddMakeDirectories() {
  const std::string root = shape.folder + "/made";
  std::string path = root;
  for (int i = 0; i < shape.depth; ++i) path += "/d";
  Work host;
  host.work = [=] { return benchmark_host::MakeDirectories(shape.Uri(path)); };
  host.undo = [=] { std::filesystem::remove_all(root); };
  Work tool = host;
  tool.work = [=] { return Run({"mkdir", "-p", path}); };
  AddPair("MakeDirectories", "mkdir", host, tool);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string in_turns = "--benchmark_enable_random_interleaving=true";
  arguments.push_back(in_turns.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count != 8) return 2;
  std::string folder = std::string(arguments[3]) + "/treeXXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 1;
  shape = {arguments[2],
           folder,
           std::atoi(arguments[4]),
           std::atoi(arguments[5]),
           std::atoi(arguments[6]),
           std::atoi(arguments[7])};
  benchmark_host::Register(arguments[1]);
  const size_t all = static_cast<size_t>(shape.folders) * shape.files;
  AddGlob("Glob/all", "*/*", all, {});
  AddGlob("Glob/some", "*/f1*", shape.folders * BeginWithOne(shape.files),
          {"-name", "f1*"});
  AddDelete();
  AddCopy();
  AddMakeDirectories();
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(folder);
  return 0;
}
