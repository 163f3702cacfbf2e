// Drops this process's rights before it runs untrusted code.
#ifndef FSLOAD_LOADER_CONFINEMENT_CONFINEMENT_H_
#define FSLOAD_LOADER_CONFINEMENT_CONFINEMENT_H_

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

namespace fsload {

struct ConfinementOptions {
  std::string scratch_folder;         // the only writable one; "": none
  unsigned cpu_seconds = 10;          // processor time, of all threads together
  uint64_t address_space_bytes = 0;   // 0: no limit, as sanitizers need
  uint64_t memory_bytes = 0;          // enforced by the supervisor; 0: no limit
  uint64_t file_bytes = 64ull << 20;  // for each file that is written
  bool network = false;               // allows internet sockets

  // A socket to the supervisor, which then decides calls
  // (loader/confinement/syscall_broker.h); it is closed. -1: there is none.
  int supervisor = -1;

  int max_landlock = INT_MAX;  // a kernel whose Landlock is older
};

// Confines the calling process permanently and returns a few words for each
// means: what now applies, or "not available: ..." with the reason. No new
// privileges, few of root's capabilities, no core dumps, and limits on memory,
// time and file size from `options`; no writing outside the scratch folder
// (Landlock); only the system calls of loader/confinement/call_rules.h
// (seccomp): no sockets, signals to other processes, tracing and the like. For
// a single-threaded process; its children inherit the confinement.
std::vector<std::string> ConfineThisProcess(const ConfinementOptions& options);

// Returns a sentence for each of Landlock and seccomp that this system refuses.
// Applies nothing. Thread-safe.
std::vector<std::string> UnavailableConfinement();

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINEMENT_CONFINEMENT_H_
