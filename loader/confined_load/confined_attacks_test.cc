// Plugins that attack their supervisor: none survives its check, passes for a
// good one, or has the supervisor blamed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/confined_load/confined_load.h"

namespace fsload {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

ConfinedReport LoadHostile(const std::string& name,
                           absl::Duration deadline = absl::Minutes(1)) {
  const std::string path = "testdata/hostile_" + name + ".so";
  return LoadConfined(
      path,
      [&path](const LoadOptions& options) { return LoadPlugin(path, options); },
      deadline);
}

std::vector<std::string> Findings(const ConfinedReport& report) {
  std::vector<std::string> texts;
  for (const Finding& finding : report.load.findings) {
    texts.push_back(ToString(finding));
  }
  return texts;
}

// The last process that a plugin reports it has started.
pid_t HiddenProcess(const ConfinedReport& report) {
  constexpr size_t kAfterHidden = 7;
  EXPECT_THAT(report.output, MatchesRegex("hidden [0-9]+\n"));
  return std::atoi(report.output.substr(kAfterHidden).c_str());
}

TEST(ConfinedAttacks, ManyDescriptorsDoNotKeepTheDeadlineFromTheSupervisor) {
  ConfinedReport report;
  absl::Duration deadline;
  // A busy machine may need more than 3 s to come to where it hangs.
  for (const int seconds : {3, 30}) {
    deadline = absl::Seconds(seconds);
    report = LoadHostile("crowds_descriptors_init", deadline);
    if (!report.output.empty()) break;
  }
  EXPECT_THAT(
      Findings(report),
      ElementsAre(
          AllOf(StartsWith("FSP206: scheme 'hostile': "),
                HasSubstr("within " + absl::FormatDuration(deadline))),
          MatchesRegex("FSP208: .* left [0-9]+ processes running, .*")));
  EXPECT_EQ(kill(HiddenProcess(report), 0), -1);
}

TEST(ConfinedAttacks, NoneOfAChainOfProcessesOutlivesTheCheck) {
  const ConfinedReport report = LoadHostile("hides_in_a_chain_entry");
  EXPECT_THAT(
      Findings(report),
      ElementsAre(
          "FSP208: the plugin left 900 processes running, which the check "
          "killed; they would have outlived a host"));
  EXPECT_EQ(kill(HiddenProcess(report), 0), -1);
}

TEST(ConfinedAttacks, NoExitCodeIsTakenForTheEndOfACheck) {
  for (const char* name : {"exits_77_exit", "quick_exits_77_fini"}) {
    const ConfinedReport report = LoadHostile(name);
    EXPECT_THAT(Findings(report),
                ElementsAre(StartsWith("FSP204: its exit handlers called ")))
        << name;
    EXPECT_EQ(report.load.status.code(), absl::StatusCode::kFailedPrecondition)
        << name;
  }
}

TEST(ConfinedAttacks, WhoeverChangesTheMessagesIsBlamedForIt) {
  for (const char* name :
       {"overstates_messages_cleanup", "empties_messages_fini"}) {
    const ConfinedReport report = LoadHostile(name);
    EXPECT_THAT(Findings(report),
                ElementsAre(StartsWith("FSP299: the report on the plugin ")))
        << name;
    EXPECT_EQ(report.load.status.code(), absl::StatusCode::kFailedPrecondition)
        << name;
  }
}

TEST(ConfinedAttacks, WhoTakesAllDescriptorsIsFoundInEachPhase) {
  EXPECT_THAT(Findings(LoadHostile("takes_descriptors_init")),
              ElementsAre(MatchesRegex(
                  "FSP297: scheme 'hostile': init used up all [0-9]+ file "
                  "descriptors of the process; the host could open no files")));
  EXPECT_THAT(Findings(LoadHostile("takes_descriptors_cleanup")),
              ElementsAre(StartsWith("FSP297: scheme 'hostile': cleanup used "
                                     "up all ")));
}

TEST(ConfinedAttacks, WhoTakesAllDescriptorsHidesNothingElse) {
  EXPECT_THAT(Findings(LoadHostile("hides_umask_cleanup")),
              ElementsAre(StartsWith("FSP297: scheme 'hostile': "),
                          StartsWith("FSP215: scheme 'hostile': cleanup "
                                     "changed the umask: ")));
}

TEST(ConfinedAttacks, GetLittleMemoryThatNobodyCanCount) {
  EXPECT_THAT(
      Findings(LoadHostile("hoards_memory_entry")),
      ElementsAre(
          StartsWith("FSP213: TF_InitPlugin called mmap for more than 1024 MiB "
                     "of shared memory, which a check refuses but a host "
                     "allows; `fsload check --no-isolation` allows every call"),
          StartsWith("FSP213: TF_InitPlugin called socketpair more than "
                     "64 times, which"),
          StartsWith("FSP213: TF_InitPlugin called memfd_create more "
                     "than 64 times, which")));
}

TEST(ConfinedAttacks, TellThatMoreCallsWereRefusedThanAreListed) {
  const ConfinedReport report = LoadHostile("tries_many_calls_entry");
  constexpr size_t kListed = 20;
  EXPECT_THAT(Findings(report), SizeIs(kListed + 1));
  EXPECT_EQ(
      Findings(report).back(),
      "FSP213: TF_InitPlugin made more than 20 kinds of call that a check "
      "refuses but a host allows; the first 20 are listed");
}

}  // namespace
}  // namespace fsload
