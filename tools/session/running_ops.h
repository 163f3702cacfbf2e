// Tracks the running operations of plugins and calls on local disks, for the
// process that supervises them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "fsload/op_observer.h"

namespace fsload {

struct RunningOp {
  pid_t thread;  // the calling thread
  std::string op;
  std::string uri;  // may be truncated
  absl::Duration running;
};

// Created before a fork: the child calls operations, the parent queries them.
// Thread-safe, without a lock that a crash could leave held.
class RunningOps final : public OpObserver {
 public:
  // Returns null if out of memory.
  static std::unique_ptr<RunningOps> Create();
  ~RunningOps() override;

  void OnStart(const OpStart& start) override;
  void OnCall(const OpCall& call) override;

  // Tracks each LocalCall of this process and of its children too, from here
  // on, as long as this object lives.
  void TrackLocalCalls();

  // Returns the running operations, at most 4,096. A misbehaving plugin may
  // have overwritten the text.
  std::vector<RunningOp> All() const;

  // Excludes the last `time`, in which the process was stopped (Ctrl-Z), from
  // the running times. One thread at a time, together with All().
  void LeaveOut(absl::Duration time);

 private:
  friend class LocalCall;
  struct SharedBlock;
  struct Stop {
    int64_t end;     // nanoseconds, on the clock of `since`
    int64_t length;  // nanoseconds
  };
  explicit RunningOps(SharedBlock* block) : block_(block) {}

  void Begin(std::string_view op, std::string_view uri);
  void End();

  static RunningOps* of_local_calls_;

  SharedBlock* const block_;
  std::vector<Stop> stops_;
};

// Times what is no operation of a plugin, from construction to destruction: the
// load of one, or a system call, or a few, on a local disk, which may stop
// answering as a plugin may (FUSE, NFS). Nothing else that takes long while it
// works well: of a file, one block. Belongs to one thread.
class LocalCall final {
 public:
  LocalCall(std::string_view call, std::string_view uri);
  ~LocalCall();
  LocalCall(const LocalCall&) = delete;
  LocalCall& operator=(const LocalCall&) = delete;
};

}  // namespace fsload
