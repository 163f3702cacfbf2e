#include "fsload/plugin_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/scheme_names.h"
#include "core/tables/operations.h"
#include "core/wrappers/range_check.h"
#include "fsload/call_histogram.h"
#include "fsload/read_only.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/finding_texts.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kCounting[] = "testdata/linking/named.so";
constexpr char kOtherContents[] = "testdata/linking/another.so";

class PluginLoader : public testing::Test {
 protected:
  ~PluginLoader() override { RetireAll(); }

  LoadReport Load(const std::string& path) {
    return LoadPlugin(path, options_);
  }

  void RetireAll() { EXPECT_EQ(registry_.RetireAll(), absl::OkStatus()); }

  SchemeRegistry registry_;
  LoadOptions options_ = Options();
  const PluginLog log_;

 private:
  LoadOptions Options() {
    LoadOptions options;
    options.registry = &registry_;
    return options;
  }
};

// --- Valid plugins load ---

struct Good {
  std::string_view path;
  std::string_view scheme;
  std::vector<size_t> table_bytes;  // 0: not there
  std::vector<std::string> imports;
};

void PrintTo(const Good& good, std::ostream* out) { *out << good.path; }

class GoodPlugin : public PluginLoader,
                   public testing::WithParamInterface<Good> {};

TEST_P(GoodPlugin, LoadsWithoutFindings) {
  const LoadReport report = Load(std::string(GetParam().path));
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(Texts(report.findings), IsEmpty());
  EXPECT_EQ(report.plugin, GetParam().path);
  EXPECT_TRUE(report.sealing.has_value());
  EXPECT_EQ(report.status_provider, "fsload");
  EXPECT_EQ(report.imports, GetParam().imports);
  ASSERT_EQ(report.schemes.size(), 1);
  const SchemeReport& scheme = report.schemes[0];
  EXPECT_EQ(scheme.scheme, GetParam().scheme);
  EXPECT_TRUE(scheme.registered);
  for (size_t i = 0; i < kTables; ++i) {
    const TableReport& table = scheme.tables[i];
    EXPECT_EQ(table.present ? table.declared_bytes : 0,
              GetParam().table_bytes[i]);
    EXPECT_EQ(table.abi, 0);
    EXPECT_EQ(table.api, 0);
  }
  EXPECT_EQ(scheme.present.size() + scheme.by_default.size() +
                scheme.unavailable.size(),
            std::size(kOperations));
  const auto found = registry_.Find(GetParam().scheme);
  ASSERT_EQ(found.status(), absl::OkStatus());
  EXPECT_EQ((*found)->plugin(), GetParam().path);
}

const Good kGood[] = {
    {"testdata/posix.so",
     "posix",
     {264, 16, 48, 24},
     {"TF_SetStatus", "TF_SetStatusFromIOError", "TF_Message"}},
    {"testdata/memory.so",
     "memory",
     {264, 16, 48, 24},
     {"TF_SetStatus", "TF_SetStatusFromIOError", "TF_GetCode"}},
    {"testdata/minimal.so",
     "minimal",
     {264, 16, 48, 0},
     {"TF_SetStatus", "TF_SetStatusFromIOError"}},
    {"testdata/c_minimal.so",
     "cminimal",
     {264, 16, 48, 0},
     {"TF_SetStatus", "TF_SetStatusFromIOError"}},
    {"testdata/null.so", "null", {264, 16, 48, 24}, {}},
};

INSTANTIATE_TEST_SUITE_P(PluginLoader, GoodPlugin, testing::ValuesIn(kGood),
                         [](const testing::TestParamInfo<Good>& info) {
                           return std::string(info.param.scheme);
                         });

// Where each plugin may write.
class WorkingPlugin : public PluginLoader,
                      public testing::WithParamInterface<Good> {};

