// fsload self-test: does each rule still fire on this machine?
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "fsload/rules.h"
#include "loader/supervision/scratch_folder.h"
#include "third_party/fmt/format.h"
#include "tools/cli/exit_code.h"
#include "tools/commands/commands.h"
#include "tools/self_test/bundled_fixtures.h"
#include "tools/self_test/self_test_trials.h"
#include "tools/session/interruption.h"
#include "tools/text/output.h"
#include "tools/text/text_style.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

// The result for one rule.
struct Verdict {
  std::string_view word;
  Colour colour;
  std::string words;
};

constexpr std::string_view kFires = "fires";
constexpr std::string_view kNotTried = "not tried";
constexpr std::string_view kFails = "fails";

Verdict TryAll(RuleId rule, const Fixtures& fixtures,
               const std::string& folder) {
  for (const Untried& untried : AllUntried()) {
    if (untried.rule != rule) continue;
    return {kNotTried, Colour::kNote, std::string(untried.reason)};
  }
  std::vector<std::string> fired;
  for (const Trial& trial : AllTrials()) {
    if (trial.rule != rule) continue;
    const absl::Status status = Try(
        trial, fixtures, Format("{}/{}", folder, &trial - AllTrials().data()));
    if (!status.ok()) {
      return {
          kFails, Colour::kError,
          Format("on {}: {}", trial.fixture, std::string(status.message()))};
    }
    fired.emplace_back(trial.fixture);
  }
  if (fired.empty()) {
    return {kFails, Colour::kError, "no bundled plugin breaks it"};
  }
  return {kFires, Colour::kGood, "on " + absl::StrJoin(fired, ", ")};
}

std::string Line(RuleId rule, const Verdict& outcome, const TextStyle& style) {
  constexpr size_t kIndent = 19;
  const std::string start = Name(rule) + "  ";
  const std::string line = style.Wrapped(
      Format("{}{:<9}  {}", start, outcome.word, Visible(outcome.words)),
      kIndent);
  return start + style.In(outcome.colour, outcome.word) +
         line.substr(start.size() + outcome.word.size()) + "\n";
}

using Counts = std::map<std::string_view, int>;  // by the word of the outcome

std::string Summary(const Counts& counts) {
  std::string text = Format("{} rules fire, {} not tried", counts.at(kFires),
                            counts.at(kNotTried));
  const int failed = counts.at(kFails);
  if (failed > 0) text += Format(", {} fail", failed);
  return text + "\n";
}

int SelfTest() {
  CatchInterruptions();
  const absl::StatusOr<Fixtures> fixtures = BundledFixtures();
  const ScratchFolder folder;
  absl::Status status = fixtures.status();
  if (folder.path().empty()) {
    status.Update(absl::InternalError(
        "cannot create a directory below TMPDIR or /tmp; no rule was tried"));
  }
  if (!status.ok()) {
    PrintError(status);
    return kNothingVerified;
  }
  const TextStyle style = StyleOfStandardOutput();
  Counts counts = {{kFires, 0}, {kNotTried, 0}, {kFails, 0}};
  for (const Rule& rule : AllRules()) {
    status = CheckInterruption();
    if (!status.ok()) {
      PrintError(status);
      return kInterrupted;
    }
    const Verdict outcome = TryAll(rule.id, *fixtures, folder.path());
    ++counts[outcome.word];
    Print(Line(rule.id, outcome, style));
  }
  Print(Summary(counts));
  return counts[kFails] == 0 ? kVerified : kFindings;
}

}  // namespace

void AddSelfTest(CLI::App& app, int& exit_code) {
  AddCommand(app, "self-test",
             "Verify that each rule catches a plugin that breaks it",
             [&exit_code] { exit_code = SelfTest(); });
}

}  // namespace fsload
