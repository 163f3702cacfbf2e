#include "loader/isolation/plugin_worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "core/threads/steady_now.h"
#include "fsload/internal/mutex.h"
#include "loader/isolation/fields.h"
#include "loader/isolation/restart_limit.h"
#include "loader/isolation/worker_program.h"
#include "loader/supervision/shared_messages.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

std::vector<std::string> SchemesOf(const LoadAnswer& answer) {
  std::vector<std::string> schemes;
  for (const JournalFileSystem& each : answer.file_systems) {
    schemes.push_back(each.scheme);
  }
  return schemes;
}

// Makes the program's process confined, with a folder of its own in which its
// temporary files are.
absl::Status Confine(const Isolation& isolation, const Environment& environment,
                     WorkerSettings& settings) {
  if (!isolation.confined) {
    return isolation.writable_folders.empty()
               ? absl::OkStatus()
               : InvalidArgumentError(
                     "Isolation::writable_folders is for confined plugins");
  }
  auto scratch =
      std::make_shared<ScratchFolder>(ValueIn(environment, "TMPDIR"));
  if (scratch->path().empty()) {
    return ErrnoError(errno, "cannot make a directory in TMPDIR for a plugin");
  }
  settings.arguments.emplace_back(kConfinedWord);
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

// Returns why calls have no answer: the codes of what failed, such as
// NOT_FOUND, would be read as the file system's.
absl::Status NotStarted(const absl::Status& ending, const absl::Status& why) {
  const bool is_ours = absl::IsCancelled(why) ||
                       absl::IsDeadlineExceeded(why) ||
                       absl::IsResourceExhausted(why);
  return absl::Status(
      is_ours ? why.code() : absl::StatusCode::kUnavailable,
      Format("{}; no other could be started: {}", std::string(ending.message()),
             std::string(why.message())));
}

// Makes `path` lead to the same file when the program has changed its
// directory.
void MakeAbsolute(std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  const std::filesystem::path found = std::filesystem::absolute(path, error);
  if (!error) path = found.string();
}

// Returns a copy of what there is, but for those that `drops` is true of.
template <typename Calls, typename Drops>
std::unique_ptr<Calls> Without(const Calls* calls, const Drops& drops) {
  auto kept = std::make_unique<Calls>();
  if (calls != nullptr) {
    std::remove_copy_if(calls->begin(), calls->end(), std::back_inserter(*kept),
                        drops);
  }
  return kept;
}

}  // namespace

// What one process has of a worker.
struct PluginWorker::Running {
  explicit Running(int max_restarts) : restarts(max_restarts) {}

  Mutex mutex;
  CondVar changed;
  std::shared_ptr<WorkerProcess> process ABSL_GUARDED_BY(mutex);
  bool starting ABSL_GUARDED_BY(mutex) = false;
  bool begun ABSL_GUARDED_BY(mutex) = false;  // there was a process
  RestartLimit restarts ABSL_GUARDED_BY(mutex);
};

// While it lives, one thread starts a process without the mutex, and others
// wait for that.
class PluginWorker::Starting final {
 public:
  explicit Starting(Running& running) ABSL_NO_THREAD_SAFETY_ANALYSIS
      : running_(running) {
    running_.starting = true;
    running_.mutex.Unlock();
  }
  ~Starting() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    running_.mutex.Lock();
    running_.starting = false;
    running_.changed.NotifyAll();
  }
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;

 private:
  Running& running_;
};

PluginWorker::PluginWorker(LoadRequest request, std::string bytes,
                           Isolation isolation, Environment environment)
    : name_(request.plugin),
      request_(std::move(request)),
      bytes_(std::move(bytes)),
      isolation_(std::move(isolation)),
      environment_(std::move(environment)),
      running_(isolation_.restarts) {}

PluginWorker::~PluginWorker() { delete configuration_.load(); }

