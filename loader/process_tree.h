// What a process and all its descendants take of the machine.
#ifndef FSLOAD_LOADER_PROCESS_TREE_H_
#define FSLOAD_LOADER_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>

namespace fsload {

struct ProcessUsage {
  pid_t parent = -1;          // -1: there is no such process
  int group = -1;             // the process, where this is one of its threads
  int tasks = 0;              // threads
  uint64_t memory_bytes = 0;  // that is its own: no pages of files
};

// Of the process, or thread, `process`.
ProcessUsage UsageOf(pid_t process);

// The sum over all descendants of `root`, without itself.
ProcessUsage UsageOfDescendants(pid_t root);

// Whether `process` is a descendant of `root`.
bool DescendsFrom(pid_t process, pid_t root);

}  // namespace fsload

#endif  // FSLOAD_LOADER_PROCESS_TREE_H_
