// Decides the system calls of a confined process that its filter leaves to its
// supervisor.
#pragma once

#include <linux/seccomp.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/system/descriptor.h"

namespace fsload {

// The first word of messages about refused calls.
inline constexpr std::string_view kRefusedWord = "refused";

// How many kinds of refused calls are told of one by one, as a process may try
// everything, and what is told in place of all others.
inline constexpr size_t kMaxCallsReported = 20;
inline constexpr std::string_view kMoreCallsRefused = "more";

// Limits for the supervisor's descendants: how many threads and processes they
// may be, how many memory files and socket pairs they may make, and how much
// memory they may share. The last three are never returned, because they may be
// hidden: a descriptor in a socket's buffer, for example.
inline constexpr int kMaxTasks = 1024;
inline constexpr int kMaxMemoryFiles = 64;
inline constexpr int kMaxSocketPairs = 64;
inline constexpr uint64_t kMaxSharedBytes = uint64_t{1} << 30;

// Passes a descriptor over a Unix socket; returns whether it succeeded.
bool SendDescriptor(int socket, int fd);

// Receives a descriptor; not ok() if none came.
Descriptor ReceiveDescriptor(int socket);

// Reads calls from the descriptor of loader/confinement/call_filter.h in the
// confined process and answers them: starting tasks and making memory files is
// allowed within the limits; changing mode or length of the process's own files
// in its scratch folder, and signalling descendants of the supervisor and the
// like, are done on its behalf; everything else gets EPERM. One thread at a
// time; lives in the supervisor.
class SyscallBroker final {
 public:
  // Called once for each kind of call that was refused, and once with
  // kMoreCallsRefused if there are more than kMaxCallsReported.
  using Reporter = std::function<void(const std::string& call)>;

  // `scratch_folder` may be empty.
  SyscallBroker(Descriptor listener, const std::string& scratch_folder,
                Reporter report);

  // Returns a descriptor for poll: readable when a call waits, hung up when no
  // process is left that could make one.
  int listener() const { return listener_.get(); }

  // Answers one waiting call.
  void Decide();

 private:
  struct Answer {
    int error = 0;  // the call fails with it
    // The kernel executes the call; otherwise it has returned 0.
    bool go = false;
  };

  Answer Decision(const seccomp_notif& call);
  Answer Refuse(const std::string& call);
  Answer Count(int& left, int most, const char* call);
  bool ShareMemory(uint64_t bytes);
  Answer StartTask();
  bool RoomForOneMoreTask();
  Answer ChangeOwnFile(const seccomp_notif& call);
  Answer Signal(const seccomp_notif& call);
  Descriptor OpenOwnFile(const seccomp_notif& call, int folder,
                         const char* path);
  bool StillWaits(const seccomp_notif& call) const;

  const Descriptor listener_;
  std::string scratch_folder_;  // without links, with a trailing slash
  const Reporter report_;
  std::set<std::string> reported_;
  bool reported_more_ = false;
  int tasks_left_ = 0;  // until the next count
  int memory_files_left_ = kMaxMemoryFiles;
  int socket_pairs_left_ = kMaxSocketPairs;
  uint64_t shared_bytes_left_ = kMaxSharedBytes;
};

}  // namespace fsload
