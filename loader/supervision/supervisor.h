// The process between a caller and the child that it wants watched.
//
// Its children are the child and, as it is their subreaper, all processes that
// this one leaves behind, however they hide: so it knows whom to kill.
#ifndef FSLOAD_LOADER_SUPERVISION_SUPERVISOR_H_
#define FSLOAD_LOADER_SUPERVISION_SUPERVISOR_H_

#include <cstdint>
#include <functional>
#include <string>

namespace fsload {

// What the supervisor writes when all is over.
struct Verdict {
  bool started;         // else the system gave no process, and the rest is zero
  int wait_status;      // the child's
  int strays;           // processes that were still there, and were killed
  int survivors;        // that could not be
  bool memory_used_up;  // the child was killed for it
};

// The supervisor's ends of three pipes.
struct SupervisorPipes {
  int lifeline;  // read: it is closed to have the child killed
  int verdict;   // written
  int output;    // written: the child's standard output and error
};

// What a child's code finds around it.
struct ChildSurroundings {
  std::string scratch_folder;  // "" where none could be made
  // For ConfinementOptions::supervisor, and the code's to close; -1 where calls
  // are not decided on.
  int supervisor = -1;
};

struct SupervisorTask {
  // What the child runs.
  std::function<void(const ChildSurroundings&)> code;
  int code_of_return = 0;  // it exits with this then
  // Told of calls that were refused (loader/confinement/call_referee.h), in the
  // supervisor; empty: none are decided on.
  std::function<void(const std::string& call)> refused;
  uint64_t most_memory_bytes = 0;  // of the child and its like; 0: no limit
};

// Makes the calling process, a fresh fork, a supervisor: forks the child, kills
// it when the lifeline is cut or it takes too much memory, kills what it leaves
// behind, writes the verdict and then removes the child's scratch folder.
// Closes all other descriptors.
[[noreturn]] void Supervise(const SupervisorTask& task,
                            const SupervisorPipes& pipes);

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_SUPERVISOR_H_
