// fsload check: is this plugin valid?
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "loader/confined_load/confined_load.h"
#include "loader/discovery/search_locations.h"
#include "loader/elf/elf_image.h"
#include "loader/static_pass/plugin_search.h"
#include "loader/static_pass/static_pass.h"
#include "loader/trust/trust.h"
#include "loader/wheels/wheel_faults.h"
#include "loader/wheels/wheel_file.h"
#include "third_party/fmt/format.h"
#include "tools/cli/exit_code.h"
#include "tools/cli/operands.h"
#include "tools/cli/plugin_name.h"
#include "tools/commands/commands.h"
#include "tools/report/report_printer.h"
#include "tools/session/bundled_plugin.h"
#include "tools/session/session.h"
#include "tools/text/output.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;  // empty: the bundled plugin
  bool only_static = false;
  bool strict = false;
  Trust trust;
  ReportFormat format = ReportFormat::kText;
  bool no_isolation = false;
  bool network = false;
  double timeout_seconds = kUsualDeadline;
  size_t jobs = 1;

  // As the commands load plugins or, if strict, as LoadPlugin does by default.
  bool stub_missing_functions() const {
    return !strict && CommandLoadOptions().stub_missing_functions;
  }
};

// The results of the whole run.
struct Outcome {
  size_t verified = 0;
  size_t refused = 0;
  size_t not_tried = 0;  // for a reason other than the plugin

  ExitCode exit_code() const {
    if (not_tried > 0) return kBug;
    if (refused > 0) return kFindings;
    return verified > 0 ? kVerified : kNothingVerified;
  }
};

void PrintReport(const ConfinedReport& report, ReportPrinter& printer,
                 Outcome& outcome) {
  const absl::Status& status = report.load.status;
  if (absl::IsInternal(status)) {
    ++outcome.not_tried;
    PrintError(InternalError("{} was not checked: {}", report.load.plugin,
                             std::string(status.message())));
    printer.AddUntried(report);
    return;
  }
  ++(status.ok() ? outcome.verified : outcome.refused);
  printer.Add(report);
}

// What is printed besides the plugins' results: for a file that is not a
// plugin, or a folder that cannot be searched.
struct Remark {
  std::string text;
  std::optional<ConfinedReport> report;
};

// What to check, and what only to print, in the order of the arguments.
struct Work {
  const Machines machines;                // whose plugins of wheels are checked
  std::vector<std::string> plugins;       // "": the bundled plugin
  std::multimap<size_t, Remark> remarks;  // by the next plugin's index

  void AddRemark(std::string text) {
    remarks.emplace(plugins.size(), Remark{std::move(text), std::nullopt});
  }

  // Records a problem with `folder`, which the report names already.
  void AddProblem(const std::string& folder, const std::string& problem,
                  RuleId rule = RuleId::kReadable) {
    Findings findings;
    findings.Add(rule, std::string(absl::StripPrefix(problem, folder + ": ")));
    ConfinedReport report;
    report.load.plugin = folder;
    report.load.findings = findings.all();
    report.load.status = absl::FailedPreconditionError(problem);
    remarks.emplace(plugins.size(), Remark{"", std::move(report)});
  }
};

// Adds the plugins in a wheel.
void AddWheel(const std::string& path, Work& work) {
  absl::StatusOr<UnpackedWheel> wheel = UnpackWheel(path);
  if (!wheel.ok() && work.machines != Machines::kThis &&
      RuleOfWheel(wheel.status()) == RuleId::kWheelHasPlugin) {
    wheel = UnpackWheel(path, work.machines);
  }
  if (!wheel.ok()) {
    work.AddProblem(path, std::string(wheel.status().message()),
                    RuleOfWheel(wheel.status()));
    return;
  }
  work.AddRemark(
      Format("{}: unpacked to {}\n", Visible(path), Visible(wheel->folder)));
  work.plugins.insert(work.plugins.end(), wheel->plugins.begin(),
                      wheel->plugins.end());
}

// Adds the plugins in `folder`, then its other files, then its wheels.
void AddFolder(const std::string& folder, Work& work) {
  const absl::StatusOr<FoundPlugins> found = FindPlugins(folder);
  if (!found.ok()) {
    work.AddProblem(folder, std::string(found.status().message()));
    return;
  }
  for (const std::string& plugin : found->plugins) {
    work.plugins.push_back(plugin);
  }
  for (const std::string& problem : found->unreadable) {
    work.AddProblem(folder, problem);
  }
  for (const std::string& problem : found->irregular) {
    work.AddProblem(folder, problem, RuleId::kRegularFile);
  }
  for (const std::string& other : found->others) {
    work.AddRemark(Format("{}: not a plugin\n", Visible(other)));
  }
  const std::vector<std::string> wheels = WheelsIn(folder);
  for (const std::string& wheel : wheels) AddWheel(wheel, work);
  if (found->plugins.empty() && wheels.empty()) {
    work.AddRemark(Format(
        "{}: no plugin found: no *.so file in it exports TF_InitPlugin\n",
        Visible(folder)));
  }
}

Work Plan(const std::vector<std::string>& paths, Machines machines) {
  Work work{machines, {}, {}};
  if (paths.empty()) {
    work.AddRemark(
        Format("No plugin was named: checking {}.\n", kBundledPluginName));
    work.plugins.emplace_back();
  }
  for (const std::string& path : paths) {
    std::error_code ignored;  // the load reports why it cannot be read
    if (std::filesystem::is_directory(path, ignored)) {
      AddFolder(path, work);
    } else if (IsWheelName(path)) {
      AddWheel(path, work);
    } else {
      work.plugins.push_back(path);
    }
  }
  return work;
}

