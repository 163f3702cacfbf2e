// The descendants of a process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

namespace fsload {

struct ProcessUsage {
  pid_t parent = -1;           // -1: no such process
  int group = -1;              // the process, if this is one of its threads
  int tasks = 0;               // threads
  bool ended = false;          // but not yet reaped
  uint64_t private_bytes = 0;  // of its own memory
  uint64_t shared_bytes = 0;   // memory that others may share, without files
};

// Reads the state of the process or thread `process`.
ProcessUsage UsageOf(pid_t process);

// Returns the private and shared bytes of `process`, where what n processes
// share counts as an nth for each; nothing if the kernel does not say. Takes
// the kernel much longer than UsageOf.
std::optional<uint64_t> ProportionalBytesOf(pid_t process);

// Returns whether two processes use one memory, as after vfork or a clone with
// CLONE_VM; false if the kernel does not say.
bool ShareMemory(pid_t a, pid_t b);

// Returns all descendants of `root`, without `root` itself.
std::map<pid_t, ProcessUsage> DescendantsOf(pid_t root);

// Returns how many threads they have together.
int TasksOfDescendants(pid_t root);

// Sends SIGKILL to all of them; returns how many had not ended. A process that
// forks meanwhile may escape with a new child.
int KillDescendants(pid_t root);

// Returns whether `process` is a descendant of `root`.
bool DescendsFrom(pid_t process, pid_t root);

}  // namespace fsload
