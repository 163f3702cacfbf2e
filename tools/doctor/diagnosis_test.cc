#include "tools/doctor/diagnosis.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_plugin_folder.h"

namespace fsload {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

bool IsProblem(const DiagnosisStep& step) {
  return step.verdict == StepVerdict::kProblem;
}

std::vector<std::string> Lines(const std::vector<DiagnosisStep>& steps) {
  std::vector<std::string> lines;
  for (const DiagnosisStep& step : steps) {
    const char* const verdict = step.verdict == StepVerdict::kOk ? "ok"
                                : step.verdict == StepVerdict::kNote
                                    ? "note"
                                    : "problem";
    lines.push_back(std::string(verdict) + " " + step.what + ": " + step.found +
                    " -> " + step.repair);
  }
  return lines;
}

class DiagnosisTest : public testing::Test {
 protected:
  DiagnosisTest() { unsetenv("HADOOP_HDFS_HOME"); }

  std::string Put(const std::string& from, const std::string& file) {
    return folder_.Put(from, file);
  }

  static std::vector<DiagnosisStep> Find(const std::string& uri,
                                         bool stub_missing_functions = false) {
    CatalogOptions catalog_options;
    catalog_options.load.stub_missing_functions = stub_missing_functions;
    PluginCatalog catalog(catalog_options);
    DiagnosisOptions options;
    options.load.stub_missing_functions = stub_missing_functions;
    options.deadline = absl::Seconds(60);
    return Diagnose(uri, catalog, options);
  }

  const TestPluginFolder folder_;
};

TEST_F(DiagnosisTest, FindsNothingWrongWithWhatWorks) {
  const std::string path = Put("testdata/minimal.so", "m.so");
  const std::vector<DiagnosisStep> steps = Find("minimal:///");
  EXPECT_TRUE(AllIsWell(steps));
  EXPECT_THAT(Lines(steps),
              Contains("ok plugin: m, " + path + " (FSLOAD_PLUGIN_PATH) -> "));
  EXPECT_THAT(Lines(steps), Contains("ok stat: a directory -> "));
}

TEST_F(DiagnosisTest, ListsWhatElseServes) {
  const std::string used = Put("testdata/minimal.so", "a.so");
  const std::string other = Put("testdata/minimal.so", "b.so");
  const std::vector<std::string> lines = Lines(Find("minimal:///"));
  EXPECT_THAT(lines,
              Contains("ok plugin: a, " + used + " (FSLOAD_PLUGIN_PATH) -> "));
  EXPECT_THAT(lines,
              Contains("note plugin: " + other +
                       " (FSLOAD_PLUGIN_PATH) provides minimal:// too, and is "
                       "not used -> "));
}

TEST_F(DiagnosisTest, NamesWhatWasPassedOver) {
  const std::string path = Put("testdata/linking/missing_library.so", "a.so");
  EXPECT_THAT(Lines(Find("other://x")),
              Contains(HasSubstr("note plugin: " + path +
                                 " was passed over: FSP016: ")));
}

TEST_F(DiagnosisTest, SaysWhatToInstallAndWhichVariablesToSet) {
  const std::vector<DiagnosisStep> steps = Find("gs://bucket/");
  EXPECT_FALSE(AllIsWell(steps));
  EXPECT_THAT(
      Lines(steps),
      Contains("problem plugin: no plugin for gs:// is installed -> pip "
               "install tensorflow-io-gcs-filesystem==0.37.1, or name its "
               "wheel with --plugin or in FSLOAD_PLUGIN_PATH"));
  EXPECT_THAT(
      Lines(steps),
      Contains(
          "problem variable: GCS_STAT_CACHE_MAX_ENTRIES (entries in the stat "
          "cache) is not set: the plugin crashes on first use (SIGSEGV: it "
          "reads a null pointer) -> export GCS_STAT_CACHE_MAX_ENTRIES=100"));
}

TEST_F(DiagnosisTest, AVariableThatIsSetIsNoProblemAndIsNotTold) {
  setenv("GCS_STAT_CACHE_MAX_ENTRIES", "a secret", 1);
  const std::vector<std::string> lines = Lines(Find("gs://bucket/"));
  unsetenv("GCS_STAT_CACHE_MAX_ENTRIES");
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find("GCS_STAT_CACHE_MAX_ENTRIES"), std::string::npos);
    EXPECT_EQ(line.find("a secret"), std::string::npos);
  }
  EXPECT_THAT(
      lines,
      Contains("ok variable: 1 of the 10 variables that the gs plugin reads "
               "are set -> "));
}

// A file of another processor; the dynamic linker's code is not needed.
std::string ForAnotherProcessor() {
  std::string bytes = ReadFile("testdata/minimal.so");
  constexpr int kSparc = 43;
  bytes.at(offsetof(Elf64_Ehdr, e_machine)) = kSparc;
  bytes.at(offsetof(Elf64_Ehdr, e_machine) + 1) = 0;
  return bytes;
}

