// Loading, reports, finding plugins, and retiring.
#include "fsload/c/registry.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fsload/c/paths.h"
#include "fsload/c/report.h"
#include "fsload/scheme_registry.h"
#include "loader/c_api/c_api_fixture.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_plugin_folder.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CApiRegistryTest : public CApiTest {
 protected:
  ~CApiRegistryTest() override { fsload_report_free(report_); }

  fsload_code LoadInto(fsload_registry* registry, const char* path,
                       const fsload_load_options* options = nullptr) {
    fsload_report_free(report_);
    // As in CApiTest::Load: the first load of a plugin decides for the process.
    fsload_load_options trusting = {};
    trusting.struct_size = sizeof(trusting);
    trusting.allow_damaging_operations = 1;
    return fsload_load(registry, path, options == nullptr ? &trusting : options,
                       &report_, &error_);
  }

  std::vector<std::string> Schemes(fsload_registry* registry) {
    fsload_strings* schemes = nullptr;
    EXPECT_EQ(fsload_schemes(registry, &schemes, &error_), FSLOAD_OK);
    std::vector<std::string> texts = TextsOf(schemes);
    fsload_strings_free(schemes);
    return texts;
  }

  fsload_report* report_ = nullptr;
};

TEST_F(CApiRegistryTest, LoadsAndReports) {
  EXPECT_THAT(Schemes(registry_), IsEmpty());
  ASSERT_EQ(LoadInto(registry_, "testdata/minimal.so"), FSLOAD_OK) << Why();
  EXPECT_EQ(error_, nullptr);
  EXPECT_THAT(Schemes(registry_), ElementsAre("minimal"));
  EXPECT_EQ(fsload_report_code(report_), FSLOAD_OK);
  EXPECT_STREQ(fsload_report_message(report_), "");
  EXPECT_STREQ(fsload_report_plugin(report_), "testdata/minimal.so");
  ASSERT_EQ(fsload_report_scheme_count(report_), 1);
  const fsload_scheme& scheme = *fsload_report_scheme(report_, 0);
  EXPECT_STREQ(scheme.scheme, "minimal");
  EXPECT_EQ(scheme.registered, 1);
  EXPECT_THAT(TextsOf(scheme.own_operations), Contains("Filesystem.stat"));
  EXPECT_THAT(TextsOf(scheme.default_operations),
              Contains("Filesystem.copy_file"));
  EXPECT_THAT(TextsOf(scheme.unavailable_operations),
              Contains("Filesystem.start_transaction"));
  EXPECT_EQ(fsload_report_scheme(report_, 1), nullptr);
}

TEST_F(CApiRegistryTest, LoadsIntoAProcessOfItsOwn) {
  const char* const environment[] = {"FSLOAD_TEST_SETTING=a", "HOME", nullptr};
  fsload_isolation isolation = {};
  isolation.struct_size = sizeof(isolation);
  isolation.call_timeout = 10;
  isolation.environment = environment;
  const char* const scheme_as[] = {"memory=other", nullptr};
  fsload_load_options options = {};
  options.struct_size = sizeof(options);
  options.isolation = &isolation;
  options.scheme_as = scheme_as;
  ASSERT_EQ(LoadInto(registry_, "testdata/memory.so", &options), FSLOAD_OK)
      << Why();
  EXPECT_THAT(Schemes(registry_), ElementsAre("other"));
  EXPECT_EQ(fsload_create_directory(registry_, "other:///d", &error_),
            FSLOAD_OK);

  const char* const nowhere[] = {"/tmp", "/no/such/folder", nullptr};
  isolation.confined = 1;
  isolation.writable_folders = nowhere;
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &options),
            FSLOAD_FAILED_PRECONDITION);
  EXPECT_THAT(Why(), HasSubstr("/no/such/folder: a plugin cannot be allowed"));
  isolation.confined = 0;
  isolation.writable_folders = nullptr;

  isolation.memory_limit = 1;
  EXPECT_NE(LoadInto(registry_, "testdata/memory.so", &options), FSLOAD_OK);
  EXPECT_THAT(Why(), HasSubstr("memory_limit allows the plugin's process 1 "));
  isolation.memory_limit = 0;

  isolation.call_timeout = -1;
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &options),
            FSLOAD_INVALID_ARGUMENT);
  isolation.call_timeout = 0;
  isolation.worker = "/bin/true";
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &options),
            FSLOAD_UNAVAILABLE);
  EXPECT_THAT(Why(), HasSubstr("/bin/true did not say its version"));
  const char* const no_pair[] = {"memory", nullptr};
  options.scheme_as = no_pair;
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &options),
            FSLOAD_INVALID_ARGUMENT);
  EXPECT_THAT(Why(), HasSubstr("'memory' is not SCHEME=NAME"));
}

