#include "loader/isolation/plugin_worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "fsload/internal/mutex.h"
#include "loader/isolation/fork_generation.h"
#include "loader/isolation/worker_program.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr absl::Duration kRestartsCountFor = absl::Minutes(1);

// How long to wait before a new process is started after so many.
absl::Duration PauseBefore(size_t restarts) {
  constexpr absl::Duration kFirst = absl::Milliseconds(5);
  constexpr absl::Duration kLongest = absl::Milliseconds(100);
  if (restarts == 0) return absl::ZeroDuration();
  absl::Duration pause = kFirst;
  for (size_t i = 1; i < restarts && pause < kLongest; ++i) pause *= 2;
  return std::min(pause, kLongest);
}

// The environment of this process with `changes`.
std::vector<std::string> EnvironmentWith(
    const std::map<std::string, std::optional<std::string>>& changes) {
  std::vector<std::string> environment;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string name(variable.substr(0, variable.find('=')));
    if (changes.count(name) == 0) environment.emplace_back(variable);
  }
  for (const auto& [name, value] : changes) {
    if (value.has_value()) environment.push_back(name + "=" + *value);
  }
  return environment;
}

std::vector<std::string> SchemesOf(const LoadAnswer& answer) {
  std::vector<std::string> schemes;
  for (const JournalFileSystem& each : answer.file_systems) {
    schemes.push_back(each.scheme);
  }
  return schemes;
}

// Makes the program's process confined, with a folder of its own in which its
// temporary files are.
absl::Status Confine(const Isolation& isolation, WorkerSettings& settings) {
  if (!isolation.confined) {
    return isolation.writable_folders.empty()
               ? absl::OkStatus()
               : InvalidArgumentError(
                     "Isolation::writable_folders is for confined plugins");
  }
  auto scratch = std::make_shared<ScratchFolder>();
  if (scratch->path().empty()) {
    return ErrnoError(errno, "cannot make a directory in TMPDIR for a plugin");
  }
  settings.arguments.push_back(kConfinedWord);
  settings.arguments.push_back(scratch->path());
  for (const std::string& each : isolation.writable_folders) {
    const Descriptor folder(
        open(each.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.ok()) {
      return ErrnoError(errno, "{}: a plugin cannot be allowed to write there",
                        each);
    }
    settings.arguments.push_back(each);
  }
  settings.scratch = std::move(scratch);
  return absl::OkStatus();
}

}  // namespace

// Of one process, and not of those that it forks: a thread of the parent may
// have held the mutex.
struct PluginWorker::Running {
  const uint64_t fork_generation = ForkGeneration();
  Mutex mutex;
  CondVar changed;
  std::shared_ptr<WorkerProcess> process ABSL_GUARDED_BY(mutex);
  bool starting ABSL_GUARDED_BY(mutex) = false;
  std::deque<absl::Time> restarts ABSL_GUARDED_BY(mutex);  // the last minute's
};

PluginWorker::PluginWorker(LoadRequest request, std::string bytes,
                           Isolation isolation)
    : request_(std::move(request)),
      bytes_(std::move(bytes)),
      isolation_(std::move(isolation)),
      running_(new Running) {}

PluginWorker::~PluginWorker() {
  Running* const last = running_.load();
  if (last->fork_generation == ForkGeneration()) delete last;
}

absl::StatusOr<std::shared_ptr<PluginWorker>> PluginWorker::Start(
    const LoadRequest& request, std::string bytes, const Isolation& isolation,
    LoadAnswer& answer) {
  std::shared_ptr<PluginWorker> worker(
      new PluginWorker(request, std::move(bytes), isolation));
  auto process = worker->StartProcess(answer);
  if (!process.ok()) return process.status();
  worker->request_.sum = answer.sum;
  worker->schemes_ = SchemesOf(answer);
  Running& running = worker->running();
  const MutexLock lock(running.mutex);
  running.process = *std::move(process);
  return worker;
}

PluginWorker::Running& PluginWorker::running() {
  // Acquire: another thread may have made it.
  Running* last = running_.load(std::memory_order_acquire);
  if (last->fork_generation == ForkGeneration()) return *last;
  auto* const own = new Running;
  // That of the parent is left as it is.
  if (running_.compare_exchange_strong(last, own)) return *own;
  delete own;
  return *last;
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> PluginWorker::StartProcess(
    LoadAnswer& answer) const {
  auto program = FindWorkerProgram(isolation_.worker);
  if (!program.ok()) return program.status();
  WorkerSettings settings;
  settings.program = std::move(program->path);
  settings.arguments = std::move(program->arguments);
  const absl::Status confined = Confine(isolation_, settings);
  if (!confined.ok()) return confined;
  auto changes = isolation_.environment;
  if (settings.scratch != nullptr) {
    changes.emplace("TMPDIR", settings.scratch->path());
  }
  settings.environment = EnvironmentWith(changes);
  settings.plugin = request_.plugin;
  settings.call_timeout = isolation_.call_timeout;
  settings.stop = isolation_.stop;
  auto process = WorkerProcess::Start(settings);
  if (!process.ok()) return process.status();
  WorkerCall call;
  call.op = kLoadRequest;
  call.written = bytes_;
  call.fields = ToFields(request_);
  WorkerAnswer found;
  absl::Status status = (*process)->Call(call, found);
  if (!status.ok()) {
    return Prepend("the plugin was not loaded", status);
  }
  std::optional<LoadAnswer> loaded = LoadAnswerFrom(found.fields);
  if (!loaded.has_value()) {
    return InternalError("the plugin's process gave no report of its load");
  }
  answer = *std::move(loaded);
  return process;
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> PluginWorker::Restart(
    const absl::Status& ending, size_t restarts) const {
  const auto limit = static_cast<size_t>(std::max(isolation_.restarts, 0));
  if (restarts >= limit) {
    return UnavailableError("{}; no other is started: {} were within a minute",
                            std::string(ending.message()), restarts);
  }
  absl::SleepFor(PauseBefore(restarts));
  LoadAnswer answer;
  auto process = StartProcess(answer);
  if (!process.ok()) return process.status();
  if (SchemesOf(answer) == schemes_) return process;
  return UnavailableError(
      "a new process of the plugin does not load what the first one did: {}",
      answer.report.status.ok() ? "it has other schemes"
                                : std::string(answer.report.status.message()));
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> PluginWorker::Process() {
  Running& here = running();
  MutexLock lock(here.mutex);
  while (here.starting) here.changed.Wait(here.mutex);
  if (here.process != nullptr && !here.process->ended()) return here.process;
  // A forked child has had none.
  const absl::Status ending =
      here.process == nullptr ? UnavailableError("the process has not begun")
                              : here.process->Ending();
  if (absl::IsCancelled(ending)) return ending;
  const absl::Time now = absl::Now();
  while (!here.restarts.empty() &&
         here.restarts.front() < now - kRestartsCountFor) {
    here.restarts.pop_front();
  }
  const size_t restarts = here.restarts.size();
  here.starting = true;
  here.mutex.Unlock();
  auto started = Restart(ending, restarts);
  here.mutex.Lock();
  here.starting = false;
  if (started.ok()) {
    here.process = *started;
  }
  here.restarts.push_back(now);
  here.changed.NotifyAll();
  return started;
}

std::shared_ptr<WorkerProcess> PluginWorker::Current() {
  Running& here = running();
  const MutexLock lock(here.mutex);
  if (here.process == nullptr || here.process->ended()) return nullptr;
  return here.process;
}

}  // namespace fsload
