// What happens to a report that a plugin's process overwrote: however the
// messages of a real load are changed, they verify no plugin.
#include "loader/confined_load/make_confined_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"
#include "loader/confined_load/confined_load.h"
#include "loader/report/load_report_json.h"
#include "loader/rules/findings.h"
#include "loader/supervision/crash_reporter.h"
#include "loader/supervision/shared_messages.h"
#include "loader/supervision/supervised_child.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kRight[] = "testdata/memory.so";

LoadReport RealReport(const std::string& path) {
  return LoadConfined(
             path,
             [&path](const LoadOptions& options) {
               return LoadPlugin(path, options);
             },
             absl::Minutes(1))
      .load;
}

const LoadReport& RightReport() {
  static const auto* const report = new LoadReport(RealReport(kRight));
  return *report;
}

// The lines that a load with the report `report` writes.
std::vector<std::string> LinesOf(const std::string& report) {
  return {"confined no core dumps",
          "phase 0 ",
          "phase 1 ",
          "phase 2 ",
          "phase 3 ",
          "phase 4 ",
          "phase 5 memory",
          "report " + report,
          "phase 6 memory",
          "phase 7 ",
          "exit 77"};
}

ConfinedReport Tell(const std::string& messages) {
  ChildOutcome outcome;
  outcome.messages = messages;
  outcome.exited = true;
  outcome.begun = true;
  outcome.exit_code = outcome.code_of_return = 77;
  return MakeConfinedReport("plugin", outcome, absl::Seconds(10));
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string RightMessages() {
  return Joined(LinesOf(PluginJsonText(RightReport())));
}

// A success must equal the report of the valid plugin in every part.
void ExpectRefusedOrRight(const std::string& messages,
                          const std::string& what) {
  const ConfinedReport reported = Tell(messages);
  if (!reported.load.status.ok()) {
    EXPECT_FALSE(absl::IsInternal(reported.load.status) &&
                 !reported.load.findings.empty())
        << what;
    return;
  }
  ASSERT_EQ(reported.load.schemes.size(), 1U) << what;
  const SchemeReport& scheme = reported.load.schemes[0];
  const SchemeReport& right = RightReport().schemes[0];
  EXPECT_TRUE(scheme.registered) << what;
  EXPECT_EQ(scheme.scheme, right.scheme) << what;
  EXPECT_EQ(
      scheme.present.size() + scheme.by_default.size() +
          scheme.unavailable.size(),
      right.present.size() + right.by_default.size() + right.unavailable.size())
      << what;
}

TEST(MakeConfinedReportTest, VerifiesByWholeMessages) {
  const ConfinedReport reported = Tell(RightMessages());
  EXPECT_EQ(reported.load.status, absl::OkStatus());
  EXPECT_THAT(reported.load.findings, IsEmpty());
  EXPECT_THAT(reported.confinement, ElementsAre("no core dumps"));
}

struct Damage {
  const char* what;
  std::vector<std::string> (*lines)(std::vector<std::string> lines);
};

class DamagedMessagesTest : public testing::TestWithParam<Damage> {};

TEST_P(DamagedMessagesTest, AreAFindingOfTheirOwn) {
  const ConfinedReport reported =
      Tell(Joined(GetParam().lines(LinesOf(PluginJsonText(RightReport())))));
  EXPECT_EQ(reported.load.status.code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_EQ(reported.load.findings.size(), 1U);
  EXPECT_EQ(reported.load.findings[0].rule, RuleId::kReportArrives);
  EXPECT_THAT(reported.load.findings[0].message, HasSubstr(GetParam().what));
}

using Lines = std::vector<std::string>;
constexpr size_t kReportLine = 7;

INSTANTIATE_TEST_SUITE_P(
    All, DamagedMessagesTest,
    testing::Values(Damage{"the report on the plugin is missing; ",
                           [](Lines lines) {
                             lines.erase(lines.begin() + kReportLine);
                             return lines;
                           }},
                    Damage{"the report on the plugin cannot be read; ",
                           [](Lines lines) {
                             lines[kReportLine] = "report {";
                             return lines;
                           }},
                    Damage{"the report on the plugin cannot be read; ",
                           [](Lines lines) {
                             lines[kReportLine].pop_back();
                             return lines;
                           }},
                    Damage{"there is a second report",
                           [](Lines lines) {
                             lines.insert(lines.begin(), lines[kReportLine]);
                             return lines;
                           }},
                    Damage{"a message is of an unknown kind",
                           [](Lines lines) {
                             lines.push_back("fine ");
                             return lines;
                           }},
                    Damage{"a phase is unknown",
                           [](Lines lines) {
                             lines[1] = "phase 9 ";
                             return lines;
                           }},
                    Damage{"was not cleaned up",
                           [](Lines lines) {
                             lines.erase(lines.begin() + kReportLine + 1);
                             return lines;
                           }},
                    Damage{"there are more than 4096 messages",
                           [](Lines lines) {
                             lines.insert(lines.end(), 5000, "phase 7 ");
                             return lines;
                           }},
                    Damage{"a message has more than 4096 bytes",
                           [](Lines lines) {
                             lines[0] = "confined " + std::string(5000, 'x');
                             return lines;
                           }},
                    Damage{"the process ended twice", [](Lines lines) {
                             lines.insert(lines.begin() + 2, "exit 0");
                             return lines;
                           }}));

// A plugin's name that contains a newline stays in its one message.
TEST(MakeConfinedReportTest, HasNoMessageInAName) {
  const auto messages = SharedMessages::Create();
  messages->Append("phase", "0 a\nreport {}");
  EXPECT_EQ(messages->Text(), "phase 0 a report {}\n");
}

// What looks like a C++ type's name is one only after _Z.
TEST(MakeConfinedReportTest, NamesCFunctionsAsTheyAre) {
  for (const std::string name : {"f", "h", "Pc", "main"}) {
    EXPECT_EQ(ReadCrash("crash 0 1 0x8 0x10 " + name + " 0x4 1 /proc/1/fd/3")
                  .location,
              "at address 0x8, in " + name + "+0x4 of the plugin");
  }
  EXPECT_EQ(ReadCrash("crash 0 0 0x0 0x10 _Z1fv 0x4 1 /proc/1/fd/3").location,
            "in f()+0x4 of the plugin");
}

// A slightly damaged file makes the dynamic linker itself crash.
TEST(MakeConfinedReportTest, BlamesTheFileWhereTheDynamicLinkerCrashes) {
  ChildOutcome outcome;
  outcome.signal = SIGSEGV;
  outcome.messages =
      "phase 0 \n"
      "crash 4 1 0x10 \n"
      "crash 4 1 0x10 0x1f2a _dl_relocate_object 0x3a 1 "
      "/lib64/ld-linux-x86-64.so.2\n";
  const LoadReport report =
      MakeConfinedReport("plugin", outcome, absl::Seconds(10)).load;
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(
      ToString(report.findings[0]),
      "FSP005: the dynamic linker crashed while it opened the file, before any "
      "of its code ran: SIGSEGV (segmentation fault) at address 0x10, in "
      "_dl_relocate_object+0x3a of ld-linux-x86-64.so.2; the file is damaged: "
      "copy or download it again");
}

TEST(MakeConfinedReportTest, TakesNoSilenceForASuccess) {
  ChildOutcome outcome;
  outcome.exited = true;
  EXPECT_EQ(MakeConfinedReport("plugin", outcome, absl::Seconds(10))
                .load.status.code(),
            absl::StatusCode::kInternal);
  EXPECT_EQ(Tell("").load.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Tell("").load.findings.size(), 1);
  EXPECT_FALSE(Tell("phase 7 \nexit 77\n").load.status.ok());
}

TEST(MakeConfinedReportTest, VerifiesByNoPartOfTheMessages) {
  const std::string whole = RightMessages();
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_FALSE(Tell(whole.substr(0, bytes)).load.status.ok()) << bytes;
  }
}

TEST(MakeConfinedReportTest, VerifiesByNoMessagesWithAnotherByte) {
  const std::string whole = RightMessages();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '\n', '"', '0'}) {
      std::string changed = whole;
      changed[at] = byte;
      ExpectRefusedOrRight(changed, std::to_string(at));
    }
  }
}

