// Runs code in a child process, where it may crash, hang or leave children
// behind: this process survives it, and nothing of it survives the run.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/system/descriptor.h"
#include "loader/supervision/shared_messages.h"
#include "loader/supervision/supervisor.h"

namespace fsload {

// How a run ended.
struct ChildOutcome {
  std::string messages;         // what the code appended to its messages
  std::string output;           // standard output and error, the first part
  bool output_cut = false;      // more was written than is kept
  bool timed_out = false;       // it was killed at the deadline
  bool begun = false;           // it reported that untrusted code might run
  bool exited = false;          // false: a signal ended it
  int exit_code = 0;            // if it exited
  int code_of_return = 0;       // that of a child whose code returned
  int signal = 0;               // if a signal ended it
  int strays = 0;               // processes it left behind, which were killed
  int survivors = 0;            // those that even SIGKILL did not end
  uint64_t memory_used_up = 0;  // it was killed for using more than this
};

struct ChildOptions {
  absl::Duration deadline = absl::Seconds(10);
  size_t max_output_bytes = size_t{64} << 10;
  uint64_t max_memory_bytes = 0;  // of all its processes together; 0: no limit
  // Whether the code gets a socket to its supervisor, for confinement, and the
  // messages report refused calls (loader/confinement/syscall_broker.h).
  bool decide_calls = false;
};

// A run in progress. One thread at a time. Runs may overlap; because they fork,
// only a single-threaded process may start them.
class SupervisedChild final {
 public:
  // Runs in the child with a folder for its temporary files, which is removed
  // afterwards. When it returns, the child ends by exit(), so that exit
  // handlers run.
  using Code = std::function<void(SharedMessages&, const ChildContext&)>;

  // Forks and runs `code` in its own session, with an empty standard input and
  // no descriptors of this process. At the deadline the child is killed; once
  // it has ended or this object is destroyed, so is whatever it started, even
  // in other sessions. INTERNAL if the system cannot create a process.
  static absl::StatusOr<std::unique_ptr<SupervisedChild>> Start(
      const Code& code, const ChildOptions& options);

  // Waits until one of the `children`, which must not be empty, is over, and
  // returns its index; or their number once `stop`, which is called ten times a
  // second, returns true. Null: it never does.
  static size_t WaitForAny(absl::Span<SupervisedChild* const> children,
                           const std::function<bool()>& stop = nullptr);

  // Kills what still runs.
  ~SupervisedChild();
  SupervisedChild(const SupervisedChild&) = delete;
  SupervisedChild& operator=(const SupervisedChild&) = delete;

  // Waits until it is over, and returns how it ended. INTERNAL if that cannot
  // be known. Call once.
  absl::StatusOr<ChildOutcome> Finish();

 private:
  class Reader;

  SupervisedChild();
  bool over() const;
  void AwaitSupervisor();
  void Overdue(absl::Time now);

  std::unique_ptr<SharedMessages> messages_;
  std::unique_ptr<Reader> output_;
  std::unique_ptr<Reader> verdict_;
  Descriptor lifeline_;  // the supervisor kills the child when this is closed
  pid_t supervisor_ = -1;
  absl::Time deadline_;
  bool timed_out_ = false;
  int code_of_return_ = 0;
  int kills_ = 0;  // of what the supervisor left alive
  uint64_t max_memory_bytes_ = 0;
};

}  // namespace fsload
