// Runs a verb so that a plugin that crashes or hangs does not lose output.
#pragma once

#include "tools/files/run/verb.h"

namespace fsload {

// Returns the exit code. All plugins are cleaned up when it returns.
int RunVerb(const VerbDescription& description, const VerbOptions& options,
            const Verb& verb);

}  // namespace fsload
