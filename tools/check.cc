// fsload check: is this plugin right?
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "loader/load_report.h"
#include "loader/rules.h"
#include "loader/static_pass.h"
#include "loader/trust.h"
#include "tools/bundled_plugin.h"
#include "tools/commands.h"
#include "tools/output.h"
#include "tools/plugin_report.h"
#include "tools/session.h"

namespace fsload {
namespace {

// Looks at the file without running any of its code.
bool CheckOneStatically(const std::string& path, const Trust& trust) {
  StaticOptions options;
  options.trust = trust;
  const Findings findings = path.empty() ? CheckBytesStatically(BundledPlugin())
                                         : CheckStatically(path, options);
  LoadReport report;
  report.findings = findings.all();
  Print(fmt::format("{}: {}\n", path.empty() ? kBundledPluginName : path,
                    findings.AnyRefused() ? "refused" : "verified, not run"));
  Print(FindingsText(report));
  return !findings.AnyRefused();
}

bool CheckOne(const std::string& path, const Trust& trust) {
  Session session(trust);
  const LoadReport report = session.Load(path);
  const bool verified = report.status.ok();
  Print(fmt::format("{}: {}\n", report.plugin,
                    verified ? "verified" : "refused"));
  Print(FindingsText(report));
  Print(ContentsText(report));
  // The next plugin may take this process down with it.
  std::fflush(stdout);
  return verified;
}

struct CheckOptions {
  std::vector<std::string> paths;
  bool only_static = false;
  Trust trust;
};

int Check(const CheckOptions& options) {
  const auto check_one = options.only_static ? &CheckOneStatically : &CheckOne;
  if (options.paths.empty()) {
    Print(
        fmt::format("No plugin was named: checking {}.\n", kBundledPluginName));
    return check_one("", options.trust) ? kVerified : kFindings;
  }
  bool all = true;
  for (const std::string& path : options.paths) {
    all &= check_one(path, options.trust);
  }
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
  command->callback([=, &exit_code] { exit_code = Check(*options); });
}

}  // namespace fsload