TEST_P(WorkingPlugin, ReadsBackWhatWasWritten) {
  ASSERT_EQ(Load(std::string(GetParam().path)).status, absl::OkStatus());
  const bool in_memory = GetParam().scheme == "memory";
  const std::string uri = std::string(GetParam().scheme) + "://" +
                          (in_memory ? "/file" : NewPath("file"));
  const auto file_system = *registry_.Resolve(uri);
  std::string contents;
  for (int i = 0; i < 300'000; ++i) contents.push_back(static_cast<char>(i));
  {
    const auto file = *file_system->NewWritableFile(uri);
    ASSERT_EQ(file->Append(contents), absl::OkStatus());
    ASSERT_EQ(file->Close(), absl::OkStatus());
  }
  EXPECT_EQ(file_system->Stat(uri)->length, contents.size());
  const auto file = *file_system->NewRandomAccessFile(uri);
  std::string read(contents.size() + 10, '?');
  ASSERT_EQ(*file->Read(0, read.size(), read.data()), contents.size());
  read.resize(contents.size());
  EXPECT_EQ(read, contents);
}

INSTANTIATE_TEST_SUITE_P(PluginLoader, WorkingPlugin,
                         testing::Values(kGood[0], kGood[1], kGood[2],
                                         kGood[3]),
                         [](const testing::TestParamInfo<Good>& info) {
                           return std::string(info.param.scheme);
                         });

TEST_F(PluginLoader, LoadsFromMemory) {
  const std::string bytes = ReadFile(FreshCopy(kCounting));
  const LoadReport report =
      LoadPluginFromBytes("some bytes", {bytes.data(), bytes.size()}, options_);
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_EQ(report.plugin, "some bytes");
  EXPECT_EQ((*registry_.Find("named"))->plugin(), "some bytes");
}

TEST_F(PluginLoader, ReportsAFileThatIsNotThere) {
  const std::string path = NewPath("missing.so");
  const LoadReport report = Load(path);
  EXPECT_EQ(
      report.status,
      absl::NotFoundError(path + ": FSP001: cannot be read: No such file or "
                                 "directory"));
}

// A shared object that is not a plugin.
TEST_F(PluginLoader, RefusesALibraryThatIsNoPlugin) {
  const LoadReport report =
      Load("testdata/linking/libfsload_test_neighbour.so");
  EXPECT_THAT(Texts(report.findings),
              ElementsAre("FSP009: it does not export "
                          "TF_InitPlugin, so it is not a filesystem plugin"));
}

// --- The file itself, in place ---

TEST_F(PluginLoader, OpensAFileInPlace) {
  options_.in_place = true;
  const std::string path = FreshCopy("testdata/linking/own_status.so");
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  EXPECT_NE(ReadFile("/proc/self/maps").find(path), std::string::npos);
}

TEST_F(PluginLoader, OpensAFileOfThisFolderInPlace) {
  options_.in_place = true;
  const std::filesystem::path path =
      FreshCopy("testdata/linking/own_status.so");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path.parent_path());
  const LoadReport report = Load(path.filename().string());
  std::filesystem::current_path(before);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("ownstatus"));
}

TEST_F(PluginLoader, CannotGiveItsFunctionsToAFileInPlace) {
  options_.in_place = true;
  const std::string path = FreshCopy("testdata/linking/unnamed.so");
  const LoadReport report = Load(path);
  EXPECT_THAT(Texts(report.findings),
              ElementsAre("FSP017: fsload does not provide 1 C function that "
                          "the plugin imports: 'TF_SetStatus'; it provides "
                          "none to a plugin that is opened in place"));
}

TEST_F(PluginLoader, LoadsBytesThatHaveNoPlaceFromACopy) {
  options_.in_place = true;
  const std::string bytes = ReadFile(FreshCopy(kCounting));
  EXPECT_EQ(LoadPluginFromBytes("bytes", {bytes.data(), bytes.size()}, options_)
                .status,
            absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("named"));
}

// --- The same contents again ---