TEST(MakeConfinedReportTest, VerifiesByNoReportWithAnotherPart) {
  const nlohmann::json whole = PluginJson(RightReport());
  const nlohmann::json parts = whole.flatten();
  for (const auto& [pointer, value] : parts.items()) {
    for (const nlohmann::json& other :
         {nlohmann::json(), nlohmann::json(-1), nlohmann::json(""),
          nlohmann::json(true), nlohmann::json(false), nlohmann::json::array(),
          nlohmann::json::object()}) {
      nlohmann::json changed = whole;
      changed[nlohmann::json::json_pointer(pointer)] = other;
      ExpectRefusedOrRight(Joined(LinesOf(changed.dump())), pointer);
    }
  }
}

// Any change in one place of a refusal leaves it a refusal.
TEST(MakeConfinedReportTest, MakesNoSuccessOfARefusal) {
  for (const char* name : {"wrong_abi", "init_fails", "no_schemes", "no_entry",
                           "second_init_fails", "repeated_scheme"}) {
    const LoadReport report =
        RealReport("testdata/broken_" + std::string(name) + ".so");
    ASSERT_FALSE(report.status.ok()) << name;
    const nlohmann::json whole = PluginJson(report);
    const nlohmann::json parts = whole.flatten();
    for (const auto& [pointer, value] : parts.items()) {
      for (const nlohmann::json& other :
           {nlohmann::json(), nlohmann::json(0), nlohmann::json("verified"),
            nlohmann::json("FSP113"), nlohmann::json(true),
            nlohmann::json::array()}) {
        nlohmann::json changed = whole;
        changed[nlohmann::json::json_pointer(pointer)] = other;
        EXPECT_FALSE(Tell(Joined(LinesOf(changed.dump()))).load.status.ok())
            << name << " " << pointer << " " << other;
      }
    }
    nlohmann::json without = whole;
    without["findings"] = nlohmann::json::array();
    without["status"] = {{"code", 0}, {"name", "OK"}, {"message", ""}};
    without["verdict"] = "verified";
    EXPECT_FALSE(Tell(Joined(LinesOf(without.dump()))).load.status.ok())
        << name;
  }
}

}  // namespace
}  // namespace fsload