TEST_F(CApiRegistryTest, ReportsWhyAPluginIsRefused) {
  const char* const path = "testdata/broken_wrong_abi.so";
  ASSERT_EQ(LoadInto(registry_, path), FSLOAD_FAILED_PRECONDITION);
  ASSERT_EQ(fsload_report_finding_count(report_), 1);
  const fsload_finding& finding = *fsload_report_finding(report_, 0);
  EXPECT_EQ(finding.struct_size, sizeof(finding));
  EXPECT_STREQ(finding.rule, "FSP115");
  EXPECT_EQ(finding.severity, FSLOAD_MUST);
  EXPECT_STREQ(finding.scheme, "broken");
  EXPECT_EQ(finding.has_numbers, 1);
  EXPECT_EQ(finding.wanted, 0);
  EXPECT_EQ(finding.found, 99);
  EXPECT_THAT(finding.message, HasSubstr("wanted ABI 0, found 99"));
  EXPECT_THAT(finding.title, HasSubstr("ABI"));
  EXPECT_STRNE(finding.repair, "");
  EXPECT_EQ(fsload_report_finding(report_, 1), nullptr);
  EXPECT_EQ(Why(), fsload_report_message(report_));
  EXPECT_THAT(Why(), ::testing::StartsWith(std::string(path) + ": FSP115: "));
  EXPECT_THAT(
      fsload_report_text(report_),
      ::testing::StartsWith(std::string(path) + ": refused\n  error FSP115: "));
  EXPECT_THAT(Schemes(registry_), IsEmpty());
}

TEST_F(CApiRegistryTest, ReportsAsJson) {
  ASSERT_EQ(LoadInto(registry_, "testdata/memory.so"), FSLOAD_OK) << Why();
  const auto json = nlohmann::json::parse(fsload_report_json(report_));
  EXPECT_EQ(json.at("verdict"), "verified");
  EXPECT_EQ(json.at("schemes").at(0).at("scheme"), "memory");
  EXPECT_EQ(json.at("confinement"), nlohmann::json::array());
}

TEST_F(CApiRegistryTest, EscapesControlCharactersInText) {
  ASSERT_EQ(LoadInto(registry_, "/no\x1b[31m/such.so"), FSLOAD_NOT_FOUND);
  EXPECT_THAT(fsload_report_text(report_),
              ::testing::StartsWith("/no\\x1b[31m/such.so: refused\n"));
}

TEST_F(CApiRegistryTest, ReplacesTheErrorOfTheCallBefore) {
  EXPECT_EQ(LoadInto(registry_, "/none/a.so"), FSLOAD_NOT_FOUND);
  EXPECT_THAT(Why(), HasSubstr("/none/a.so"));
  EXPECT_EQ(LoadInto(registry_, "/none/b.so"), FSLOAD_NOT_FOUND);
  EXPECT_THAT(Why(), HasSubstr("/none/b.so"));
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so"), FSLOAD_OK);
  EXPECT_EQ(error_, nullptr);
  EXPECT_EQ(Why(), "");
}

TEST_F(CApiRegistryTest, RefusesWarningsIfAsked) {
  fsload_load_options options = {};
  options.struct_size = sizeof(options);
  EXPECT_EQ(LoadInto(registry_, "testdata/broken_newer_api.so", &options),
            FSLOAD_OK)
      << Why();
  options.warnings_as_errors = 1;
  fsload_registry* other = nullptr;
  ASSERT_EQ(fsload_registry_new(&other, &error_), FSLOAD_OK);
  EXPECT_EQ(LoadInto(other, "testdata/broken_newer_api.so", &options),
            FSLOAD_FAILED_PRECONDITION);
  fsload_registry_free(other);
}

TEST_F(CApiRegistryTest, LoadsOnlyWhatTheAllowListHas) {
  const std::string list = NewPath("list");
  WriteFile(list, std::string(64, '0') + "  nothing\n");
  fsload_load_options options = {};
  options.struct_size = sizeof(options);
  options.allow_list = list.c_str();
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &options),
            FSLOAD_PERMISSION_DENIED);
}

