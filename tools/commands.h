// The subcommands of `fsload`. Each adds itself to the command line and, when
// it was given, leaves the exit code in `exit_code`.
#ifndef FSLOAD_TOOLS_COMMANDS_H_
#define FSLOAD_TOOLS_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <string>

namespace fsload {

// What the command's exit code says.
enum ExitCode : int {
  kVerified = 0,  // or done
  kFindings = 1,  // or failed
  kUsage = 2,
  kNothingVerified = 3,  // there was nothing to check
  kBug = 70,             // fsload itself failed
};

// What CLI11 takes to refuse an empty name, as an unset variable leaves it.
inline std::string RefuseEmpty(const std::string& name) {
  return name.empty() ? "wanted a plugin's path, found an empty one" : "";
}

void AddCheck(CLI::App& app, int& exit_code);
void AddDoctor(CLI::App& app, int& exit_code);
void AddInspect(CLI::App& app, int& exit_code);
void AddPlugins(CLI::App& app, int& exit_code);
void AddRules(CLI::App& app, int& exit_code);  // and explain
void AddSelfTest(CLI::App& app, int& exit_code);
void AddList(CLI::App& app, int& exit_code);
void AddCat(CLI::App& app, int& exit_code);
void AddStat(CLI::App& app, int& exit_code);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_COMMANDS_H_