TEST_F(DiagnosisTest, APluginForAnotherProcessorIsTheOnlyProblem) {
  const std::string path =
      folder_.path() + "/libtensorflow_io_gcs_filesystem.so";
  WriteFile(path, ForAnotherProcessor());
  const std::vector<DiagnosisStep> steps = Find("gs://bucket/");
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.front().verdict, StepVerdict::kProblem);
  EXPECT_THAT(steps.front().found, StartsWith(path + ": FSP007: it is for "));
  EXPECT_THAT(steps.front().repair,
              StartsWith("pip install tensorflow-io-gcs-filesystem"));
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(), IsProblem), 1);
}

TEST_F(DiagnosisTest, APluginOfTheUserForAnotherProcessorIsTheOnlyProblem) {
  const std::string path = FreshCopy("testdata/minimal.so");
  WriteFile(path, ForAnotherProcessor());
  PluginCatalog catalog{CatalogOptions()};
  DiagnosisOptions options;
  options.plugins = {{"mine", path, [](const LoadOptions&) {
                        ADD_FAILURE() << "it is loaded";
                        return LoadReport();
                      }}};
  const std::vector<DiagnosisStep> steps =
      Diagnose("gs://bucket/", catalog, options);
  ASSERT_FALSE(steps.empty());
  EXPECT_THAT(steps.front().found, StartsWith(path + ": FSP007: it is for "));
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(), IsProblem), 1);
}

TEST_F(DiagnosisTest, NamesTheLibraryThatAPluginLacks) {
  Put("testdata/linking/missing_library.so", "libtensorflow_io_plugins.so");
  EXPECT_THAT(Lines(Find("s3://bucket/")),
              Contains(HasSubstr(
                  "FSP016: 1 library that the plugin needs is missing: ")));
}

TEST_F(DiagnosisTest, NamesTheSymbolThatAPluginLacks) {
  Put("testdata/linking/undefined_symbol.so", "libtensorflow_io_plugins.so");
  EXPECT_THAT(
      Lines(Find("s3://bucket/")),
      Contains(HasSubstr(
          "problem plugin: " + folder_.path() +
          "/libtensorflow_io_plugins.so: FSP019: 1 symbol is undefined: "
          "'FsloadTestUndefined'")));
}

TEST_F(DiagnosisTest, NamesTheFunctionThatAnOperationLacks) {
  Put("testdata/linking/missing_in_op.so", "m.so");
  const std::vector<std::string> lines =
      Lines(Find("missinginop://x", /*stub_missing_functions=*/true));
  EXPECT_THAT(lines, Contains(HasSubstr("note symbol: 1 imported function is "
                                        "undefined: '"
                                        "tsl::FsloadTestMissing")));
  EXPECT_THAT(lines, Contains(HasSubstr("problem symbol: UNIMPLEMENTED: ")));
}

TEST_F(DiagnosisTest, MissingFunctionsAreNoProblemForWhoCallsNone) {
  Put("testdata/linking/missing_in_op.so", "m.so");
  EXPECT_THAT(
      Lines(Find("missinginop.other://x", /*stub_missing_functions=*/true)),
      testing::Not(Contains(HasSubstr("problem symbol"))));
}

TEST_F(DiagnosisTest, SaysWhereAPluginCrashes) {
  Put("testdata/hostile_crashes_children.so", "h.so");
  const std::vector<DiagnosisStep> steps = Find("hostile://x/deed");
  EXPECT_FALSE(AllIsWell(steps));
  EXPECT_THAT(
      Lines(steps),
      Contains(HasSubstr("problem crash: get_children crashed with SIGSEGV "
                         "(segmentation fault) at address 0x8, in ")));
}

TEST_F(DiagnosisTest, SaysThatAPluginsOwnLibraryIsMissing) {
  // Any plugin: only the scheme determines what it opens.
  DiagnosisOptions options;
  options.plugins.push_back(
      {"a plugin", "testdata/minimal.so", [](const LoadOptions& load) {
         return LoadPlugin("testdata/minimal.so", load);
       }});
  PluginCatalog catalog({});
  EXPECT_THAT(Lines(Diagnose("hdfs://x/", catalog, options)),
              Contains(HasSubstr("problem libhdfs.so: NOT_FOUND: libhdfs.so: "
                                 "cannot open shared object file")));
}

TEST_F(DiagnosisTest, SaysWhatToDoAboutAnAnswer) {
  Put("testdata/minimal.so", "m.so");
  EXPECT_THAT(Lines(Find("minimal:///no/such")),
              Contains(HasSubstr("-> check the name, including the bucket")));
}

}  // namespace
}  // namespace fsload
