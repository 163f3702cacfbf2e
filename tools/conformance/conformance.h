// fsload conformance: is a plugin's behaviour right?
#ifndef FSLOAD_TOOLS_CONFORMANCE_CONFORMANCE_H_
#define FSLOAD_TOOLS_CONFORMANCE_CONFORMANCE_H_

#include "tools/cli/command_line.h"

namespace fsload {

// Adds the command to `app`; if it was given, sets `exit_code`.
void AddConformance(CLI::App& app, int& exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_CONFORMANCE_CONFORMANCE_H_
