// The variable FSLOAD_DEBUG: a list of topics, as in FSLOAD_DEBUG=loader,elf.
#pragma once

#include <string_view>

#include "fsload/op_observer.h"

namespace fsload {

enum class DebugTopic {
  kLoader,  // the steps of each load
  kElf,     // what a plugin's file declares
  kOps,     // each call of an operation
};

// Returns whether the variable lists `topic`. It is read once; an unknown topic
// is then logged as a warning. Thread-safe.
bool IsDebugged(DebugTopic topic);

// Logs "<topic>: <message>"; callers build the message only if IsDebugged.
void LogDebug(DebugTopic topic, std::string_view message);

// Logs each call; never destroyed.
OpObserver& OpLogger();

}  // namespace fsload