// Examines the file without running any of its code.
LoadReport CheckWithoutRunning(const std::string& path,
                               const CheckOptions& check) {
  StaticOptions options;
  options.trust = check.trust;
  options.stub_missing_functions = check.stub_missing_functions();
  return path.empty() ? StaticReport(kBundledPluginName,
                                     CheckBytesStatically(BundledPlugin()))
                      : StaticReport(path, CheckStatically(path, options));
}

ConfinedReport CheckInThisProcess(const std::string& path,
                                  const CheckOptions& options) {
  Session session(options.trust, /*observer=*/nullptr, /*warns=*/false);
  return {session.Load(path, options.stub_missing_functions()),
          {"not at all: it ran in this process"},
          "",
          false};
}

// Loads the plugin with these options, or, with --static, looks at its file.
LoadReport LoadOrLook(const std::string& path, const CheckOptions& check,
                      LoadOptions options) {
  if (check.only_static) return CheckWithoutRunning(path, check);
  options.trust = check.trust;
  options.stub_missing_functions = check.stub_missing_functions();
  return LoadNamed(path, options);
}

// Checks all plugins, and calls `report_to` with each report in order.
void CheckPlugins(const std::vector<std::string>& paths,
                  const CheckOptions& options,
                  const std::function<void(const ConfinedReport&)>& report_to) {
  if (options.no_isolation) {
    for (const std::string& path : paths) {
      report_to(CheckInThisProcess(path, options));
    }
    return;
  }
  // Files are looked at in a child too, as a crafted one may take forever.
  std::vector<NamedLoader> plugins;
  for (const std::string& path : paths) {
    plugins.push_back(
        {path.empty() ? kBundledPluginName : path,
         [path, &options](const LoadOptions& load) {
           return LoadOrLook(path, options, load);
         },
         options.only_static ? ConfinedWork::kLook : ConfinedWork::kLoad,
         options.network});
  }
  LoadAllConfined(plugins, options.jobs, absl::Seconds(options.timeout_seconds),
                  [&](ConfinedReport report) {
                    if (options.only_static) {
                      report.confinement = {"none of its code ran"};
                    }
                    report_to(report);
                  });
}

int Check(const CheckOptions& options) {
  if (options.paths.empty() && !options.trust.allow_list.empty()) {
    PrintError(InvalidArgumentError(
        "--allow-list needs at least one PLUGIN to check"));
    return kUsage;
  }
  Outcome outcome;
  const Work work = Plan(
      options.paths, options.only_static ? Machines::kKnown : Machines::kThis);
  ReportPrinter printer(options.format);
  auto remark = work.remarks.begin();
  const auto print_remarks_before = [&](size_t plugin) {
    for (; remark != work.remarks.end() && remark->first <= plugin; ++remark) {
      printer.Remark(remark->second.text);
      if (remark->second.report.has_value()) {
        PrintReport(*remark->second.report, printer, outcome);
      }
    }
  };
  size_t reported = 0;
  CheckPlugins(work.plugins, options, [&](const ConfinedReport& report) {
    print_remarks_before(reported++);
    PrintReport(report, printer, outcome);
  });
  print_remarks_before(reported);
  if (outcome.verified > 0 && !options.only_static) {
    printer.Remark(
        "The behaviour of the operations was not tested; "
        "`fsload conformance` tests it.\n");
  }
  printer.Finish();
  return outcome.exit_code();
}

}  // namespace

void AddCheck(CLI::App& app, int& exit_code) {
  constexpr size_t kMaxJobs = 1024;
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const command =
      AddCommand(app, "check",
                 "Check plugins, each loaded in a confined process (also "
                 "--check)",
                 [=, &exit_code] { exit_code = Check(*options); });
  AddOperands(
      *command, "plugin",
      "Shared objects, wheels, or directories, which are searched for wheels "
      "and, recursively, for *.so files that export TF_InitPlugin; default: "
      "the bundled plugin",
      {0, SIZE_MAX, &RefuseEmpty}, options->paths);
  CLI::Option* const deadline =
      AddSeconds(*command, "--timeout", options->timeout_seconds,
                 kShortestDeadline, kLongestDeadline,
                 "Kill a plugin that is still running after this many seconds");
  CLI::Option* const jobs =
      AddNumber(*command, "-j,--jobs", options->jobs, 1, kMaxJobs,
                "Plugins to check in parallel; results stay in order");
  CLI::Option* const only_static =
      AddFlag(*command, "--static", options->only_static,
              "Check the files without running the plugins' code");
  AddFlag(*command, "--strict", options->strict,
          "Refuse plugins with undefined functions, for authors; without it "
          "plugins are judged as all commands load them, which replace these");
  AddText(*command, "--allow-list", options->trust.allow_list, &RefuseEmpty,
          "Load only plugins whose SHA-256 is listed in this file");
  AddFormat(*command, options->format, /*with_junit=*/true);
  CLI::Option* const network = AddFlag(
      *command, "--network", options->network,
      "Allow internet sockets, for plugins whose init contacts a "
      "server; such a plugin can send anything that you can read to any "
      "server");
  Exclude(network, {only_static});
  CLI::Option* const no_isolation =
      AddFlag(*command, "--no-isolation", options->no_isolation,
              "Load plugins in this process, for debugging; a crash or hang "
              "takes the command down");
  Exclude(no_isolation, {deadline, jobs, network, only_static});
  SetFooter(
      *command,
      "Exit codes: 0 all verified, or loaded without undefined functions, 1 a "
      "plugin was refused, 2 usage error, 3 nothing to verify, 70 a plugin "
      "could not be checked (a bug in fsload, "
      "or no process could be started).");
}

}  // namespace fsload
