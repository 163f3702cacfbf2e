// fsload check: is this plugin right?
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/bundled_plugin.h"
#include "tools/commands.h"
#include "tools/output.h"
#include "tools/report_printer.h"
#include "tools/session.h"

namespace fsload {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;
  ReportFormat format = ReportFormat::kText;
};

bool CheckOne(const std::string& path, ReportPrinter& printer) {
  Session session;
  LoadReport report = session.Load(path);
  const bool verified = report.status.ok();
  printer.Add(std::move(report));
  return verified;
}

int Check(const CheckOptions& options) {
  ReportPrinter printer(options.format);
  bool all = true;
  for (const std::string& path : options.paths) all &= CheckOne(path, printer);
  if (options.paths.empty()) {
    if (options.format == ReportFormat::kText) {
      Print(fmt::format("No plugin was named: checking {}.\n",
                        kBundledPluginName));
    }
    all = CheckOne("", printer);
  }
  printer.Finish();
  return all ? kVerified : kFindings;
}

}  // namespace

void AddCheck(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const command = app.add_subcommand(
      "check", "Load plugins and tell whether they are right (also --check)");
  command
      ->add_option("plugin", options->paths,
                   "Shared objects; none: the bundled plugin")
      ->check(&RefuseEmpty);
  AddFormat(*command, options->format, /*with_junit=*/true);
  command->callback([=, &exit_code] { exit_code = Check(*options); });
}

}  // namespace fsload
