#include "tools/program/program.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/cli/help_text.h"
#include "tools/cli/operands.h"
#include "tools/commands/commands.h"
#include "tools/conformance/conformance.h"
#include "tools/files/verbs/verbs.h"

namespace fsload {
namespace {

// main() replaces the command, which is here to be listed.
void AddHelp(CLI::App& app) {
  static std::vector<std::string> commands;
  CLI::App* const help =
      AddCommand(app, "help", "Show the options of a command", [] {});
  AddOperands(*help, "command", "The command; none for a list of all",
              {0, 1, nullptr}, commands);
}

}  // namespace

void AddCommands(CLI::App& app, int& exit_code) {
  app.require_subcommand(1);
  app.group("Commands");  // of the commands, which inherit it
  UseHelpText(app);
  app.set_version_flag("--version", &VersionText,
                       "Print version and build information");
  AddCheck(app, exit_code);
  AddConformance(app, exit_code);
  AddInspect(app, exit_code);
  AddDoctor(app, exit_code);
  AddPlugins(app, exit_code);
  AddReplay(app, exit_code);
  AddRules(app, exit_code);
  AddSelfTest(app, exit_code);
  AddFileVerbs(app, exit_code);
  AddHelp(app);
}

}  // namespace fsload
