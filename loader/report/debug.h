// What FSLOAD_DEBUG asks for: a list of topics, as in FSLOAD_DEBUG=loader,elf.
#ifndef FSLOAD_LOADER_REPORT_DEBUG_H_
#define FSLOAD_LOADER_REPORT_DEBUG_H_

#include <string_view>

#include "fsload/op_observer.h"

namespace fsload {

enum class DebugTopic {
  kLoader,  // the steps of each load
  kElf,     // what a plugin's file says of itself
  kOps,     // each call of an operation
};

// Whether the variable asks for `topic`. It is read once; a word that is no
// topic is logged as a warning then. Thread-safe.
bool IsDebugged(DebugTopic topic);

// Logs "<topic>: <message>", which the callers make only when it is asked for.
void LogDebug(DebugTopic topic, std::string_view message);

// Logs each call; lives for ever.
OpObserver& OpLogger();

}  // namespace fsload

#endif  // FSLOAD_LOADER_REPORT_DEBUG_H_
