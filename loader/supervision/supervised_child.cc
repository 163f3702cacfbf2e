#include "loader/supervision/supervised_child.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/system/descriptor.h"
#include "core/system/random_number.h"
#include "core/threads/poll_until.h"
#include "core/threads/steady_now.h"
#include "loader/confinement/process_tree.h"
#include "loader/confinement/syscall_broker.h"
#include "loader/supervision/supervisor.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// How long after the deadline the supervisor may take to kill everything.
constexpr absl::Duration kGrace = absl::Seconds(10);

// How often, and with which pauses, this process then tries it itself.
constexpr int kMaxKills = 30;
constexpr absl::Duration kPauseOfKills = absl::Seconds(1);

// A pipe whose ends are closed automatically.
struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    reader = Descriptor(ends[0]);
    writer = Descriptor(ends[1]);
  }

  bool ok() const { return reader.ok(); }

  Descriptor reader;
  Descriptor writer;
};

// INTERNAL: not of the code that was to run.
absl::Status CannotStart(const char* call, int error) {
  return InternalError("cannot start a child process: {}: {}", call,
                       strerror(error));
}

// An exit code that a plugin cannot predict or use on purpose: those that
// programs choose are smaller.
int DrawCodeOfReturn() {
  constexpr int kMin = 128;
  constexpr int kMax = 255;
  return kMin + static_cast<int>(RandomNumber() % (kMax - kMin + 1));
}

}  // namespace

// Reads a pipe, which it owns, until its writers are gone; keeps only the first
// part.
class SupervisedChild::Reader {
 public:
  Reader(Descriptor file, size_t most) : file_(std::move(file)), most_(most) {}

  // -1 once everything is read.
  int fd() const { return file_.get(); }
  bool cut() const { return cut_; }
  std::string& text() { return text_; }

  void Read() {
    char block[65536];
    const ssize_t bytes = read(fd(), block, sizeof(block));
    if (bytes < 0 && (errno == EINTR || (errno == EAGAIN && !rest_))) return;
    if (bytes <= 0) {
      file_ = Descriptor();
      return;
    }
    const size_t kept = std::min<size_t>(bytes, most_ - text_.size());
    text_.append(block, kept);
    cut_ |= kept < static_cast<size_t>(bytes);
  }

  // Reads one block, if there is one.
  void ReadNow() {
    if (!file_.ok()) return;
    fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) | O_NONBLOCK);
    Read();
  }

  // Reads what is there without waiting for more, because the last writer may
  // be a process that could not be killed.
  void ReadRest() {
    if (!file_.ok()) return;
    rest_ = true;
    fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) | O_NONBLOCK);
    while (file_.ok()) Read();
  }

 private:
  Descriptor file_;
  const size_t most_;
  std::string text_;
  bool cut_ = false;
  bool rest_ = false;  // stop waiting for more
};

SupervisedChild::SupervisedChild() = default;

SupervisedChild::~SupervisedChild() {
  if (supervisor_ < 0) return;
  // As at the deadline, which it may have reached.
  if (!timed_out_) deadline_ = SteadyNow();
  SupervisedChild* const self = this;
  try {
    WaitForAny({&self, 1});
  } catch (const std::bad_alloc&) {
    lifeline_ = Descriptor();  // has the supervisor kill the child
  }
  AwaitSupervisor();
}

