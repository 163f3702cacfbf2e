#include "tools/doctor/uri_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

ProbeOptions OptionsFor(const std::string& path) {
  ProbeOptions options;
  options.load = [path](const LoadOptions& load) {
    return LoadPlugin(path, load);
  };
  options.deadline = absl::Seconds(60);
  return options;
}

ProbeReport Probe(const std::string& uri, const ProbeOptions& options) {
  auto report = ProbeUri(uri, options);
  EXPECT_TRUE(report.ok()) << report.status();
  return *std::move(report);
}

std::vector<std::string> WhatWasAnswered(const ProbeReport& report) {
  std::vector<std::string> lines;
  for (const ProbeAnswer& answer : report.answers) {
    lines.push_back(answer.what + ": " +
                    (answer.status.ok()
                         ? answer.found
                         : absl::StatusCodeToString(answer.status.code())));
  }
  return lines;
}

TEST(UriProbeTest, AsksAboutAFile) {
  const std::string path = NewPath("file");
  WriteFile(path, "text");
  const ProbeReport report =
      Probe("minimal://" + path, OptionsFor("testdata/minimal.so"));
  EXPECT_THAT(
      WhatWasAnswered(report),
      ElementsAre("load: done", "scheme: registered", "path_exists: it exists",
                  "stat: a file of 4 bytes", "read: its first 4 bytes"));
  EXPECT_EQ(report.crash, "");
}

TEST(UriProbeTest, RefusesWhatVerbsRefuse) {
  const std::string path = NewPath("file");
  WriteFile(path, "text");
  const ProbeReport report =
      Probe("minimal://" + path + "/", OptionsFor("testdata/minimal.so"));
  EXPECT_THAT(report.answers.back().what, "uri");
  EXPECT_THAT(std::string(report.answers.back().status.message()),
              HasSubstr("is a file, not a directory"));
}

TEST(UriProbeTest, AsksAboutAFolder) {
  const std::string path = NewPath("folder");
  WriteFile(path + "/a", "");
  WriteFile(path + "/b", "");
  const ProbeReport report =
      Probe("minimal://" + path, OptionsFor("testdata/minimal.so"));
  EXPECT_THAT(
      WhatWasAnswered(report),
      ElementsAre("load: done", "scheme: registered", "path_exists: it exists",
                  "stat: a directory", "get_children: 2 names"));
}

TEST(UriProbeTest, TellsWhatThePluginSaysOfNothing) {
  const ProbeReport report =
      Probe("minimal:///no/such", OptionsFor("testdata/minimal.so"));
  EXPECT_THAT(WhatWasAnswered(report),
              ElementsAre("load: done", "scheme: registered",
                          "path_exists: NOT_FOUND"));
  EXPECT_THAT(std::string(report.answers[2].status.message()),
              HasSubstr("No such file or directory"));
}

TEST(UriProbeTest, TellsWhyAPluginIsRefused) {
  const ProbeReport report =
      Probe("broken://x", OptionsFor("testdata/broken_wrong_abi.so"));
  ASSERT_EQ(report.answers.size(), 1);
  EXPECT_EQ(report.answers[0].what, "load");
  EXPECT_THAT(std::string(report.answers[0].status.message()),
              HasSubstr("FSP115"));
  EXPECT_EQ(report.crash, "");
}

TEST(UriProbeTest, TellsThatAPluginHasAnotherScheme) {
  const ProbeReport report =
      Probe("other://x", OptionsFor("testdata/minimal.so"));
  EXPECT_THAT(WhatWasAnswered(report),
              ElementsAre("load: done", "scheme: NOT_FOUND"));
}

TEST(UriProbeTest, AsksNoMoreWhereTheFirstQuestionFails) {
  const ProbeReport report =
      Probe("deviant:///", OptionsFor("testdata/deviant_throws.so"));
  EXPECT_THAT(
      WhatWasAnswered(report),
      ElementsAre("load: done", "scheme: registered", "path_exists: INTERNAL"));
}

TEST(UriProbeTest, TellsWhereAPluginCrashes) {
  const struct {
    const char* point;
    const char* where;
  } cases[] = {
      {"entry", "TF_InitPlugin crashed with SIGSEGV "},
      {"init", "init of scheme 'hostile' crashed with SIGSEGV "},
      {"children", "get_children crashed with SIGSEGV "},
  };
  for (const auto& each : cases) {
    const ProbeReport report =
        Probe("hostile://x/deed",
              OptionsFor(std::string("testdata/hostile_crashes_") + each.point +
                         ".so"));
    EXPECT_THAT(report.crash, StartsWith(each.where));
    EXPECT_THAT(report.crash, HasSubstr("at address 0x8, in hostile::Crash()"));
    EXPECT_FALSE(report.hung);
  }
}

TEST(UriProbeTest, TellsThatAPluginEndsItsProcess) {
  const ProbeReport report = Probe(
      "hostile://x/deed", OptionsFor("testdata/hostile_exits_children.so"));
  EXPECT_EQ(report.crash, "get_children ended the process with exit code 0");
}

TEST(UriProbeTest, EndsAPluginThatHangs) {
  ProbeOptions options = OptionsFor("testdata/hostile_hangs_children.so");
  options.deadline = absl::Seconds(2);
  const ProbeReport report = Probe("hostile://x/deed", options);
  EXPECT_EQ(report.crash,
            "get_children did not return within 2s, so its process was killed");
  EXPECT_TRUE(report.hung);
}

TEST(UriProbeTest, OpensTheLibraryThatThePluginWillOpen) {
  ProbeOptions options = OptionsFor("testdata/minimal.so");
  options.library = "libfsload_no_such.so";
  const ProbeReport missing = Probe("minimal:///", options);
  EXPECT_EQ(missing.answers[0].what, "libfsload_no_such.so");
  EXPECT_THAT(std::string(missing.answers[0].status.message()),
              HasSubstr("cannot open shared object file"));
  EXPECT_THAT(WhatWasAnswered(missing),
              ElementsAre("libfsload_no_such.so: NOT_FOUND", "load: done",
                          "scheme: registered"));

  options.library = "libm.so.6";
  EXPECT_TRUE(Probe("minimal:///", options).answers[0].status.ok());

  options.library = "libfsload_test_neighbour.so";
  options.library_folder = "testdata/linking";
  EXPECT_EQ(Probe("minimal:///", options).answers[0].found,
            "opened as testdata/linking/libfsload_test_neighbour.so");

  // It exists, but needs a library that does not.
  options.library = "missing_library.so";
  EXPECT_THAT(
      std::string(Probe("minimal:///", options).answers[0].status.message()),
      testing::Not(HasSubstr("missing_library.so: cannot open")));
}

}  // namespace
}  // namespace fsload