TEST_F(PluginLoader, InitializesAPluginOnceWhateverItsPath) {
  const std::string path = FreshCopy(kCounting);
  const std::string copy = NewPath("copy.so");
  WriteFile(copy, ReadFile(path));
  const std::string hard_link = NewPath("hard_link.so");
  std::filesystem::create_hard_link(path, hard_link);
  const std::string symlink = NewPath("symlink.so");
  std::filesystem::create_symlink(path, symlink);
  EXPECT_FALSE(Load(path).loaded_before);
  for (const std::string& again : {path, copy, hard_link, symlink}) {
    const LoadReport report = Load(again);
    EXPECT_EQ(report.status, absl::OkStatus()) << again;
    EXPECT_TRUE(report.loaded_before) << again;
    ASSERT_EQ(report.schemes.size(), 1);
    EXPECT_TRUE(report.schemes[0].registered);
  }
  EXPECT_THAT(log_.Lines(), ElementsAre("TF_InitPlugin named", "init named"));
}

TEST_F(PluginLoader, RegistersAnewAfterARetirement) {
  const std::string path = FreshCopy(kCounting);
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  ASSERT_EQ(registry_.RetireAndWait("named", absl::ZeroDuration()),
            absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
  const LoadReport report = Load(path);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_TRUE(report.loaded_before);
  EXPECT_THAT(registry_.Schemes(), ElementsAre("named"));
  EXPECT_THAT(log_.Lines(), ElementsAre("TF_InitPlugin named", "init named",
                                        "cleanup named", "init named"));
}

TEST_F(PluginLoader, RefusesASchemeWhoseWrapperFailsWithoutAWord) {
  options_.wrap = [](const FileSystemPtr&) {
    return absl::StatusOr<FileSystemPtr>(
        absl::Status(absl::StatusCode::kCancelled, ""));
  };
  const LoadReport report = Load(FreshCopy(kCounting));
  EXPECT_THAT(std::string(report.status.message()),
              testing::HasSubstr("CANCELLED"));
  EXPECT_THAT(registry_.Schemes(), testing::IsEmpty());
}

// Else an embedder who asks for a read-only file system has a writable one.
TEST_F(PluginLoader, RefusesWhatARegisteredPluginLacks) {
  const std::string path = FreshCopy(kCounting);
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  const auto message = [&](const char* what) {
    return absl::AlreadyExistsError(
        path + ": FSP108: scheme 'named': the plugin is registered already, " +
        "without the " + what + " of this load; retire the scheme first");
  };
  LoadOptions wrapped = options_;
  wrapped.wrap = [](FileSystemPtr plugin) {
    return ReadOnly(std::move(plugin));
  };
  EXPECT_EQ(LoadPlugin(path, wrapped).status, message("wrapper"));
  LoadOptions observed = options_;
  CallHistogram histogram;
  observed.observer = &histogram;
  EXPECT_EQ(LoadPlugin(path, observed).status, message("observer"));
  EXPECT_EQ(Load(path).status, absl::OkStatus());
  EXPECT_THAT(log_.Lines(), ElementsAre("TF_InitPlugin named", "init named"));

  RetireAll();
  EXPECT_EQ(LoadPlugin(path, observed).status, absl::OkStatus());
  EXPECT_EQ(LoadPlugin(path, observed).status, absl::OkStatus());
  EXPECT_EQ(Load(path).status, absl::OkStatus());
  RetireAll();
}

// A sealed mapping stays until the process ends.
TEST_F(PluginLoader, SealsTheTablesOfAnObserverOnce) {
  const std::string path = FreshCopy(kCounting);
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  RetireAll();
  CallHistogram histogram;
  options_.observer = &histogram;
  std::set<const SchemeTables*> sealed;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(Load(path).status, absl::OkStatus());
    sealed.insert(&TablesOf(WithoutRangeCheck(**registry_.Find("named"))));
    RetireAll();
  }
  EXPECT_EQ(sealed.size(), 1);
}

