// The subcommands of `fsload`. Each adds itself to the command line and, if it
// was given, sets `exit_code`.
#pragma once

#include <string>

#include "tools/cli/command_line.h"
#include "tools/cli/exit_code.h"

namespace fsload {

void AddCheck(CLI::App& app, int& exit_code);
void AddDoctor(CLI::App& app, int& exit_code);
void AddInspect(CLI::App& app, int& exit_code);
void AddPlugins(CLI::App& app, int& exit_code);
void AddReplay(CLI::App& app, int& exit_code);
void AddRules(CLI::App& app, int& exit_code);  // and explain
void AddSelfTest(CLI::App& app, int& exit_code);

// Returns what `fsload --version` prints, which belongs in reports of bugs: the
// version, that of the interface, what fsload was built with, and the system.
std::string VersionText();

}  // namespace fsload
