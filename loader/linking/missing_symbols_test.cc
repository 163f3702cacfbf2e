// Plugins that need what nobody defines, and get stubs for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/calls/missing_function.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/finding_texts.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string Missing(const std::string& name) {
  return FreshCopy("testdata/linking/missing_" + name + ".so");
}

// Demangled, and the result of a call.
constexpr char kFunction[] =
    "tsl::FsloadTestMissing(std::__cxx11::basic_string<char, "
    "std::char_traits<char>, std::allocator<char> > const&, double)";
const std::string kEnds =
    "the plugin called '" + std::string(kFunction) +
    "', which nothing in this process provides; the operation was aborted";
const std::string kWarning =
    "FSP038: no library defines 1 of the functions that the plugin calls: '" +
    std::string(kFunction) +
    "'; an operation that calls one fails with UNIMPLEMENTED";

absl::Status Lacking(const std::string& message) {
  absl::Status status = absl::UnimplementedError(message);
  MarkMissingFunction(status);
  return status;
}

class MissingSymbolsTest : public testing::Test {
 protected:
  MissingSymbolsTest() {
    options_.registry = &registry_;
    options_.stub_missing_functions = true;
  }
  ~MissingSymbolsTest() override {
    EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  }

  LoadReport Load(const std::string& path) {
    return LoadPlugin(path, options_);
  }

  absl::Status FileExists(const std::string& uri) {
    const auto found = registry_.Resolve(uri);
    return found.ok() ? (*found)->FileExists(uri) : found.status();
  }

  absl::Status CreateDir(const std::string& uri) {
    const auto found = registry_.Resolve(uri);
    return found.ok() ? (*found)->CreateDir(uri) : found.status();
  }

  SchemeRegistry registry_;
  LoadOptions options_;
};

TEST_F(MissingSymbolsTest, LoadsWithStubs) {
  const LoadReport report = Load(Missing("in_op"));
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(report.stubs, ElementsAre(kFunction));
  EXPECT_THAT(Texts(report.findings), ElementsAre(kWarning));
  EXPECT_THAT(report.imports, ElementsAre("TF_SetStatus"));
  EXPECT_EQ(report.status_provider, "fsload");
  EXPECT_THAT(registry_.Schemes(),
              ElementsAre("missinginop", "missinginop.other"));
}

TEST_F(MissingSymbolsTest, EndsTheOperationThatCallsWhatIsMissing) {
  ASSERT_EQ(Load(Missing("in_op")).status, absl::OkStatus());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(FileExists("missinginop://a/b"),
              Lacking("missinginop://a/b: " + kEnds + " (path_exists)"));
  }
}

TEST_F(MissingSymbolsTest, LeavesOtherOperationsAndSchemesAsTheyAre) {
  ASSERT_EQ(Load(Missing("in_op")).status, absl::OkStatus());
  ASSERT_FALSE(FileExists("missinginop://a/b").ok());
  EXPECT_EQ(CreateDir("missinginop://a"),
            absl::CancelledError("missinginop://a: not today (create_dir)"));
  EXPECT_EQ(FileExists("missinginop.other://a/b"),
            absl::NotFoundError(
                "missinginop.other://a/b: nothing here (path_exists)"));
}

TEST_F(MissingSymbolsTest, RunsTheDestructorsOfTheCallThatEnds) {
  ASSERT_EQ(Load(Missing("in_op")).status, absl::OkStatus());
  const PluginLog log;
  ASSERT_FALSE(FileExists("missinginop://a/b").ok());
  EXPECT_THAT(log.Lines(), ElementsAre("unwound"));
}

TEST_F(MissingSymbolsTest, TellsAPluginThatCatchesItsExceptions) {
  ASSERT_EQ(Load(Missing("in_caught_op")).status, absl::OkStatus());
  EXPECT_EQ(
      FileExists("missingincaughtop://a"),
      absl::AbortedError("missingincaughtop://a: " + kEnds + " (path_exists)"));
}

