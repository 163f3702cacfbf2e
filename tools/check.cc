// fsload check: is this plugin right?
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "loader/confined_load.h"
#include "loader/plugin_search.h"
#include "tools/bundled_plugin.h"
#include "tools/commands.h"
#include "tools/output.h"
#include "tools/plugin_report.h"
#include "tools/session.h"

namespace fsload {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;  // none: the bundled plugin
  bool no_isolation = false;
  double deadline_seconds = 10;
  size_t jobs = 1;
};

// What came of it all.
struct Outcome {
  size_t verified = 0;
  size_t refused = 0;
  size_t not_tried = 0;  // for something that is not the plugin's fault

  ExitCode exit_code() const {
    if (not_tried > 0) return kBug;
    if (refused > 0) return kFindings;
    return verified > 0 ? kVerified : kNothingVerified;
  }
};

void Tell(const ConfinedReport& report, Outcome& outcome) {
  const absl::Status& status = report.load.status;
  if (absl::IsInternal(status)) {
    ++outcome.not_tried;
    PrintError(absl::InternalError(fmt::format("{} was not checked: {}",
                                               report.load.plugin,
                                               std::string(status.message()))));
    return;
  }
  ++(status.ok() ? outcome.verified : outcome.refused);
  Print(fmt::format("{}: {}\n", report.load.plugin,
                    status.ok() ? "verified" : "refused"));
  Print(FindingsText(report.load) + OutputText(report) +
        ConfinementText(report) + ContentsText(report.load));
  // The next may take its time, or, in this process, end it.
  std::fflush(stdout);
}

// What is checked, and what is only said, in the order of the arguments.
struct Work {
  std::vector<std::string> plugins;            // "": the bundled one
  std::multimap<size_t, std::string> remarks;  // before which plugin

  void AddRemark(std::string text) {
    remarks.emplace(plugins.size(), std::move(text));
  }
};

// Adds the plugins in `folder`, and behind them what else there is.
void AddFolder(const std::string& folder, Work& work, Outcome& outcome) {
  const absl::StatusOr<FoundPlugins> found = FindPlugins(folder);
  if (!found.ok()) {
    ++outcome.refused;
    work.AddRemark(fmt::format("{}: refused\n  error {}\n", folder,
                               std::string(found.status().message())));
    return;
  }
  for (const std::string& plugin : found->plugins) {
    work.plugins.push_back(plugin);
  }
  for (const std::string& problem : found->unreadable) {
    ++outcome.refused;
    work.AddRemark(
        fmt::format("{}: refused in part\n  error {}\n", folder, problem));
  }
  for (const std::string& other : found->others) {
    work.AddRemark(fmt::format("{}: no plugin\n", other));
  }
}

Work Plan(const std::vector<std::string>& paths, Outcome& outcome) {
  Work work;
  if (paths.empty()) {
    work.AddRemark(
        fmt::format("No plugin was named: checking {}.\n", kBundledPluginName));
    work.plugins.emplace_back();
  }
  for (const std::string& path : paths) {
    std::error_code ignored;  // the load says why it cannot be read
    if (std::filesystem::is_directory(path, ignored)) {
      AddFolder(path, work, outcome);
    } else {
      work.plugins.push_back(path);
    }
  }
  return work;
}

// Checks all, and calls `tell` with each report in order.
void CheckPlugins(const std::vector<std::string>& paths,
                  const CheckOptions& options,
                  const std::function<void(const ConfinedReport&)>& tell) {
  std::vector<NamedLoader> plugins;
  for (const std::string& path : paths) {
    if (options.no_isolation) {
      Session session;
      tell({session.Load(path),
            {"not at all: it ran in this process"},
            "",
            false});
      continue;
    }
    plugins.push_back(
        {path.empty() ? kBundledPluginName : path,
         [path](const LoadOptions& load) { return LoadNamed(path, load); }});
  }
  LoadAllConfined(plugins, options.jobs,
                  absl::Seconds(options.deadline_seconds), tell);
}

int Check(const CheckOptions& options) {
  Outcome outcome;
  const Work work = Plan(options.paths, outcome);
  auto remark = work.remarks.begin();
  const auto print_remarks_before = [&](size_t plugin) {
    for (; remark != work.remarks.end() && remark->first <= plugin; ++remark) {
      Print(remark->second);
    }
  };
  size_t told = 0;
  CheckPlugins(work.plugins, options, [&](const ConfinedReport& report) {
    print_remarks_before(told++);
    Tell(report, outcome);
  });
  print_remarks_before(told);
  return outcome.exit_code();
}

}  // namespace

void AddCheck(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const command = app.add_subcommand(
      "check",
      "Load plugins, each in a confined process, and tell whether they are "
      "right (also --check)");
  command
      ->add_option("plugin", options->paths,
                   "Shared objects, or folders: what is named *.so in them, at "
                   "any depth, and exports TF_InitPlugin is checked, the rest "
                   "listed as no plugin. None: the bundled plugin")
      ->check(&RefuseEmpty);
  CLI::Option* const deadline =
      command
          ->add_option("--deadline", options->deadline_seconds,
                       "Seconds until a plugin that hangs is killed")
          ->check(CLI::Range(0.001, 86400.0))
          ->capture_default_str();
  CLI::Option* const jobs =
      command
          ->add_option("--jobs", options->jobs,
                       "How many are loaded at once; results come in order")
          ->check(CLI::Range(1, 1024))
          ->capture_default_str();
  command
      ->add_flag("--no-isolation", options->no_isolation,
                 "Load them in this process, for debuggers: one that crashes "
                 "or hangs takes it down")
      ->excludes(deadline)
      ->excludes(jobs);
  command->footer(
      "Exit code: 0 all are verified, 1 something was found, 2 usage, 3 there "
      "was nothing to verify, 70 a plugin could not be tried (a bug in "
      "fsload, or a system out of processes).");
  command->callback([=, &exit_code] { exit_code = Check(*options); });
}

}  // namespace fsload
