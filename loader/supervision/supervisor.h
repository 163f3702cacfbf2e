// The process between a caller and the child that it watches.
//
// Its children are the child and, because it is their subreaper, all orphans of
// the child, however they hide: so it knows what to kill.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fsload {

// What the supervisor writes at the end.
struct Verdict {
  int fork_error;       // not 0: no process could be created; the rest is zero
  int wait_status;      // the child's
  int strays;           // remaining processes, which were killed
  int survivors;        // those that could not be killed
  bool memory_used_up;  // the child was killed for it
};

// The supervisor's ends of three pipes.
struct SupervisorPipes {
  int lifeline;  // read: the caller closes it to have the child killed
  int verdict;   // written
  int output;    // written: the child's standard output and error
};

// What a child's code is given.
struct ChildContext {
  std::string scratch_folder;  // "" if none could be created
  // For ConfinementOptions::supervisor; the code must close it; -1 if calls are
  // not decided.
  int supervisor = -1;
};

struct SupervisorTask {
  // What the child runs.
  std::function<void(const ChildContext&)> code;
  int code_of_return = 0;  // the child then exits with this
  // Called in the supervisor for refused calls
  // (loader/confinement/syscall_broker.h); empty: no calls are decided.
  std::function<void(const std::string& call)> refused;
  // For the child and its descendants; 0: no limit.
  uint64_t max_memory_bytes = 0;
};

// Turns the calling process, a fresh fork, into a supervisor: forks the child,
// kills it if the lifeline is closed or it uses too much memory, kills what it
// leaves behind, writes the verdict and then removes the child's scratch
// folder. Closes all other descriptors.
[[noreturn]] void Supervise(const SupervisorTask& task,
                            const SupervisorPipes& pipes);

}  // namespace fsload
