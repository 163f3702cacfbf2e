// fsload check: is this plugin right?
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loader/load_report.h"
#include "loader/rules.h"
#include "loader/static_pass.h"
#include "loader/trust.h"
#include "tools/bundled_plugin.h"
#include "tools/commands.h"
#include "tools/output.h"
#include "tools/report_printer.h"
#include "tools/session.h"

namespace fsload {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;
  bool only_static = false;
  Trust trust;
  ReportFormat format = ReportFormat::kText;
};

// Looks at the file without running any of its code.
bool CheckOneStatically(const std::string& path, const CheckOptions& options,
                        ReportPrinter& printer) {
  StaticOptions how;
  how.trust = options.trust;
  const Findings findings = path.empty() ? CheckBytesStatically(BundledPlugin())
                                         : CheckStatically(path, how);
  LoadReport report;
  report.plugin = path.empty() ? kBundledPluginName : path;
  report.findings = findings.all();
  const bool verified = !findings.AnyRefused();
  if (!verified) report.status = absl::FailedPreconditionError("refused");
  printer.Add(std::move(report));
  return verified;
}

bool CheckOne(const std::string& path, const CheckOptions& options,
              ReportPrinter& printer) {
  Session session(options.trust);
  LoadReport report = session.Load(path);
  const bool verified = report.status.ok();
  printer.Add(std::move(report));
  return verified;
}

int Check(const CheckOptions& options) {
  const auto check_one = options.only_static ? &CheckOneStatically : &CheckOne;
  ReportPrinter printer(options.format);
  bool all = true;
  for (const std::string& path : options.paths) {
    all &= check_one(path, options, printer);
  }
  if (options.paths.empty()) {
    if (options.format == ReportFormat::kText) {
      Print(fmt::format("No plugin was named: checking {}.\n",
                        kBundledPluginName));
    }
    all = check_one("", options, printer);
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
  command->add_flag("--static", options->only_static,
                    "Run none of the plugins' code");
  command
      ->add_option("--allow-list", options->trust.allow_list,
                   "Refuse plugins whose SHA-256 sums this file has not")
      ->check(&RefuseEmpty);
  AddFormat(*command, options->format, /*with_junit=*/true);
  command->callback([=, &exit_code] { exit_code = Check(*options); });
}

}  // namespace fsload
