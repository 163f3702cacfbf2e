// fsload inspect: what does this plugin contain?
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "loader/confined_load/confined_load.h"
#include "loader/discovery/named_plugins.h"
#include "tools/cli/exit_code.h"
#include "tools/cli/operands.h"
#include "tools/cli/plugin_name.h"
#include "tools/commands/commands.h"
#include "tools/report/plugin_report.h"
#include "tools/report/report_printer.h"
#include "tools/session/bundled_plugin.h"
#include "tools/session/session.h"
#include "tools/text/output.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

struct InspectOptions {
  std::vector<std::string> paths;  // one
  ReportFormat format = ReportFormat::kText;
};

// The report for a plugin that cannot be found.
ConfinedReport NotFound(const std::string& plugin, const absl::Status& status) {
  ConfinedReport report;
  report.load.plugin = plugin;
  report.load.status = status;
  return report;
}

// Loads the plugin as check does: it is not trusted.
ConfinedReport Load(const std::string& path) {
  const auto load = [&path](LoadOptions options) {
    options.stub_missing_functions = true;
    return LoadNamed(path, options);
  };
  return LoadConfined(path.empty() ? kBundledPluginName : path, load,
                      absl::Seconds(kUsualDeadline));
}

int Inspect(const InspectOptions& options) {
  ReportPrinter printer(options.format);
  absl::Status status;
  const auto show = [&](const ConfinedReport& report) {
    status.Update(report.load.status);
    if (options.format == ReportFormat::kText) {
      Print(Visible(report.load.plugin) + "\n" + OutputText(report) +
            ContentsText(report.load, printer.style()));
    } else {
      printer.Add(report);
    }
  };
  Session session;
  const absl::StatusOr<NamedPlugins> named =
      session.FindNamed(options.paths.front());
  if (!named.ok() && options.format == ReportFormat::kText) {
    status.Update(named.status());
  } else if (!named.ok()) {
    show(NotFound(options.paths.front(), named.status()));
  }
  const NamedPlugins found = named.ok() ? *named : NamedPlugins();
  for (const std::string& problem : found.problems) PrintWarning(problem);
  for (const std::string& path : found.plugins) {
    const ConfinedReport report = Load(path);
    WarnOfStubs(report.load);
    show(report);
  }
  printer.Finish();
  if (status.ok()) return kVerified;
  PrintError(status);
  return kFindings;
}

}  // namespace

void AddInspect(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* const command = AddCommand(
      app, "inspect", "Show a plugin's schemes, tables and operations",
      [=, &exit_code] { exit_code = Inspect(*options); });
  AddOperands(*command, "plugin",
              "A shared object, a wheel, a directory of these, or a name "
              "listed by `fsload plugins`",
              {1, 1, &RefuseEmpty}, options->paths);
  AddFormat(*command, options->format, /*with_junit=*/false);
}

}  // namespace fsload