TEST_F(PluginLoader, RegistersOnePluginInTwoRegistries) {
  const std::string path = FreshCopy(kCounting);
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  SchemeRegistry other;
  LoadOptions options;
  options.registry = &other;
  EXPECT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
  EXPECT_THAT(other.Schemes(), ElementsAre("named"));
  EXPECT_THAT(registry_.Schemes(), ElementsAre("named"));
}

TEST_F(PluginLoader, TakesOtherContentsAtTheSamePathForAnotherPlugin) {
  const std::string path = FreshCopy(kCounting);
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  std::filesystem::rename(FreshCopy(kOtherContents), path);
  const LoadReport report = Load(path);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_FALSE(report.loaded_before);
  EXPECT_THAT(registry_.Schemes(), ElementsAre("another", "named"));
}

// With a plain dlopen the next call would run the new bytes as code.
TEST_F(PluginLoader, OutlivesAFileThatIsOverwrittenInPlace) {
  const std::string path = FreshCopy(kCounting);
  ASSERT_EQ(Load(path).status, absl::OkStatus());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << "overwritten";
  EXPECT_EQ((*registry_.Find("named"))->FileExists("named://a/b"),
            absl::NotFoundError("named://a/b: nothing here (path_exists)"));
}

TEST_F(PluginLoader, SaysAgainWhatIsOddAboutAPluginLoadedBefore) {
  const std::string path = FreshCopy("testdata/broken_newer_api.so");
  const std::vector<std::string> first = Texts(Load(path).findings);
  EXPECT_EQ(first.size(), 1);
  EXPECT_EQ(Texts(Load(path).findings), first);
}

// --- All or nothing, or in part ---

