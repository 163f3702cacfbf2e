// Decides on the system calls of a confined process that its filter leaves to
// its supervisor.
#ifndef FSLOAD_LOADER_CONFINEMENT_CALL_REFEREE_H_
#define FSLOAD_LOADER_CONFINEMENT_CALL_REFEREE_H_

#include <linux/seccomp.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace fsload {

// The word of the messages about calls that were refused.
inline constexpr std::string_view kRefusedWord = "refused";

// How many threads and processes the supervisor's descendants may be, how many
// files in memory and pairs of sockets they may make, and how much memory they
// may share. The last three are never given back, for they may be where nobody
// sees them: a descriptor in a socket's buffer, for one.
inline constexpr int kMostTasks = 1024;
inline constexpr int kMostMemoryFiles = 64;
inline constexpr int kMostSocketPairs = 64;
inline constexpr uint64_t kMostSharedBytes = uint64_t{1} << 30;

// Passes a descriptor over a socket of the local kind; whether it was.
bool SendDescriptor(int socket, int fd);

// The descriptor that is passed, which is the caller's; -1 where none came.
int ReceiveDescriptor(int socket);

// Reads the calls from what loader/confinement/call_filter.h yielded in the
// confined process, and answers them: what starts tasks, or makes files in
// memory, as long as there are not too many; a mode or a length of the
// process's own files in its scratch folder, and signals and the like to what
// descends from the supervisor, are done for it; the rest gets EPERM. One
// thread at a time; lives in the supervisor.
class CallReferee final {
 public:
  // Told once of each kind of call that was refused.
  using Tell = std::function<void(const std::string& call)>;

  // `listener` belongs to this object. `scratch_folder` may be empty.
  CallReferee(int listener, const std::string& scratch_folder, Tell tell);
  ~CallReferee();
  CallReferee(const CallReferee&) = delete;
  CallReferee& operator=(const CallReferee&) = delete;

  // To be polled: readable when a call waits, hung up when nobody is left who
  // could make one.
  int listener() const { return listener_; }

  // Answers one call that waits.
  void Decide();

 private:
  struct Answer {
    int error = 0;    // the call fails with it
    bool go = false;  // the kernel does the call; else it has returned 0
  };

  Answer Judge(const seccomp_notif& call);
  Answer Refuse(std::string call);
  Answer Count(int& left, int most, const char* call);
  bool ShareMemory(uint64_t bytes);
  bool RoomForOneMoreTask();
  Answer ChangeOwnFile(const seccomp_notif& call);
  Answer Signal(const seccomp_notif& call);
  int OpenOwnFile(const seccomp_notif& call, int folder, const char* path);
  bool StillWaits(const seccomp_notif& call) const;

  const int listener_;
  std::string scratch_folder_;  // without links, with a slash at its end
  const Tell tell_;
  std::set<std::string> told_;
  bool told_of_more_ = false;
  int tasks_left_ = 0;  // until they are counted again
  int memory_files_left_ = kMostMemoryFiles;
  int socket_pairs_left_ = kMostSocketPairs;
  uint64_t shared_bytes_left_ = kMostSharedBytes;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINEMENT_CALL_REFEREE_H_