const std::string kInitEnds = "missingininit://: " + kEnds + " (init)";

TEST_F(MissingSymbolsTest, RegistersASchemeWhoseInitCallsWhatIsMissing) {
  const LoadReport report = Load(Missing("in_init"));
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(
      Texts(report.findings),
      ElementsAre(kWarning,
                  "FSP038: scheme 'missingininit': init failed: " + kEnds +
                      "; all operations of the scheme report this"));
  EXPECT_THAT(registry_.Schemes(),
              ElementsAre("missingininit", "missingininit.other"));
  EXPECT_EQ(FileExists("missingininit.other://a/b"),
            absl::NotFoundError(
                "missingininit.other://a/b: nothing here (path_exists)"));
}

TEST_F(MissingSymbolsTest, RefusesASchemeWhoseInitFailsForItsOwnReasons) {
  EXPECT_EQ(Load(Missing("beside")).status.code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

TEST_F(MissingSymbolsTest, SaysInEveryOperationThatInitCalledWhatIsMissing) {
  ASSERT_EQ(Load(Missing("in_init")).status, absl::OkStatus());
  const std::string uri = "missingininit://a/b";
  const auto file_system = *registry_.Resolve(uri);
  const auto saying = [&](const std::string& op) {
    return Lacking(uri + ": this scheme cannot be used: " + kInitEnds + " (" +
                   op + ")");
  };
  EXPECT_EQ(file_system->FileExists(uri), saying("path_exists"));
  EXPECT_EQ(file_system->Stat(uri).status(), saying("stat"));
  EXPECT_EQ(file_system->IsDirectory(uri).status(), saying("is_directory"));
  EXPECT_EQ(file_system->GetFileSize(uri).status(), saying("get_file_size"));
  EXPECT_EQ(file_system->GetChildren(uri).status(), saying("get_children"));
  EXPECT_EQ(file_system->CreateDir(uri), saying("create_dir"));
  EXPECT_EQ(file_system->DeleteFile(uri), saying("delete_file"));
  EXPECT_EQ(file_system->NewRandomAccessFile(uri).status(),
            saying("new_random_access_file"));
  EXPECT_EQ(file_system->NewWritableFile(uri).status(),
            saying("new_writable_file"));
}

TEST_F(MissingSymbolsTest, KeepsSayingSoAfterARetirement) {
  const std::string path = Missing("in_init");
  const std::vector<std::string> first = Texts(Load(path).findings);
  EXPECT_EQ(Texts(Load(path).findings), first);
  ASSERT_EQ(registry_.RetireAndWait("missingininit", absl::ZeroDuration()),
            absl::OkStatus());
  const LoadReport again = Load(path);
  EXPECT_EQ(again.status, absl::OkStatus());
  EXPECT_EQ(Texts(again.findings), first);
  EXPECT_THAT(std::string(FileExists("missingininit://a/b").message()),
              HasSubstr(kInitEnds));
}

TEST_F(MissingSymbolsTest, RefusesSuchASchemeWhereTheHostWantsThat) {
  options_.partial = true;
  options_.warnings_as_errors = true;
  EXPECT_FALSE(Load(Missing("in_init")).status.ok());
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

TEST_F(MissingSymbolsTest, RefusesAPluginWhoseEntryCallsWhatIsMissing) {
  EXPECT_THAT(Texts(Load(Missing("in_entry")).findings),
              ElementsAre(kWarning, "FSP101: TF_InitPlugin failed: " + kEnds +
                                        "; the plugin's schemes are unknown"));
}

TEST_F(MissingSymbolsTest, RefusesForAWarningWhereTheHostWantsThat) {
  options_.warnings_as_errors = true;
  const std::string path = Missing("in_op");
  EXPECT_EQ(Load(path).status,
            absl::FailedPreconditionError(path + ": " + kWarning));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

// --- Where no exception may pass ---

using MissingSymbolsDeathTest = MissingSymbolsTest;

// No exception can pass through the dynamic linker.
TEST_F(MissingSymbolsDeathTest, EndsTheProcessInAStaticInitialiser) {
  const std::string path = Missing("in_static");
  EXPECT_EXIT(Load(path), testing::ExitedWithCode(1),
              "fsload: fatal: .*missing_in_static.*: a static initialiser "
              "called 'tsl::FsloadTestMissing\\(.*\\)', which nothing in this "
              "process provides; nothing can be thrown through the dynamic "
              "linker, so the process ends\n$");
}

TEST_F(MissingSymbolsDeathTest, EndsTheProcessInAFunctionThatThrowsNothing) {
  ASSERT_EQ(Load(Missing("in_noexcept_op")).status, absl::OkStatus());
  // With a sanitizer, terminate() knows of no exception.
  EXPECT_DEATH(static_cast<void>(FileExists("missinginnoexceptop://a")),
               "MissingFunction.*the plugin called "
               "'tsl::FsloadTestMissing\\(|without an active exception");
}

TEST_F(MissingSymbolsDeathTest, EndsTheProcessInAThreadOfThePlugin) {
  ASSERT_EQ(Load(Missing("in_thread")).status, absl::OkStatus());
  EXPECT_DEATH(static_cast<void>(FileExists("missinginthread://a")),
               "MissingFunction.*the plugin called "
               "'tsl::FsloadTestMissing\\(");
}

// --- Several plugins, many functions ---

TEST_F(MissingSymbolsTest, StandsInForManyFunctions) {
  const LoadReport report = Load(Missing("many"));
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_EQ(report.stubs.size(), 1001);
  EXPECT_THAT(
      Texts(report.findings),
      ElementsAre(AllOf(
          StartsWith(
              "FSP038: no library defines 1001 of the functions that the "
              "plugin calls: 'FsloadTestMissing000', 'FsloadTestMissing001', "),
          HasSubstr(
              "' and 996 more (`fsload check --static --format=json` lists "
              "them); "))));
  EXPECT_EQ(report.findings.front().names.size(), 250);
  for (const std::string number : {"000", "001", "499", "998", "999"}) {
    EXPECT_THAT(std::string(FileExists("missingmany://b/" + number).message()),
                HasSubstr("called 'FsloadTestMissing" + number + "', "));
  }
  EXPECT_EQ(FileExists("missingmany://b/none").code(),
            absl::StatusCode::kNotFound);
}

TEST_F(MissingSymbolsTest, GivesEachPluginItsOwn) {
  ASSERT_EQ(Load(Missing("in_op")).status, absl::OkStatus());
  ASSERT_EQ(Load(Missing("many")).status, absl::OkStatus());
  EXPECT_EQ(FileExists("missinginop://a").code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(FileExists("missingmany://b/123").message()),
              HasSubstr("called 'FsloadTestMissing123', "));
}

// They share their host's functions, and each has its own library of stubs.
TEST_F(MissingSymbolsTest, StandsInForPluginsThatDoNotNameTheFramework) {
  for (const std::string name : {"unnamed", "unnamed2"}) {
    const LoadReport report = Load(Missing(name));
    ASSERT_EQ(report.status, absl::OkStatus());
    EXPECT_THAT(report.stubs, ElementsAre(kFunction));
    EXPECT_EQ(report.status_provider, "fsload");
    EXPECT_EQ(FileExists("missing" + name + "://a"),
              Lacking("missing" + name + "://a: " + kEnds + " (path_exists)"));
    EXPECT_EQ(FileExists("missing" + name + ".other://a"),
              absl::NotFoundError("missing" + name +
                                  ".other://a: nothing here (path_exists)"));
  }
  EXPECT_EQ(Load(FreshCopy("testdata/linking/unnamed.so")).status,
            absl::OkStatus());
}

// --- Where there are none ---

constexpr char kRefused[] =
    "FSP018: 1 TensorFlow C++ symbol that the plugin needs is undefined: '%'; "
    "use only TensorFlow's C API, or link the code into the plugin";

std::string Refused(const std::string& symbols) {
  std::string text = kRefused;
  return text.replace(text.find('%') - 1, 3, symbols);
}

TEST_F(MissingSymbolsTest, RefusesDataThatIsMissing) {
  const LoadReport report = Load(Missing("data"));
  EXPECT_EQ(report.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Texts(report.findings),
              ElementsAre(Refused("'tsl::fsload_test_missing' (cannot be "
                                  "replaced: its address is taken)")));
  EXPECT_THAT(report.stubs, IsEmpty());
}

TEST_F(MissingSymbolsTest, RefusesAFunctionWhoseAddressIsKept) {
  EXPECT_THAT(Texts(Load(Missing("stored")).findings),
              ElementsAre(Refused("'tsl::FsloadTestStored()' (cannot be "
                                  "replaced: its address is taken)")));
}

TEST_F(MissingSymbolsTest, RefusesAPluginWithoutRoomForStubs) {
  const LoadReport report = Load(Missing("no_room"));
  EXPECT_EQ(report.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      Texts(report.findings),
      ElementsAre(
          StartsWith(
              "FSP012: the plugin neither names libtensorflow_framework.so.2 "
              "nor has a spare entry in its dynamic section; "),
          Refused("'" + std::string(kFunction) + "'")));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

TEST_F(MissingSymbolsTest, GivesNoneToAPluginThatIsOpenedInPlace) {
  options_.in_place = true;
  const std::string remark =
      " (cannot be replaced: the plugin is opened in place)";
  EXPECT_THAT(
      Texts(Load(Missing("unnamed")).findings),
      ElementsAre(
          "FSP017: fsload does not provide 1 C function that the plugin "
          "imports: 'TF_SetStatus'" +
              remark + "; it provides none to a plugin that is opened in place",
          Refused("'" + std::string(kFunction) + "'" + remark)));
}

TEST_F(MissingSymbolsTest, GivesNoneUnlessAsked) {
  options_.stub_missing_functions = false;
  EXPECT_THAT(Texts(Load(Missing("in_op")).findings),
              ElementsAre(Refused("'" + std::string(kFunction) + "'")));
}

TEST_F(MissingSymbolsTest, GivesNoneToAPluginThatLacksNothing) {
  const LoadReport report = Load(FreshCopy("testdata/linking/named.so"));
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(report.stubs, IsEmpty());
  EXPECT_THAT(report.findings, IsEmpty());
}

// --- Twice ---

TEST_F(MissingSymbolsTest, LoadsAfterItWasRefused) {
  const std::string path = Missing("in_op");
  options_.stub_missing_functions = false;
  ASSERT_FALSE(Load(path).status.ok());
  options_.stub_missing_functions = true;
  EXPECT_EQ(Load(path).status, absl::OkStatus());
}

TEST_F(MissingSymbolsTest, IsTheSamePluginWhenItIsLoadedAgain) {
  const std::string path = Missing("in_op");
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  const LoadReport again = Load(path);
  EXPECT_EQ(again.status, absl::OkStatus());
  EXPECT_TRUE(again.loaded_before);
  EXPECT_THAT(again.stubs, ElementsAre(kFunction));
  EXPECT_THAT(Texts(again.findings), ElementsAre(kWarning));
}

TEST_F(MissingSymbolsTest, RefusesWhereAnotherHostAllowedStubs) {
  const std::string path = Missing("in_op");
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  ASSERT_EQ(registry_.RetireAll(), absl::OkStatus());
  options_.stub_missing_functions = false;
  EXPECT_THAT(
      Texts(Load(path).findings),
      ElementsAre("FSP019: when the plugin was loaded before, functions "
                  "that fail replaced missing ones (number: 1, first: '" +
                  std::string(kFunction) +
                  "'); it is not used where "
                  "LoadOptions::stub_missing_functions forbids that"));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

}  // namespace
}  // namespace fsload
