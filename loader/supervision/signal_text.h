// Signals as messages name them.
#pragma once

#include <string>

namespace fsload {

// Returns "SIGSEGV"; "signal 40" if it has no name. Thread-safe.
std::string SignalName(int signal);

// Returns "SIGSEGV (segmentation fault)". Thread-safe.
std::string SignalText(int signal);

}  // namespace fsload
