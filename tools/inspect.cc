// fsload inspect: what does this plugin have?
#include <fmt/format.h>

#include <memory>
#include <string>

#include "tools/commands.h"
#include "tools/output.h"
#include "tools/plugin_report.h"
#include "tools/session.h"

namespace fsload {
namespace {

int Inspect(const std::string& path) {
  Session session;
  const LoadReport report = session.Load(path);
  Print(report.plugin + "\n" + ContentsText(report));
  if (report.status.ok()) return kVerified;
  PrintError(report.status);
  return kFindings;
}

}  // namespace

void AddInspect(CLI::App& app, int& exit_code) {
  const auto path = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand(
      "inspect", "Show a plugin's schemes, tables and operations");
  command->add_option("plugin", *path, "A shared object")
      ->required()
      ->check(&RefuseEmpty);
  command->callback([=, &exit_code] { exit_code = Inspect(*path); });
}

}  // namespace fsload
