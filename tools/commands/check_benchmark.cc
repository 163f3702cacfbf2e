// How long `fsload --check` takes: check_benchmark FSLOAD [PLUGIN]... runs it
// on the bundled plugin and on each of these, as a shell would.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace {

// The exit code; -1 if it cannot be run. Discards the output.
int Run(char* command, char* plugin) {
  char check[] = "--check";
  char* const arguments[] = {command, check, plugin, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  pid_t process;
  const int error =
      posix_spawn(&process, command, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (error != 0 || waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Check(benchmark::State& state, char* command, char* plugin) {
  for (auto step : state) {
    static_cast<void>(step);
    // A refused plugin has been checked too.
    if (Run(command, plugin) > 1) state.SkipWithError("it was not checked");
  }
}

void Register(char* command, char* plugin) {
  const std::string name =
      std::string("Check/") + (plugin == nullptr ? "bundled" : plugin);
  benchmark::RegisterBenchmark(name.c_str(), Check, command, plugin)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc < 2) return 2;
  Register(argv[1], nullptr);
  for (int i = 2; i < argc; ++i) Register(argv[1], argv[i]);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
