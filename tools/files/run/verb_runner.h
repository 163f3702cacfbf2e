// Runs a verb so that a plugin that crashes or hangs does not lose output.
#ifndef FSLOAD_TOOLS_FILES_RUN_VERB_RUNNER_H_
#define FSLOAD_TOOLS_FILES_RUN_VERB_RUNNER_H_

#include "tools/files/run/verb.h"

namespace fsload {

// Returns the exit code. All plugins are cleaned up when it returns.
int RunVerb(const VerbDescription& description, const VerbOptions& options,
            const Verb& verb);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_VERB_RUNNER_H_
