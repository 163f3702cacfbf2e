#include "tools/conformance/conformance.h"

#include <unistd.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/threads/processors.h"
#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/random_sequence.h"
#include "third_party/fmt/format.h"
#include "tools/cli/exit_code.h"
#include "tools/cli/operands.h"
#include "tools/cli/plugin_name.h"
#include "tools/conformance/case_pattern.h"
#include "tools/conformance/documents.h"
#include "tools/conformance/expected_failures.h"
#include "tools/conformance/runner.h"
#include "tools/conformance/text_file.h"
#include "tools/network/foreign_variables.h"
#include "tools/report/report_printer.h"
#include "tools/session/session.h"
#include "tools/text/interface_lines.h"
#include "tools/text/output.h"

namespace fsload::conformance {
namespace {

struct Words {
  std::vector<std::string> operands;  // the plugin, or two documents
  ConformanceOptions options;
  std::string expected;
  std::string replay;
  bool compare = false;
  bool list = false;
  ReportFormat format = ReportFormat::kText;
};

int Fail(const absl::Status& status, int exit_code) {
  PrintError(status);
  return exit_code;
}

int Compare(const Words& words) {
  if (words.operands.size() != 2) {
    return Fail(InvalidArgumentError(
                    "--compare needs two documents of --format=json: the older "
                    "and the newer"),
                kUsage);
  }
  const auto before = ReadTextFile(words.operands[0]);
  if (!before.ok()) return Fail(before.status(), kUsage);
  const auto after = ReadTextFile(words.operands[1]);
  if (!after.ok()) return Fail(after.status(), kUsage);
  bool changed = false;
  const auto text = CompareConformance({words.operands[0], *before},
                                       {words.operands[1], *after}, changed);
  if (!text.ok()) return Fail(text.status(), kUsage);
  Print(*text);
  return changed ? kFindings : kVerified;
}

int List() {
  for (const Case& each : AllCases()) {
    Print(Format("{}  level {}  {:<40} {}{}\n", RuleName(each), each.level,
                 each.name, each.title, InterfaceLinesText(each.lines)));
  }
  return kVerified;
}

// On a terminal, one line that is overwritten.
void ShowProgress(size_t done, size_t all, const std::string& current) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::string line =
      current.empty() ? "\r\033[K"
                      : Format("\r\033[K{} of {}: {}", done, all, current);
  [[maybe_unused]] const ssize_t ignored =
      write(STDERR_FILENO, line.data(), line.size());
}

ExitCode ExitCodeOf(const ConformanceReport& report) {
  switch (ConclusionOf(report)) {
    case Conclusion::kConforms:
      return kVerified;
    case Conclusion::kFailed:
      return kFindings;
    case Conclusion::kNothingTested:
      return kNothingVerified;
  }
  return kBug;
}

// A pattern without a case is a mistake that would test nothing.
absl::Status CheckPatterns(const ConformanceOptions& options) {
  absl::Status status;
  for (const std::string& pattern : options.only) {
    status.Update(CheckSelectsAny("--only", pattern));
  }
  for (const std::string& pattern : options.skip) {
    status.Update(CheckSelectsAny("--skip", pattern));
  }
  return status;
}

// The text of the file at `path`, which is a sequence of at least one step.
absl::StatusOr<std::string> ReadSequence(const std::string& path) {
  auto text = ReadTextFile(path);
  if (!text.ok()) return text.status();
  const auto sequence = ParseSequence(*text);
  if (!sequence.ok()) {
    return InvalidArgumentError("{}: {}", path,
                                std::string(sequence.status().message()));
  }
  if (sequence->empty()) {
    return InvalidArgumentError("{}: it has no steps", path);
  }
  return text;
}

int Run(Words& words) {
  ConformanceOptions& options = words.options;
  if (words.operands.empty()) {
    return Fail(InvalidArgumentError(
                    "conformance: missing argument: plugin; see `fsload "
                    "conformance --help`"),
                kUsage);
  }
  if (words.operands.size() != 1) {
    return Fail(InvalidArgumentError(
                    "conformance: expected 1 argument, found {}; see `fsload "
                    "conformance --help`",
                    words.operands.size()),
                kUsage);
  }
  if (options.root.empty()) {
    return Fail(InvalidArgumentError(
                    "conformance needs --root URI, an empty or new directory "
                    "that the plugin can write to, such as s3://bucket/test"),
                kUsage);
  }
  const absl::Status selected = CheckPatterns(options);
  if (!selected.ok()) return Fail(selected, kUsage);
  if (!words.expected.empty()) {
    auto read = ReadExpectedFailures(words.expected);
    if (!read.ok()) return Fail(read.status(), kUsage);
    options.expected = *std::move(read);
  }
  if (!words.replay.empty()) {
    auto read = ReadSequence(words.replay);
    if (!read.ok()) return Fail(read.status(), kUsage);
    options.replay = *std::move(read);
    options.level = 4;
    if (options.only.empty()) {  // stores have no sequences on trees
      options.only = {options.profile == Profile::kObjectStore
                          ? "random.files"
                          : "random.trees"};
    }
  }
  if (options.jobs == 0) options.jobs = Processors();
  HandOnForeignVariables();
  // The plugin itself is loaded in children only.
  Session session(options.trust);
  const auto named = session.FindNamed(words.operands.front());
  if (!named.ok()) return Fail(named.status(), ExitCodeFor(named.status()));
  options.plugins = named->plugins;
  const TextStyle style = StyleOfStandardOutput();
  std::string left_behind;
  auto report = RunConformance(options, &ShowProgress, left_behind);
  if (absl::IsAlreadyExists(report.status())) {  // in the root
    return Fail(report.status(), kUsage);
  }
  if (absl::IsAborted(report.status())) {
    return Fail(report.status(), kCrashed);
  }
  if (!report.ok()) return Fail(report.status(), ExitCodeFor(report.status()));
  report->plugin = words.operands.front();
  ApplyExpectedFailures(options.expected, options, report->results);
  if (!left_behind.empty()) {
    PrintWarning(
        Format("{} could not be deleted; delete it yourself", left_behind));
  }
  switch (words.format) {
    case ReportFormat::kJson:
      Print(ConformanceJson(*report));
      break;
    case ReportFormat::kJunit:
      Print(ConformanceJunit(*report));
      break;
    case ReportFormat::kText:
      for (const RunResult& result : report->results) {
        Print(ResultText(result, style));
      }
      Print(SummaryText(*report, style));
      break;
  }
  return ExitCodeOf(*report);
}

int Conform(Words& words) {
  if (words.list) return List();
  return words.compare ? Compare(words) : Run(words);
}

}  // namespace
}  // namespace fsload::conformance

