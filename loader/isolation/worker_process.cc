#include "loader/isolation/worker_process.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr absl::Duration kStartTimeout = absl::Seconds(10);
constexpr absl::Duration kControlTimeout = absl::Seconds(10);
constexpr absl::Duration kQuitTimeout = absl::Seconds(2);

}  // namespace

WorkerProcess::WorkerProcess(const WorkerSettings& settings, Descriptor control,
                             std::shared_ptr<SharedMemory> memory)
    : call_timeout_(settings.call_timeout),
      stop_(settings.stop),
      control_(std::move(control)),
      memory_(std::move(memory)),
      slots_(std::make_unique<Slot[]>(kSlots)) {}

WorkerProcess::~WorkerProcess() {
  if (watch_ != nullptr && !watch_->IsOwn()) {
    // A thread of the parent may have held its mutex.
    static_cast<void>(on_stop_.release());
    return;
  }
  on_stop_ = nullptr;
  if (watch_ == nullptr) return;
  ControlMessage quit;
  quit.kind = ControlKind::kQuit;
  SendControl(control_.get(), quit, -1, absl::ZeroDuration());
  watch_->AwaitEnd(kQuitTimeout);
}

absl::StatusOr<std::shared_ptr<WorkerProcess>> WorkerProcess::Start(
    const WorkerSettings& settings) {
  auto memory = SharedMemory::Create(kSlotsBytes);
  if (!memory.ok()) return memory.status();
  if (!(*memory)->Reserve(0, kHeadsBytes)) {
    return ErrnoError(errno, "no memory for a plugin's process");
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return ErrnoError(errno, "no socket for a plugin's process");
  }
  std::shared_ptr<WorkerProcess> process(
      new WorkerProcess(settings, Descriptor(ends[0]), *std::move(memory)));
  absl::Status status = process->Begin(settings, Descriptor(ends[1]));
  if (!status.ok()) return status;
  return process;
}

absl::Status WorkerProcess::Begin(const WorkerSettings& settings,
                                  Descriptor workers_end) {
  auto crash = SharedMemory::Create(SharedMessages::kFileBytes);
  if (!crash.ok()) return crash.status();
  WatchTask task = {
      settings, std::move(workers_end),
      Descriptor(fcntl((*crash)->descriptor(), F_DUPFD_CLOEXEC, 0))};
  if (!task.crash.ok()) {
    return ErrnoError(errno, "no descriptor for a plugin's process");
  }
  auto watch = WorkerWatch::Start(std::move(task), memory_);
  if (!watch.ok()) return watch.status();
  watch_ = *std::move(watch);
  // Otherwise only calls that wait look at it (worker_calls.cc).
  if (!stop_.is_from_parent()) {
    on_stop_ = std::make_unique<StopCallback>(
        stop_, [watch = watch_] { watch->Stop(); });
  }
  const absl::Status greeted = Greet(settings.program);
  return absl::IsCancelled(Ending()) ? Ending() : greeted;
}

// Receives the worker's version and sends it the memory of the slots.
absl::Status WorkerProcess::Greet(const std::string& program) {
  ControlMessage hello;
  Descriptor none;
  const bool came = ReceiveControl(control_.get(), hello, none, kStartTimeout);
  const int error = errno;
  if (!came || hello.kind != ControlKind::kHello) {
    watch_->AwaitEnd(error == 0 ? kQuitTimeout : absl::ZeroDuration());
    if (error == 0) {
      return UnavailableError(
          "{} did not say its version, as fsload-worker does: {}", program,
          std::string(Ending().message()));
    }
    if (error != ETIMEDOUT && error != EBADMSG) {
      return ErrnoError(error, "no message of {}", program);
    }
    return FailedPreconditionError(
        "{} is no fsload-worker: it did not say its version within {} s",
        program, absl::ToInt64Seconds(kStartTimeout));
  }
  absl::Status status = CheckVersion(hello, program);
  if (!status.ok()) return status;
  ControlMessage slots;
  slots.kind = ControlKind::kSlots;
  slots.bytes = memory_->size();
  return Send(slots, memory_->descriptor());
}

absl::Status WorkerProcess::Send(const ControlMessage& message,
                                 int descriptor) {
  if (ended()) return Ending();
  if (SendControl(control_.get(), message, descriptor, kControlTimeout)) {
    return absl::OkStatus();
  }
  const int error = errno;
  if (error == EPIPE || error == ECONNRESET) {
    watch_->NoticeEnd(kQuitTimeout);  // then it is known how it ended
  }
  watch_->End(UnavailableError("the plugin's process takes no messages: {}",
                               strerror(error)));
  return Ending();
}

}  // namespace fsload
