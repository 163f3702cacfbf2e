// fsload check: is this plugin right?
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/bundled_plugin.h"
#include "tools/commands.h"
#include "tools/output.h"
#include "tools/plugin_report.h"
#include "tools/session.h"

namespace fsload {
namespace {

bool CheckOne(const std::string& path) {
  Session session;
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

int Check(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    Print(
        fmt::format("No plugin was named: checking {}.\n", kBundledPluginName));
    return CheckOne("") ? kVerified : kFindings;
  }
  bool all = true;
  for (const std::string& path : paths) all &= CheckOne(path);
  return all ? kVerified : kFindings;
}

}  // namespace

void AddCheck(CLI::App& app, int& exit_code) {
  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = app.add_subcommand(
      "check", "Load plugins and tell whether they are right (also --check)");
  command
      ->add_option("plugin", *paths, "Shared objects; none: the bundled plugin")
      ->check(&RefuseEmpty);
  command->callback([=, &exit_code] { exit_code = Check(*paths); });
}

}  // namespace fsload