namespace fsload {

void AddConformance(CLI::App& app, int& exit_code) {
  constexpr size_t kMaxJobs = 256;
  const auto words = std::make_shared<conformance::Words>();
  conformance::ConformanceOptions& options = words->options;
  options.jobs = 0;
  options.seed = std::random_device()();
  CLI::App* const command = AddCommand(
      app, "conformance",
      "Test a plugin's behaviour, case by case, in an empty directory",
      [=, &exit_code] { exit_code = conformance::Conform(*words); });
  AddOperands(
      *command, "plugin",
      "Plugin to test: a shared object, a wheel, a directory of these, or a "
      "name listed by `fsload plugins`; with --compare, two JSON "
      "documents",
      {0, 2, &RefuseEmpty}, words->operands);
  AddText(*command, "--root", options.root, &RefuseEmpty,
          "URI of an empty or new directory to work in, required for testing; "
          "each case has a directory of its own there, deleted afterwards");
  AddTaken(
      *command, "--level",
      [&options](const std::string& word) {
        return ParseNumber(word, 1, 4, options.level);
      },
      "1-4",
      "How much to test: 1: smoke test; 2: the contract; 3: large files, trees "
      "and random calls; 4: faults and races (default: 2)");
  AddTaken(
      *command, "--profile",
      [&options](const std::string& word) -> std::string {
        if (word == "local") {
          options.profile = conformance::Profile::kLocal;
        } else if (word == "object-store") {
          options.profile = conformance::Profile::kObjectStore;
        } else {
          return Format("'{}' is neither local nor object-store", word);
        }
        return "";
      },
      "{local,object-store}",
      "Kind of storage behind the plugin; object stores need no real "
      "directories (default: local)");
  AddTexts(*command, "--only", options.only, &RefuseEmpty,
           "Run only the cases that match this glob, at any level; repeatable");
  AddTexts(*command, "--skip", options.skip, &RefuseEmpty,
           "Skip the cases that match this glob; repeatable");
  AddText(*command, "--expected-failures", words->expected, &RefuseEmpty,
          "File of known failures, one per line: PATTERN  reason");
  AddTaken(
      *command, "--seed",
      [&options](const std::string& word) {
        return ParseNumber(word, uint64_t{0}, UINT64_MAX, options.seed);
      },
      "N", "Seed for the random calls, to repeat an earlier run");
  AddText(*command, "--replay", words->replay, &RefuseEmpty,
          "Run the sequence of calls in this file, in the format printed by a "
          "failing random case");
  AddNumber(*command, "-j,--jobs", options.jobs, 0, kMaxJobs,
            "Cases to run in parallel; 0: one per processor");
  AddSeconds(*command, "--timeout", options.timeout_seconds, 0.1, 86400,
             "Kill a case that is still running after this many seconds");
  AddFlag(*command, "--fail-fast", options.fail_fast,
          "Start no more cases after a failure");
  AddFlag(*command, "--keep", options.keep, "Keep what the cases create");
  AddFlag(*command, "--isolate", options.isolate,
          "Run the plugin in another process than the case, as with "
          "LoadOptions::isolation (docs/isolation.md)");
  AddText(*command, "--allow-list", options.trust.allow_list, &RefuseEmpty,
          "Load only plugins whose SHA-256 is listed in this file");
  AddFormat(*command, words->format, /*with_junit=*/true);
  AddFlag(*command, "--compare", words->compare,
          "Show what changed between two JSON reports written by this command");
  AddFlag(*command, "--list", words->list, "List all cases and exit");
  SetFooter(
      *command,
      "Exit codes: 0 it conforms, 1 a case failed, 2 usage error, 3 nothing "
      "was tested, others as in docs/verbs.md. Each case runs on the plugin's "
      "own tables (@tables), through fsload (@facade), and once for each "
      "operation that has a default, with that operation hidden "
      "(@without-OPERATION). " +
          InterfaceLinesNote());
}

}  // namespace fsload
