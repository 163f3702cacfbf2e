// The subcommands of `fsload`. Each adds itself to the command line and, when
// it was given, leaves the exit code in `exit_code`.
#ifndef FSLOAD_TOOLS_COMMANDS_H_
#define FSLOAD_TOOLS_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "tools/exit_code.h"

namespace fsload {

// What CLI11 takes to refuse an empty name, as an unset variable leaves it.
inline std::string RefuseEmpty(const std::string& name) {
  return name.empty() ? "wanted a plugin's path, found an empty one" : "";
}

void AddCheck(CLI::App& app, int& exit_code);
void AddInspect(CLI::App& app, int& exit_code);
void AddRules(CLI::App& app, int& exit_code);  // and explain
void AddSelfTest(CLI::App& app, int& exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_COMMANDS_H_