TEST_F(PluginLoader, RefusesAsAWholeWhatItLoadedInPart) {
  const std::string path = FreshCopy("testdata/linking/half_right.so");
  options_.partial = true;
  const LoadReport partly = Load(path);
  EXPECT_EQ(partly.status, absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("halfright"));
  RetireAll();
  options_.partial = false;
  const LoadReport report = Load(path);
  EXPECT_EQ(report.status,
            absl::FailedPreconditionError(
                path + ": FSP109: scheme 'second': its TF_FilesystemOps "
                       "is null; there is nothing to call"));
  EXPECT_EQ(Texts(report.findings), Texts(partly.findings));
  EXPECT_EQ(report.schemes.size(), 2);
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

TEST_F(PluginLoader, LoadsInPartWhatItRefusedAsAWhole) {
  const std::string path = FreshCopy("testdata/linking/half_right.so");
  EXPECT_FALSE(Load(path).status.ok());
  options_.partial = true;
  EXPECT_EQ(Load(path).status, absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("halfright"));
  EXPECT_THAT(log_.Lines(),
              ElementsAre("TF_InitPlugin halfright", "init halfright"));
}

TEST_F(PluginLoader, CleansUpInReverseWhatWasInitializedBeforeAFailure) {
  const LoadReport report =
      Load(FreshCopy("testdata/broken_second_init_fails.so"));
  EXPECT_EQ(report.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(log_.Lines(),
              ElementsAre("init broken", "init broken2", "cleanup broken"));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

TEST_F(PluginLoader, KeepsTheGoodSchemesWhenAskedTo) {
  options_.partial = true;
  const LoadReport report =
      Load(FreshCopy("testdata/broken_second_init_fails.so"));
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(Texts(report.findings),
              ElementsAre("FSP201: scheme 'broken2': init failed: no server; "
                          "the scheme is not registered"));
  EXPECT_THAT(registry_.Schemes(), ElementsAre("broken"));
  ASSERT_EQ(report.schemes.size(), 2);
  EXPECT_TRUE(report.schemes[0].registered);
  EXPECT_FALSE(report.schemes[1].registered);
}

TEST_F(PluginLoader, RefusesASchemeThatIsANameOfAnotherOne) {
  RemoveSchemeName("minimal");  // of another test
  ASSERT_TRUE(AddSchemeName("minimal", "s3"));
  const absl::Status status = Load("testdata/minimal.so").status;
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("'minimal' stands for another scheme in this "
                                 "process, s3://"));
  RemoveSchemeName("minimal");
  EXPECT_EQ(Load("testdata/minimal.so").status, absl::OkStatus());
}

// What checks a server's ranges is no wrapper that the load asked for.
TEST_F(PluginLoader, MayLoadAPluginForHttpAgain) {
  for (int i = 0; i < 2; ++i) {
    const LoadReport report = Load("testdata/slow_http_reads.so");
    EXPECT_EQ(report.status, absl::OkStatus());
    ASSERT_EQ(report.schemes.size(), 1);
    EXPECT_TRUE(report.schemes[0].registered);
  }
  const FileSystemPtr found = *registry_.Find("http");
  EXPECT_EQ(found->plugin(), "testdata/slow_http_reads.so");
  EXPECT_NE(&WithoutRangeCheck(*found), found.get());
}

// Its renames, appends and deletions of trees are its own.
TEST_F(PluginLoader, KnowsTheInstalledPlugin) {
  const std::string copy = FreshCopy("testdata/posix.so");
  const LoadReport report = Load(copy);
  EXPECT_EQ(report.known_as, "the bundled posix plugin");
  ASSERT_EQ(report.schemes.size(), 1);
  EXPECT_THAT(report.schemes[0].disabled, IsEmpty());
}

TEST_F(PluginLoader, NamesBothOwnersOfATakenScheme) {
  const std::string taken = FreshCopy("testdata/broken_taken.so");
  ASSERT_EQ(Load("testdata/posix.so").status, absl::OkStatus());
  const LoadReport report = Load(taken);
  EXPECT_EQ(report.status,
            absl::AlreadyExistsError(
                taken +
                ": FSP108: scheme 'posix': scheme 'posix' is already "
                "served by 'testdata/posix.so', so '" +
                taken +
                "' cannot register it; retire the scheme first, or load only "
                "one of the two"));
  EXPECT_EQ((*registry_.Find("posix"))->plugin(), "testdata/posix.so");
  EXPECT_THAT(log_.Lines(), ElementsAre("init posix", "cleanup posix"));
}

// The first of this plugin's two schemes is taken.
TEST_F(PluginLoader, RegistersNothingWhenOneOfTwoSchemesIsTaken) {
  ASSERT_EQ(Load(FreshCopy("testdata/broken_larger_size.so")).status,
            absl::OkStatus());
  const std::string path = FreshCopy("testdata/broken_shared_tables.so");
  const LoadReport report = Load(path);
  EXPECT_EQ(report.status.code(), absl::StatusCode::kAlreadyExists);
  ASSERT_EQ(report.findings.size(), 1);
  EXPECT_EQ(report.findings[0].scheme, "broken");
  EXPECT_THAT(registry_.Schemes(), ElementsAre("broken"));
  EXPECT_NE((*registry_.Find("broken"))->plugin(), path);
  EXPECT_THAT(log_.Lines(),
              ElementsAre("init broken", "init broken", "init broken",
                          "cleanup broken", "cleanup broken"));
}

TEST_F(PluginLoader, KeepsTheSchemeThatIsNotTakenWhenAskedTo) {
  ASSERT_EQ(Load(FreshCopy("testdata/broken_larger_size.so")).status,
            absl::OkStatus());
  options_.partial = true;
  const LoadReport report = Load(FreshCopy("testdata/broken_shared_tables.so"));
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("broken", "broken2"));
  ASSERT_EQ(report.schemes.size(), 2);
  EXPECT_FALSE(report.schemes[0].registered);
  EXPECT_TRUE(report.schemes[1].registered);
}

}  // namespace
}  // namespace fsload
