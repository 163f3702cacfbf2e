// fsload replay JOURNAL: what was recorded? (With a verb it is that verb:
// main.cc.)
#include "fsload/replay.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "third_party/fmt/format.h"
#include "tools/cli/operands.h"
#include "tools/commands/commands.h"
#include "tools/text/output.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

// One line for each operation, and for each code that it failed with.
std::string CallsText(const CallStatistics& calls) {
  std::string text = Format("    {:<52}{:>8}{:>15}{:>13}\n", "operation",
                            "calls", "bytes", "median");
  for (const CallStatistics::Row& row : calls.rows) {
    const bool failed = row.code != TF_OK;
    const std::string name =
        Format("{}{}", FullName(row.op),
               failed ? " " + absl::StatusCodeToString(
                                  static_cast<absl::StatusCode>(row.code))
                      : "");
    text += Format("    {:<52}{:>8}{:>15}{:>10.3f} ms\n", name,
                   row.nanoseconds.count(),
                   row.bytes.count() == 0 ? "" : Format("{}", row.bytes.sum()),
                   static_cast<double>(row.nanoseconds.Percentile(50)) / 1e6);
  }
  return text;
}

int Summarize(const std::string& path) {
  const absl::StatusOr<Journal> journal = Journal::Read(path);
  if (!journal.ok()) {
    PrintError(journal.status());
    return ExitCodeFor(journal.status());
  }
  Print(Visible(path) + "\n");
  if (!journal->incomplete().empty()) {
    Print(Format("  incomplete: {}\n", Visible(journal->incomplete())));
  }
  for (const JournaledScheme& each : journal->schemes()) {
    Print(Format("  scheme '{}', {}\n", each.scheme, Visible(each.plugin)) +
          CallsText(each.calls));
  }
  if (journal->schemes().empty()) Print("  no plugin was used\n");
  return kVerified;
}

}  // namespace

void AddReplay(CLI::App& app, int& exit_code) {
  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = AddCommand(
      app, "replay",
      "Run a command with a journal in place of plugins, or show a journal",
      [=, &exit_code] { exit_code = Summarize(paths->front()); });
  AddOperands(
      *command, "journal",
      "A file written by --record, optionally followed by a command and "
      "its arguments: fsload replay JOURNAL ls -l s3://bucket",
      {1, 1, nullptr}, *paths);
}

}  // namespace fsload
