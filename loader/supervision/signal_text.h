// Signals as messages name them.
#ifndef FSLOAD_LOADER_SUPERVISION_SIGNAL_TEXT_H_
#define FSLOAD_LOADER_SUPERVISION_SIGNAL_TEXT_H_

#include <string>

namespace fsload {

// Returns "SIGSEGV"; "signal 40" if it has no name. Thread-safe.
std::string SignalName(int signal);

// Returns "SIGSEGV (segmentation fault)". Thread-safe.
std::string SignalText(int signal);

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_SIGNAL_TEXT_H_