// Waits until it has removed the child's files, which it does last.
void SupervisedChild::AwaitSupervisor() {
  while (waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
}

absl::StatusOr<std::unique_ptr<SupervisedChild>> SupervisedChild::Start(
    const Code& code, const ChildOptions& options) {
  auto run = std::unique_ptr<SupervisedChild>(new SupervisedChild);
  run->messages_ = SharedMessages::Create();
  Pipe output;
  Pipe verdict;
  Pipe lifeline;
  if (run->messages_ == nullptr || !output.ok() || !verdict.ok() ||
      !lifeline.ok()) {
    return CannotStart("mmap or pipe2", errno);
  }
  run->deadline_ = SteadyNow() + options.deadline;
  run->code_of_return_ = DrawCodeOfReturn();
  const pid_t supervisor = fork();
  if (supervisor < 0) return CannotStart("fork", errno);
  if (supervisor == 0) {
    SupervisorTask task;
    task.code = [&](const ChildContext& context) {
      code(*run->messages_, context);
    };
    if (options.decide_calls) {
      task.refused = [&](const std::string& call) {
        run->messages_->Append(kRefusedWord, call);
      };
    }
    task.code_of_return = run->code_of_return_;
    task.max_memory_bytes = options.max_memory_bytes;
    Supervise(task, {lifeline.reader.get(), verdict.writer.get(),
                     output.writer.get()});
  }
  run->messages_->KeepFromLaterChildren();
  run->supervisor_ = supervisor;
  run->max_memory_bytes_ = options.max_memory_bytes;
  run->lifeline_ = std::move(lifeline.writer);
  run->output_ = std::make_unique<Reader>(std::move(output.reader),
                                          options.max_output_bytes);
  run->verdict_ =
      std::make_unique<Reader>(std::move(verdict.reader), sizeof(Verdict));
  return run;
}

bool SupervisedChild::over() const { return verdict_->fd() < 0; }

// Has the child killed at the deadline. If the supervisor is kept from doing
// so, this later kills all its descendants and then the supervisor, without
// which they could not be found.
void SupervisedChild::Overdue(absl::Time now) {
  if (over() || now < deadline_) return;
  if (!timed_out_) {
    timed_out_ = true;
    deadline_ += kGrace;
    lifeline_ = Descriptor();
    return;
  }
  kill(supervisor_, SIGCONT);
  KillDescendants(supervisor_);
  if (++kills_ <= kMaxKills) {
    // The supervisor may recover. Waiting for a process that had many files
    // open takes the kernel long if they were inspected.
    deadline_ = now + kPauseOfKills;
    return;
  }
  kill(supervisor_, SIGKILL);
  verdict_->ReadRest();  // it will write no more
  deadline_ = absl::InfiniteFuture();
}

size_t SupervisedChild::WaitForAny(absl::Span<SupervisedChild* const> children,
                                   const std::function<bool()>& stop) {
  constexpr absl::Duration kPauseOfStop = absl::Milliseconds(100);
  while (true) {
    if (stop != nullptr && stop()) return children.size();
    std::vector<pollfd> ready;
    absl::Time next =
        stop == nullptr ? absl::InfiniteFuture() : SteadyNow() + kPauseOfStop;
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i]->over()) return i;
      ready.push_back({children[i]->output_->fd(), POLLIN, 0});
      ready.push_back({children[i]->verdict_->fd(), POLLIN, 0});
      next = std::min(next, children[i]->deadline_);
    }
    if (PollUntil(absl::MakeSpan(ready), next) < 0) {
      // This process lost its rights: check without waiting.
      for (SupervisedChild* const child : children) {
        child->output_->ReadNow();
        child->verdict_->ReadNow();
      }
      absl::SleepFor(absl::Milliseconds(10));
    }
    const absl::Time now = SteadyNow();
    for (size_t i = 0; i < children.size(); ++i) {
      if (ready[2 * i].revents != 0) children[i]->output_->Read();
      if (ready[2 * i + 1].revents != 0) children[i]->verdict_->Read();
      children[i]->Overdue(now);
    }
  }
}

absl::StatusOr<ChildOutcome> SupervisedChild::Finish() {
  SupervisedChild* const self = this;
  WaitForAny({&self, 1});
  output_->ReadRest();
  AwaitSupervisor();
  if (verdict_->text().size() != sizeof(Verdict)) {
    return InternalError(
        "the process that watched over the child ended before it");
  }
  Verdict verdict;
  std::memcpy(&verdict, verdict_->text().data(), sizeof(verdict));
  if (verdict.fork_error != 0) return CannotStart("fork", verdict.fork_error);
  ChildOutcome outcome;
  outcome.messages = messages_->Text();
  outcome.begun = messages_->begun();
  outcome.output = std::move(output_->text());
  outcome.output_cut = output_->cut();
  outcome.exited = WIFEXITED(verdict.wait_status);
  outcome.exit_code = outcome.exited ? WEXITSTATUS(verdict.wait_status) : 0;
  outcome.code_of_return = code_of_return_;
  outcome.signal = outcome.exited ? 0 : WTERMSIG(verdict.wait_status);
  // The deadline may have passed while leftover processes were killed.
  outcome.timed_out =
      timed_out_ && outcome.signal == SIGKILL && !verdict.memory_used_up;
  outcome.strays = verdict.strays;
  outcome.survivors = verdict.survivors;
  outcome.memory_used_up = verdict.memory_used_up ? max_memory_bytes_ : 0;
  return outcome;
}

}  // namespace fsload