absl::StatusOr<std::shared_ptr<PluginWorker>> PluginWorker::Start(
    const LoadRequest& request, std::string bytes, const Isolation& isolation,
    Environment environment, LoadAnswer& answer) {
  std::shared_ptr<PluginWorker> worker(new PluginWorker(
      request, std::move(bytes), isolation, std::move(environment)));
  auto process = worker->StartProcess(answer);
  if (absl::IsNotFound(process.status())) {
    // Read as the plugin's, NOT_FOUND would mean that there is no such file.
    return FailedPreconditionError("{}",
                                   std::string(process.status().message()));
  }
  if (!process.ok()) return process.status();
  worker->schemes_ = SchemesOf(answer);
  // The same is to be found again, wherever the program is then.
  worker->request_.file_identity = answer.file_identity;
  if (!request.from_bytes) MakeAbsolute(worker->request_.plugin);
  MakeAbsolute(worker->request_.options.trust.allow_list);
  MakeAbsolute(worker->isolation_.worker);
  for (std::string& each : worker->isolation_.writable_folders) {
    MakeAbsolute(each);
  }
  Running& running = worker->running_.get();
  const MutexLock lock(running.mutex);
  running.process = *std::move(process);
  running.begun = true;
  return worker;
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> PluginWorker::StartProcess(
    LoadAnswer& answer) const {
  auto program = FindWorkerProgram(isolation_.worker, environment_);
  if (!program.ok()) return program.status();
  WorkerSettings settings;
  settings.program = std::move(program->path);
  settings.arguments = std::move(program->arguments);
  const absl::Status confined = Confine(isolation_, environment_, settings);
  if (!confined.ok()) return confined;
  auto changes = isolation_.environment;
  if (settings.scratch != nullptr) {
    changes.emplace("TMPDIR", settings.scratch->path());
  }
  settings.environment = WithChanges(environment_, changes);
  settings.plugin = name_;
  settings.limit_text = MemoryLimitText(request_.memory_limit);
  settings.call_timeout = isolation_.call_timeout;
  settings.stop = isolation_.stop;
  auto process = WorkerProcess::Start(settings);
  if (!process.ok()) return process.status();
  WorkerCall call;
  call.op = kLoadRequest;
  call.written = bytes_;
  call.fields = ToFields(request_);
  // A report takes several times as much memory when it is read.
  call.max_fields = SharedMessages::kFileBytes;
  WorkerAnswer found;
  absl::Status status = (*process)->Call(call, found);
  if (!status.ok()) {
    return Prepend("the plugin was not loaded", status);
  }
  if (found.code != TF_OK) {
    return FailedPreconditionError(
        "the plugin was not loaded: {}",
        std::string(FieldReader(found.fields).Text()));
  }
  std::optional<LoadAnswer> loaded = LoadAnswerFrom(found.fields);
  if (!loaded.has_value()) {
    return InternalError("the plugin's process gave no report of its load");
  }
  answer = *std::move(loaded);
  return process;
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> PluginWorker::Restart() const {
  LoadAnswer answer;
  auto process = StartProcess(answer);
  if (!process.ok()) return process.status();
  if (SchemesOf(answer) != schemes_) {
    return UnavailableError(
        "a new process of the plugin does not load what the first one did: {}",
        answer.report.status.ok()
            ? "it has other schemes"
            : std::string(answer.report.status.message()));
  }
  const absl::Status configured = Configure(**process);
  if (!configured.ok()) return configured;
  return process;
}

// Makes the calls again that have configured earlier processes.
absl::Status PluginWorker::Configure(WorkerProcess& process) const {
  const auto* const kept = configuration_.load(std::memory_order_acquire);
  if (kept == nullptr) return absl::OkStatus();
  for (const Configuring& each : *kept) {
    WorkerCall call;
    call.op = each.op;
    call.scheme = each.scheme;
    call.has_status = each.has_status;
    call.fields = each.fields;
    WorkerAnswer answer;
    absl::Status status = process.Call(call, answer);
    if (status.ok() && answer.code != TF_OK) {
      status = UnavailableError("{}",
                                std::string(FieldReader(answer.fields).Text()));
    }
    if (!status.ok()) {
      return Prepend("a new process of the plugin cannot be configured",
                     status);
    }
  }
  return absl::OkStatus();
}

absl::Status PluginWorker::KeepConfiguration(const WorkerProcess& process,
                                             const WorkerCall& call,
                                             std::string options) {
  Running& here = running_.get();
  const MutexLock lock(here.mutex);
  if (here.process.get() != &process || process.ended()) {
    return Prepend("what was set is lost", process.Ending());
  }
  auto kept = Without(configuration_.load(), [&](const Configuring& each) {
    return each.op == call.op && each.scheme == call.scheme &&
           each.options == options;
  });
  kept->push_back(
      {call.op, call.scheme, call.has_status, std::move(options), call.fields});
  delete configuration_.exchange(kept.release());
  return absl::OkStatus();
}

void PluginWorker::ForgetConfiguration(uint32_t scheme) {
  Running& here = running_.get();
  const MutexLock lock(here.mutex);
  while (here.starting) here.changed.Wait(here.mutex);
  auto kept = Without(configuration_.load(), [&](const Configuring& each) {
    return each.scheme == scheme;
  });
  delete configuration_.exchange(kept.release());
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> PluginWorker::Process() {
  Running& here = running_.get();
  std::shared_ptr<WorkerProcess> last;  // destroyed without the mutex
  const MutexLock lock(here.mutex);
  while (here.starting) here.changed.Wait(here.mutex);
  if (here.process != nullptr && !here.process->ended()) return here.process;
  // A forked child has had none.
  const absl::Status ending =
      here.process == nullptr ? UnavailableError("the process has not begun")
                              : here.process->Ending();
  if (absl::IsCancelled(ending)) return ending;
  if (isolation_.stop.stop_requested()) {
    return CancelledError("stopped; the plugin's process has ended");
  }
  std::optional<absl::Duration> pause = absl::ZeroDuration();
  if (std::exchange(here.begun, true)) {
    pause = here.restarts.Count(SteadyNow());
  }
  if (!pause.has_value()) {
    return UnavailableError(
        "{}; no other is started: it was started again {} times within a "
        "minute, which is the limit (Isolation::restarts)",
        std::string(ending.message()), here.restarts.count());
  }
  absl::StatusOr<std::shared_ptr<WorkerProcess>> started;
  {
    const Starting starting(here);
    absl::SleepFor(*pause);
    started = Restart();
  }
  if (!started.ok()) return NotStarted(ending, started.status());
  last = std::exchange(here.process, *started);
  return started;
}

std::shared_ptr<WorkerProcess> PluginWorker::Current() {
  Running& here = running_.get();
  const MutexLock lock(here.mutex);
  if (here.process == nullptr || here.process->ended()) return nullptr;
  return here.process;
}

}  // namespace fsload
