// The process between a caller and the child that it wants watched.
//
// Its children are the child and, as it is their subreaper, all processes that
// this one leaves behind, however they hide: so it knows whom to kill.
#ifndef FSLOAD_LOADER_SUPERVISOR_H_
#define FSLOAD_LOADER_SUPERVISOR_H_

#include <functional>
#include <string>

namespace fsload {

// What the supervisor writes when all is over.
struct Verdict {
  bool started;     // else the system gave no process, and the rest is zero
  int wait_status;  // the child's
  int strays;       // processes that were still there, and were killed
  int survivors;    // that could not be
};

// The exit code of a child whose code has returned: no plugin means to exit
// with it.
inline constexpr int kCodeReturned = 77;

// The supervisor's ends of three pipes.
struct SupervisorPipes {
  int lifeline;  // read: it is closed to have the child killed
  int verdict;   // written
  int output;    // written: the child's standard output and error
};

// Makes the calling process, a fresh fork, a supervisor: forks the child, which
// runs `code` with the path of a scratch folder ("" where none could be made)
// and then exits, kills it when the lifeline is cut, kills what it leaves
// behind and removes the folder. Closes all other descriptors.
[[noreturn]] void Supervise(
    const std::function<void(const std::string& scratch_folder)>& code,
    const SupervisorPipes& pipes);

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISOR_H_
