// Takes rights away from this process before it runs code that nobody knows.
#ifndef FSLOAD_LOADER_CONFINEMENT_CONFINEMENT_H_
#define FSLOAD_LOADER_CONFINEMENT_CONFINEMENT_H_

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

namespace fsload {

struct ConfinementOptions {
  std::string scratch_folder;  // the only one that can be written to; empty:
                               // there is none
  unsigned cpu_seconds = 10;   // processor time, of all threads together
  uint64_t address_space_bytes = 0;  // 0: no limit, for a sanitizer's sake
  uint64_t memory_bytes = 0;         // that the supervisor lets it take; 0: any
  uint64_t file_bytes = 64ull << 20;  // of each file that is written
  bool network = false;               // keeps the internet's sockets

  // A socket to the supervisor, which then decides on calls
  // (loader/confinement/call_referee.h); it is closed. -1: there is none.
  int supervisor = -1;

  int most_landlock = INT_MAX;  // a kernel whose Landlock is older
};

// Confines the calling process, for good, and yields a few words for each
// means: what holds from here on, or "not available: ..." and why. No new
// privileges, few of root's capabilities, core dumps, nor more memory, time and
// file size than `options` say; no writing outside the scratch folder
// (Landlock); only the system calls of loader/confinement/call_rules.h
// (seccomp): no sockets, signals to other processes, tracing and the like. For
// a process with one thread; its children are confined as it is.
std::vector<std::string> ConfineThisProcess(const ConfinementOptions& options);

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINEMENT_CONFINEMENT_H_
