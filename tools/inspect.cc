// fsload inspect: what does this plugin have?
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/output.h"
#include "tools/plugin_name.h"
#include "tools/plugin_report.h"
#include "tools/report_printer.h"
#include "tools/session.h"
#include "tools/visible_text.h"

namespace fsload {
namespace {

struct InspectOptions {
  std::string path;
  ReportFormat format = ReportFormat::kText;
};

int Inspect(const InspectOptions& options) {
  ReportPrinter printer(options.format);
  absl::Status status;
  {
    Session session;
    const LoadReport report =
        session.Load(options.path, MissingSymbols::kStandIn);
    status = report.status;
    if (options.format == ReportFormat::kText) {
      Print(Visible(report.plugin) + "\n" +
            ContentsText(report, printer.style()));
    } else {
      printer.Add({report, {}, "", false});
    }
  }
  printer.Finish();
  if (status.ok()) return kVerified;
  PrintError(status);
  return kFindings;
}

}  // namespace

void AddInspect(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* const command = app.add_subcommand(
      "inspect", "Show a plugin's schemes, tables and operations");
  command->add_option("plugin", options->path, "A shared object")
      ->required()
      ->check(&RefuseEmpty);
  AddFormat(*command, options->format, /*with_junit=*/false);
  command->callback([=, &exit_code] { exit_code = Inspect(*options); });
}

}  // namespace fsload
