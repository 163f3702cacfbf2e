// What a test's process has started and opened.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace fsload {

// Returns the children of this process that have not been waited for.
std::vector<pid_t> ChildProcesses();

// Returns those of another process.
std::vector<pid_t> ChildProcessesOf(pid_t process);

// Waits until the caller's is the only thread of this process, but for
// ThreadSanitizer's own: the locks of AddressSanitizer stay locked in a child
// that is forked while another thread ends.
void AwaitOneThread();

// Returns FSLOAD_TEST_KILLS of the environment; without it `few`.
int NumberOfKills(int few);

// Returns how many descriptors are open.
size_t CountOpenDescriptors();

// Returns how many mappings of files without a name (memfd_create) there are.
size_t CountMappedMemoryFiles();

}  // namespace fsload
