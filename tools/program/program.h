// The program `fsload` with all its commands.
#pragma once

#include "tools/cli/command_line.h"

namespace fsload {

inline constexpr char kProgramName[] = "fsload";
inline constexpr char kProgramDescription[] =
    "Load and use TensorFlow filesystem plugins without TensorFlow.";

// Adds the commands, in the order in which --help shows them, to `app`, which
// has none. The one that was given sets `exit_code` when it runs.
void AddCommands(CLI::App& app, int& exit_code);

}  // namespace fsload