// Sizes of options: that of the first release, larger ones, and wrong ones.
TEST_F(CApiRegistryTest, TakesOptionsOfOtherReleasesUnlessTheySetMore) {
  struct {
    fsload_load_options known = {};
    int64_t unknown = 0;
  } grown;
  grown.known.struct_size = sizeof(grown);
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &grown.known), FSLOAD_OK)
      << Why();
  grown.unknown = 1;
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &grown.known),
            FSLOAD_INVALID_ARGUMENT);
  EXPECT_EQ(Why(),
            "fsload_load_options: something is set beyond the first 64 bytes, "
            "which are all that fsload " FSLOAD_VERSION
            " knows; it may be older than the program's header");
  EXPECT_EQ(report_, nullptr);
  grown.known.struct_size = 40;
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so", &grown.known),
            FSLOAD_INVALID_ARGUMENT);
  EXPECT_EQ(Why(),
            "fsload_load_options: wanted a struct_size of at least 48, found "
            "40; set it to sizeof(fsload_load_options)");
}

TEST_F(CApiRegistryTest, HasTheRegistryOfCxxWithoutOne) {
  ASSERT_EQ(LoadInto(nullptr, "testdata/memory.so"), FSLOAD_OK) << Why();
  EXPECT_THAT(SchemeRegistry::Default().Schemes(), ElementsAre("memory"));
  EXPECT_THAT(Schemes(nullptr), ElementsAre("memory"));
  EXPECT_EQ(fsload_retire(nullptr, "memory", 5, &error_), FSLOAD_OK) << Why();
  EXPECT_THAT(Schemes(nullptr), IsEmpty());
  EXPECT_EQ(fsload_retire(nullptr, "memory", 5, &error_), FSLOAD_NOT_FOUND);
}

TEST_F(CApiRegistryTest, RegistersAnewWhatWasRetired) {
  ASSERT_EQ(LoadInto(registry_, "testdata/memory.so"), FSLOAD_OK);
  ASSERT_EQ(fsload_retire_all(registry_, 5, &error_), FSLOAD_OK) << Why();
  EXPECT_EQ(LoadInto(registry_, "testdata/memory.so"), FSLOAD_OK) << Why();
  EXPECT_THAT(Schemes(registry_), ElementsAre("memory"));
}

TEST_F(CApiRegistryTest, RefusesToWaitForLessThanNoTime) {
  for (const double seconds : {-1.0, static_cast<double>(NAN)}) {
    EXPECT_EQ(fsload_retire_all(registry_, seconds, &error_),
              FSLOAD_INVALID_ARGUMENT);
    EXPECT_EQ(Why(), "fsload_retire_all: seconds must be 0 or more");
  }
  EXPECT_EQ(fsload_retire_all(registry_, INFINITY, &error_), FSLOAD_OK);
}

TEST_F(CApiRegistryTest, FindsAndLoadsThePluginOfAScheme) {
  const TestPluginFolder folder;
  folder.Put("testdata/memory.so", "memory.so");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(fsload_find_or_load(registry_, "memory:///a", nullptr, &error_),
              FSLOAD_OK)
        << Why();
  }
  EXPECT_FALSE(Exists("memory:///a"));
}

TEST_F(CApiRegistryTest, FindsThePluginOfEachNameThatTheUsersFileGives) {
  const TestPluginFolder folder;
  folder.Put("testdata/memory.so", "memory.so");
  const SchemesFile file(
      "[left]\nscheme = \"memory\"\n[right]\nscheme = \"memory\"");
  for (const char* const uri : {"left:///a", "right:///a", "left:///b"}) {
    EXPECT_EQ(fsload_find_or_load(registry_, uri, nullptr, &error_), FSLOAD_OK)
        << Why();
  }
  EXPECT_THAT(Schemes(registry_), ElementsAre("left", "right"));
  EXPECT_EQ(fsload_create_directory(registry_, "left:///d", &error_), FSLOAD_OK)
      << Why();
  EXPECT_TRUE(Exists("left:///d"));
  EXPECT_FALSE(Exists("right:///d"));
}

TEST_F(CApiRegistryTest, SaysWhichLineOfTheUsersFileIsWrong) {
  const SchemesFile file("[left]\nscheme = 1");
  EXPECT_EQ(fsload_find_or_load(registry_, "left:///a", nullptr, &error_),
            FSLOAD_INVALID_ARGUMENT);
  EXPECT_THAT(Why(), HasSubstr(file.path() +
                               ": line 2: [left] scheme is not a scheme"));
  EXPECT_THAT(Schemes(registry_), IsEmpty());
}

TEST_F(CApiRegistryTest, SaysWhatToInstallForAKnownScheme) {
  const TestPluginFolder folder;
  EXPECT_EQ(fsload_find_or_load(registry_, "s3://bucket/a", nullptr, &error_),
            FSLOAD_NOT_FOUND);
  EXPECT_THAT(Why(), HasSubstr("pip install tensorflow-io"));
}

}  // namespace
}  // namespace fsload
