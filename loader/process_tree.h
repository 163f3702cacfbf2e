// What a process and all its descendants take of the machine.
#ifndef FSLOAD_LOADER_PROCESS_TREE_H_
#define FSLOAD_LOADER_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>

namespace fsload {

struct ProcessUsage {
  pid_t parent = -1;           // -1: there is no such process
  int group = -1;              // the process, where this is one of its threads
  int tasks = 0;               // threads
  uint64_t private_bytes = 0;  // of its own memory
  uint64_t shared_bytes = 0;   // of memory that others may have too, no files
};

// Of the process, or thread, `process`.
ProcessUsage UsageOf(pid_t process);

// What `process` uses, with the files in memory that it has open, which may be
// mapped nowhere. Who maps one that is closed is not seen to have what it did
// not touch.
uint64_t MemoryOf(pid_t process);

// The sum over all descendants of `root`, without itself.
struct TreeUsage {
  int tasks = 0;
  uint64_t memory_bytes = 0;
};
TreeUsage UsageOfDescendants(pid_t root);

// Whether `process` is a descendant of `root`.
bool DescendsFrom(pid_t process, pid_t root);

}  // namespace fsload

#endif  // FSLOAD_LOADER_PROCESS_TREE_H_
