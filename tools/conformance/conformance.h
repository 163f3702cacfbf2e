// fsload conformance: is a plugin's behaviour right?
#pragma once

#include "tools/cli/command_line.h"

namespace fsload {

// Adds the command to `app`; if it was given, sets `exit_code`.
void AddConformance(CLI::App& app, int& exit_code);

}  // namespace fsload
