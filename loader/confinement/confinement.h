// Drops this process's rights before it runs untrusted code.
#pragma once

#include <climits>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {

struct ConfinementOptions {
  std::vector<std::string> writable_folders;  // with all that is in them
  // Processor time, of all threads together; 0: no limit.
  unsigned cpu_seconds = 10;
  uint64_t address_space_bytes = 0;  // 0: no limit, as sanitizers need
  uint64_t memory_bytes = 0;         // enforced by the supervisor; 0: no limit
  // For each file that is written; 0: no limit.
  uint64_t file_bytes = 64ull << 20;
  bool network = false;  // allows internet sockets
  bool programs = true;  // allows to execute others, and to start children

  // A socket to the supervisor, which then decides calls
  // (loader/confinement/syscall_broker.h); it is closed. -1: there is none.
  int supervisor = -1;

  int max_landlock = INT_MAX;  // a kernel whose Landlock is older
};

// Begins the words for a means of confinement that this system refuses.
inline constexpr std::string_view kNotAvailable = "not available: ";

// Confines the calling process permanently and returns a few words for each
// means: what now applies, or kNotAvailable and the reason. No new
// privileges, few of root's capabilities, no core dumps, and limits on memory,
// time and file size from `options`; no writing outside the writable folders
// (Landlock); only the system calls of loader/confinement/call_rules.h
// (seccomp): no sockets, signals to other processes, tracing and the like. For
// a single-threaded process; its children inherit the confinement.
std::vector<std::string> ConfineThisProcess(const ConfinementOptions& options);

// Returns a sentence for each of Landlock and seccomp that this system refuses.
// Applies nothing. Thread-safe.
std::vector<std::string> UnavailableConfinement();

}  // namespace fsload
