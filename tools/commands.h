// The subcommands of `fsload`. Each adds itself to the command line and, when
// it was given, leaves the exit code in `exit_code`.
#ifndef FSLOAD_TOOLS_COMMANDS_H_
#define FSLOAD_TOOLS_COMMANDS_H_

#include <CLI/CLI.hpp>

namespace fsload {

// What the command's exit code says.
enum ExitCode : int {
  kVerified = 0,  // or done
  kFindings = 1,  // or failed
  kUsage = 2,
};

void AddCheck(CLI::App& app, int& exit_code);
void AddInspect(CLI::App& app, int& exit_code);
void AddList(CLI::App& app, int& exit_code);
void AddCat(CLI::App& app, int& exit_code);
void AddStat(CLI::App& app, int& exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_COMMANDS_H_
