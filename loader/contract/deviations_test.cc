// How real plugins deviate from the contract, with one plugin of
// testdata/deviant for each, and how the facade handles it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "compat/captured_output.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/plugin_loader.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using Names = std::vector<std::string>;
using absl::StatusCode;

constexpr char kFile[] = "deviant:///dir/file";
constexpr char kDir[] = "deviant:///dir";

void ExpectError(const absl::Status& status, StatusCode code,
                 const std::string& text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

// Loads a variant; at the end every block that the plugin handed out must have
// been returned once.
class DeviationsTest : public ::testing::Test {
 protected:
  const FileSystem& Load(const std::string& variant) {
    file_system_ = LoadTestPlugin("deviant_" + variant);
    return *file_system_;
  }

  // The variant, without its `op`.
  const FileSystem& LoadWithout(Op op, const std::string& variant) {
    const auto original = LoadTestPlugin("deviant_" + variant);
    file_system_ = MakeFileSystem(Without(TablesOf(*original), op), *original);
    return *file_system_;
  }

  absl::StatusOr<std::string> ReadAll(const FileSystem& fs, const char* uri,
                                      size_t n) {
    const auto file = fs.NewRandomAccessFile(uri);
    if (!file.ok()) return file.status();
    std::string text(n, '\0');
    const auto bytes = (*file)->Read(0, n, text.data());
    if (!bytes.ok()) return bytes.status();
    return text.substr(0, *bytes);
  }

  void TearDown() override {
    file_system_.reset();
    EXPECT_THAT(Imbalance(memory_.Lines()), IsEmpty());
  }

  PluginLog memory_{"FSLOAD_TEST_MEMORY_LOG"};
  PluginLog calls_{"FSLOAD_TEST_LOG"};
  FileSystemPtr file_system_;
};

// Every operation of the facade that reaches a plugin, by its name there.
struct NamedCall {
  const char* op;
  std::function<absl::Status(const FileSystem&)> call;
};

std::vector<NamedCall> CallsOn(const std::string& uri) {
  static TF_TransactionToken token = {nullptr, nullptr};
  const std::string other = uri + "/other";
  const ConfigurationOption option = {uri, "", false, std::vector<int64_t>{1}};
  return {
      {"new_random_access_file",
       [=](const FileSystem& fs) {
         return fs.NewRandomAccessFile(uri).status();
       }},
      {"new_writable_file",
       [=](const FileSystem& fs) { return fs.NewWritableFile(uri).status(); }},
      {"new_appendable_file",
       [=](const FileSystem& fs) {
         return fs.NewAppendableFile(uri).status();
       }},
      {"new_read_only_memory_region_from_file",
       [=](const FileSystem& fs) {
         return fs.NewReadOnlyMemoryRegionFromFile(uri).status();
       }},
      {"create_dir", [=](const FileSystem& fs) { return fs.CreateDir(uri); }},
      {"recursively_create_dir",
       [=](const FileSystem& fs) { return fs.RecursivelyCreateDir(uri); }},
      {"delete_file", [=](const FileSystem& fs) { return fs.DeleteFile(uri); }},
      {"delete_dir", [=](const FileSystem& fs) { return fs.DeleteDir(uri); }},
      {"delete_recursively",
       [=](const FileSystem& fs) { return fs.DeleteRecursively(uri); }},
      {"rename_file",
       [=](const FileSystem& fs) { return fs.RenameFile(uri, other); }},
      {"copy_file",
       [=](const FileSystem& fs) { return fs.CopyFile(uri, other); }},
      {"path_exists", [=](const FileSystem& fs) { return fs.FileExists(uri); }},
      {"paths_exist",
       [=](const FileSystem& fs) { return fs.FilesExist({uri}).front(); }},
      {"stat", [=](const FileSystem& fs) { return fs.Stat(uri).status(); }},
      {"is_directory",
       [=](const FileSystem& fs) { return fs.IsDirectory(uri).status(); }},
      {"get_file_size",
       [=](const FileSystem& fs) { return fs.GetFileSize(uri).status(); }},
      {"get_children",
       [=](const FileSystem& fs) { return fs.GetChildren(uri).status(); }},
      {"get_matching_paths",
       [=](const FileSystem& fs) { return fs.GetMatchingPaths(uri).status(); }},
      {"add_to_transaction",
       [=](const FileSystem& fs) { return fs.AddToTransaction(uri, &token); }},
      {"get_transaction_for_path",
       [=](const FileSystem& fs) {
         return fs.GetTransactionForPath(uri).status();
       }},
      {"get_or_start_transaction_for_path",
       [=](const FileSystem& fs) {
         return fs.GetTokenOrStartTransaction(uri).status();
       }},
      {"get_filesystem_configuration_option",
       [=](const FileSystem& fs) {
         return fs.GetFilesystemConfigurationOption(uri).status();
       }},
      {"set_filesystem_configuration_option",
       [=](const FileSystem& fs) {
         return fs.SetFilesystemConfigurationOption(option);
       }},
  };
}

std::vector<NamedCall> CallsWithoutPath() {
  static TF_TransactionToken token = {nullptr, nullptr};
  return {
      {"flush_caches", [](const FileSystem& fs) { return fs.FlushCaches(); }},
      {"start_transaction",
       [](const FileSystem& fs) { return fs.StartTransaction().status(); }},
      {"end_transaction",
       [](const FileSystem& fs) { return fs.EndTransaction(&token); }},
      {"decode_transaction_token",
       [](const FileSystem& fs) {
         return fs.DecodeTransaction(&token).status();
       }},
      {"get_filesystem_configuration",
       [](const FileSystem& fs) {
         return fs.GetFilesystemConfiguration().status();
       }},
      {"set_filesystem_configuration",
       [](const FileSystem& fs) { return fs.SetFilesystemConfiguration({}); }},
      {"get_filesystem_configuration_keys",
       [](const FileSystem& fs) {
         return fs.GetFilesystemConfigurationKeys().status();
       }},
  };
}

// --- Statuses ---

TEST_F(DeviationsTest, EveryCodeOfAPluginReachesTheCaller) {
  const FileSystem& fs = Load("none");
  for (int code = 1; code <= 16; ++code) {
    const std::string uri = "deviant:///code/" + std::to_string(code);
    for (const NamedCall& each : CallsOn(uri)) {
      // L592: what real plugins return for a file.
      if (code == TF_FAILED_PRECONDITION &&
          each.op == std::string("is_directory")) {
        continue;
      }
      ExpectError(each.call(fs), static_cast<StatusCode>(code),
                  uri + ": as asked (" + each.op + ")");
    }
  }
}

TEST_F(DeviationsTest, AStatusThatIsSetOnlyOnFailureIsOkOtherwise) {
  const FileSystem& fs = Load("status_only_on_failure");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(fs.FileExists(kFile), absl::OkStatus());
    EXPECT_EQ(fs.Stat(kFile)->length, 10);
    EXPECT_EQ(*ReadAll(fs, kFile, 10), "0123456789");
    EXPECT_THAT(fs.FilesExist({kFile, kDir}), Each(absl::OkStatus()));
    EXPECT_EQ(fs.CreateDir("deviant:///new"), absl::OkStatus());
    ExpectError(fs.FileExists("deviant:///code/14"), StatusCode::kUnavailable,
                "as asked");
  }
}

TEST_F(DeviationsTest, AStatusThatIsReadBeforeItIsSetIsFreshForEachCall) {
  const FileSystem& fs = Load("status_read_first");
  for (int round = 0; round < 2; ++round) {
    ExpectError(fs.FileExists("deviant:///code/14"), StatusCode::kUnavailable,
                "as asked");
    EXPECT_EQ(fs.FileExists(kFile), absl::OkStatus());
    EXPECT_EQ(*ReadAll(fs, kFile, 20), "0123456789");
    const std::vector<absl::Status> statuses =
        fs.FilesExist({"deviant:///code/5", kFile});
    EXPECT_FALSE(statuses[0].ok());
    EXPECT_EQ(statuses[1], absl::OkStatus());
  }
}

TEST_F(DeviationsTest, AnErrorWithoutAMessageSaysThat) {
  const FileSystem& fs = Load("message_empty");
  ExpectError(fs.FileExists("deviant:///code/14"), StatusCode::kUnavailable,
              "deviant:///code/14: the plugin gave no message (path_exists)");
}

TEST_F(DeviationsTest, ACodeThatDoesNotExistIsUnknown) {
  const FileSystem& fs = Load("code_unknown");
  ExpectError(fs.FileExists("deviant:///code/14"), StatusCode::kUnknown,
              "as asked");
}

TEST_F(DeviationsTest, WrongCodesReachTheCallerAsTheyAre) {
  const FileSystem& fs = Load("wrong_codes");
  ExpectError(fs.DeleteDir(kDir), StatusCode::kUnknown, "not empty");
  ExpectError(fs.FileExists("deviant:///forbidden"), StatusCode::kNotFound,
              "forbidden");
}

TEST_F(DeviationsTest, WhatIsForbiddenIsPermissionDenied) {
  const FileSystem& fs = Load("none");
  for (const NamedCall& each : CallsOn("deviant:///forbidden")) {
    ExpectError(each.call(fs), StatusCode::kPermissionDenied, each.op);
  }
}

// --- Reading ---

TEST_F(DeviationsTest, AReadErrorWithACountIsAnError) {
  for (const char* variant : {"none", "read_error_zero", "read_error_part"}) {
    ExpectError(ReadAll(Load(variant), "deviant:///unreadable", 10).status(),
                StatusCode::kUnavailable,
                "deviant:///unreadable: the server is gone (read)");
  }
}

TEST_F(DeviationsTest, OkWithAShortCountCutsNothingOff) {
  const FileSystem& fs = Load("read_short");
  EXPECT_EQ(*ReadAll(fs, kFile, 10), "0123456789");
  EXPECT_EQ(*ReadAll(fs, kFile, 8), "01234567");
  EXPECT_EQ(*ReadAll(fs, kFile, 100), "0123456789");
}

TEST_F(DeviationsTest, AShortCountCutsNothingOffACopy) {
  const FileSystem& fs = LoadWithout(Op::kFilesystem_copy_file, "read_short");
  const auto memory = LoadTestPlugin("memory");
  EXPECT_EQ(fs.CopyFileTo(kFile, *memory, "memory:///copy"), absl::OkStatus());
  EXPECT_EQ(memory->Stat("memory:///copy")->length, 10);
}

TEST_F(DeviationsTest, MoreBytesThanAskedForAreNotTrusted) {
  ExpectError(ReadAll(Load("read_too_much"), kFile, 20).status(),
              StatusCode::kInternal,
              "wanted 0 to 20 bytes at offset 0, the plugin reported 21");
}

TEST_F(DeviationsTest, ANegativeCountWithoutAnErrorIsNotTrusted) {
  ExpectError(ReadAll(Load("read_negative"), kFile, 5).status(),
              StatusCode::kInternal, "the plugin reported -1");
}

TEST_F(DeviationsTest, ANegativeCountAtTheEndIsTheEnd) {
  EXPECT_EQ(*ReadAll(Load("read_range_negative"), kFile, 20), "");
}

TEST_F(DeviationsTest, ARegionWithALengthAndNoDataIsRefused) {
  const FileSystem& fs = Load("region_data_null");
  ExpectError(fs.NewReadOnlyMemoryRegionFromFile(kFile).status(),
              StatusCode::kInternal,
              "deviant:///dir/file: the plugin reported OK but returned null "
              "instead of 10 bytes (data)");
  EXPECT_THAT(calls_.Lines(), Contains("cleanup_region /dir/file"));
}

// --- Writing ---

TEST_F(DeviationsTest, AFileIsClosedOnceBeforeItIsCleanedUp) {
  const FileSystem& fs = Load("none");
  calls_.Clear();
  { ASSERT_TRUE(fs.NewWritableFile("deviant:///a").ok()); }
  EXPECT_THAT(calls_.Lines(), ElementsAre("new_writable_file /a", "close /a",
                                          "cleanup_writable /a"));
  calls_.Clear();
  {
    const auto file = fs.NewAppendableFile("deviant:///a");
    ASSERT_EQ((*file)->Close(), absl::OkStatus());
    ASSERT_FALSE((*file)->Close().ok());
  }
  EXPECT_THAT(calls_.Lines(), ElementsAre("new_appendable_file /a", "close /a",
                                          "cleanup_writable /a"));
}

TEST_F(DeviationsTest, AFileIsFlushedOnlyWhenItIsAskedFor) {
  const FileSystem& fs = Load("none");
  {
    const auto file = fs.NewWritableFile("deviant:///a");
    ASSERT_EQ((*file)->Append("a"), absl::OkStatus());
    ASSERT_EQ((*file)->Close(), absl::OkStatus());
  }
  EXPECT_THAT(calls_.Lines(), Not(Contains("flush /a")));
  EXPECT_THAT(calls_.Lines(), Not(Contains("sync /a")));
}

TEST_F(DeviationsTest, ANegativePositionIsNotTrusted) {
  const FileSystem& fs = Load("tell_negative");
  const auto file = fs.NewWritableFile("deviant:///a");
  ExpectError((*file)->Tell().status(), StatusCode::kInternal,
              "the plugin reported OK but returned -1 instead of a position of "
              "0 or more");
}

// --- Queries ---

TEST_F(DeviationsTest, ASizeBesideAnErrorIsIgnored) {
  ExpectError(Load("size_on_error").GetFileSize("deviant:///none").status(),
              StatusCode::kNotFound,
              "deviant:///none: nothing there (get_file_size)");
}

TEST_F(DeviationsTest, ANegativeSizeIsNotTrusted) {
  ExpectError(
      Load("size_negative").GetFileSize(kFile).status(), StatusCode::kInternal,
      "the plugin reported OK but returned -1 instead of a size of 0 or more");
}

TEST_F(DeviationsTest, AFileMayFailThePreconditionOfIsDirectory) {
  const FileSystem& fs = Load("is_directory_precondition");
  EXPECT_FALSE(*fs.IsDirectory(kFile));
  EXPECT_TRUE(*fs.IsDirectory(kDir));
  ExpectError(fs.IsDirectory("deviant:///none").status(), StatusCode::kNotFound,
              "nothing there");
}

TEST_F(DeviationsTest, AllExistOnlyWhenNoStatusSaysOtherwise) {
  const FileSystem& agrees = Load("paths_exist_agrees");
  EXPECT_FALSE(agrees.FilesExist({kFile, "deviant:///none"})[1].ok());
  EXPECT_THAT(agrees.FilesExist({kFile, kDir}), Each(absl::OkStatus()));
  for (const absl::Status& status :
       Load("paths_exist_denies").FilesExist({kFile, kDir})) {
    ExpectError(status, StatusCode::kInternal,
                "the plugin reports that a path is missing, but also that each "
                "one exists");
  }
}

TEST_F(DeviationsTest, AThreadHasLeftTheCallThatAskedForManyPaths) {
  Load("paths_exist_agrees");
  SchemeRegistry registry;
  ASSERT_EQ(registry.Register({file_system_}), absl::OkStatus());
  EXPECT_THAT(file_system_->FilesExist({kFile, kDir, kFile}),
              Each(absl::OkStatus()));
  file_system_ = nullptr;
  EXPECT_EQ(registry.RetireAndWait("deviant", absl::Seconds(10)),
            absl::OkStatus());
}

TEST_F(DeviationsTest, AnEndedTransactionsTokenIsRefused) {
  const FileSystem& fs = Load("none");
  EXPECT_EQ(
      fs.DecodeTransaction(nullptr).status(),
      absl::FailedPreconditionError("deviant://: the transaction has already "
                                    "ended (decode_transaction_token)"));
}

// --- Listing ---

TEST_F(DeviationsTest, AListingThatFailsIsAnErrorWhateverItAnswers) {
  for (const char* variant :
       {"none", "children_error_zero", "children_error_keeps_array"}) {
    const FileSystem& fs = Load(variant);
    ExpectError(fs.GetChildren("deviant:///code/14").status(),
                StatusCode::kUnavailable, "as asked");
    ExpectError(fs.GetMatchingPaths("deviant:///code/14").status(),
                StatusCode::kUnavailable, "as asked");
  }
}

TEST_F(DeviationsTest, NamesOfChildrenAreMadeRelative) {
  for (const char* variant :
       {"children_end_in_slash", "child_dots", "child_empty", "child_slash"}) {
    EXPECT_THAT(*Load(variant).GetChildren(kDir), ElementsAre("empty", "file"))
        << variant;
  }
}

TEST_F(DeviationsTest, NoOddChildMakesAPatternGoRoundInCircles) {
  for (const char* variant :
       {"children_end_in_slash", "child_dots", "child_empty", "child_slash"}) {
    const FileSystem& fs =
        LoadWithout(Op::kFilesystem_get_matching_paths, variant);
    EXPECT_THAT(*fs.GetMatchingPaths("deviant:///*/*"),
                ElementsAre("deviant:///dir/empty", "deviant:///dir/file"))
        << variant;
    EXPECT_THAT(*fs.GetMatchingPaths("deviant:///*/*/*"), IsEmpty());
  }
}

TEST_F(DeviationsTest, NoOddChildMakesADeletionGoRoundInCircles) {
  for (const char* variant :
       {"children_end_in_slash", "child_dots", "child_empty", "child_slash"}) {
    const FileSystem& fs =
        LoadWithout(Op::kFilesystem_delete_recursively, variant);
    Undeleted left;
    calls_.Clear();
    // This plugin pretends to delete and keeps listing what it had.
    fs.DeleteRecursively(kDir, &left).IgnoreError();
    EXPECT_LT(calls_.Lines().size(), 40) << variant;
    for (const std::string& line : calls_.Lines()) {
      EXPECT_THAT(line, HasSubstr(" /dir")) << variant;
    }
  }
}

TEST_F(DeviationsTest, AChildThatLeadsElsewhereIsNotFollowed) {
  const FileSystem& glob =
      LoadWithout(Op::kFilesystem_get_matching_paths, "child_elsewhere");
  ExpectError(glob.GetMatchingPaths("deviant:///dir/*").status(),
              StatusCode::kInternal,
              "listed '../other', which is not a valid name");
  const FileSystem& fs =
      LoadWithout(Op::kFilesystem_delete_recursively, "child_elsewhere");
  Undeleted left;
  ExpectError(fs.DeleteRecursively(kDir, &left), StatusCode::kInternal,
              "it is not followed");
  EXPECT_THAT(calls_.Lines(), Not(Contains(HasSubstr("other"))));
}

TEST_F(DeviationsTest, AMissingDirectoryMayListAsEmpty) {
  const FileSystem& fs = Load("children_of_nothing");
  EXPECT_THAT(*fs.GetChildren("deviant:///none"), IsEmpty());
  const FileSystem& tree =
      LoadWithout(Op::kFilesystem_delete_recursively, "children_of_nothing");
  Undeleted left;
  ExpectError(tree.DeleteRecursively("deviant:///none", &left),
              StatusCode::kNotFound, "nothing there");
  EXPECT_EQ(left.directories, 1);
  const FileSystem& glob =
      LoadWithout(Op::kFilesystem_get_matching_paths, "children_of_nothing");
  EXPECT_THAT(*glob.GetMatchingPaths("deviant:///none/*"), IsEmpty());
}

TEST_F(DeviationsTest, DamagedListsAreRefused) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"children_null_array", "returned 2 entries in a null array"},
      {"children_null_entry", "returned null as entry 1 of 2"},
      {"children_negative", "returned -1 entries in an array"}};
  for (const auto& [variant, message] : cases) {
    const FileSystem& fs = Load(variant);
    ExpectError(fs.GetChildren(kDir).status(), StatusCode::kInternal, message);
    ExpectError(fs.GetMatchingPaths("deviant:///dir/*").status(),
                StatusCode::kInternal, message);
  }
}

// --- Creating and deleting ---

TEST_F(DeviationsTest, CountsThatAreLeftUnsetAreAsTheContractSays) {
  const FileSystem& fs = Load("undeleted_unset");
  Undeleted left = {7, 7};
  EXPECT_EQ(fs.DeleteRecursively(kDir, &left), absl::OkStatus());
  EXPECT_EQ(left.files, 0);
  EXPECT_EQ(left.directories, 0);
  EXPECT_FALSE(fs.DeleteRecursively("deviant:///none", &left).ok());
  EXPECT_EQ(left.files, 0);
  EXPECT_EQ(left.directories, 1);
}

TEST_F(DeviationsTest, CountsThatAreSetAreThePlugins) {
  Undeleted left;
  EXPECT_FALSE(Load("none").DeleteRecursively(kFile, &left).ok());
  EXPECT_EQ(left.files, 3);
  EXPECT_EQ(left.directories, 2);
}

TEST_F(DeviationsTest, AStoreWhoseDirectoriesNeverExistEndsTheirCreation) {
  const FileSystem& fs = LoadWithout(Op::kFilesystem_recursively_create_dir,
                                     "create_dir_does_nothing");
  EXPECT_EQ(fs.RecursivelyCreateDir("deviant:///a/b/c"), absl::OkStatus());
  EXPECT_THAT(calls_.Lines(), Contains("create_dir /a/b/c"));
}

TEST_F(DeviationsTest, TheDefaultDeletesNoSiblings) {
  const FileSystem& fs =
      LoadWithout(Op::kFilesystem_delete_recursively, "deletes_siblings");
  fs.DeleteRecursively(kDir).IgnoreError();
  EXPECT_THAT(calls_.Lines(), Contains("delete_file /dir/file"));
  EXPECT_THAT(calls_.Lines(), Not(Contains("deleted /dir*")));
}

// --- Names ---

TEST_F(DeviationsTest, AnIdentityForTranslateNameIsTakenAsItIs) {
  const FileSystem& fs = Load("translate_identity");
  EXPECT_EQ(*fs.TranslateName("deviant://host//a"), "deviant://host//a");
  EXPECT_FALSE(fs.FileExists(kFile).ok());
  EXPECT_THAT(calls_.Lines(), Contains("path_exists deviant:///dir/file"));
}

TEST_F(DeviationsTest, ANullNameIsAnErrorOfEveryOperation) {
  const FileSystem& fs = Load("translate_null");
  for (const NamedCall& each : CallsOn(kFile)) {
    const std::string op = each.op;
    if (op == "get_matching_paths" ||
        op.find("configuration") != std::string::npos) {
      continue;  // they take no path
    }
    ExpectError(each.call(fs), StatusCode::kInternal,
                "deviant:///dir/file: the plugin reported OK but returned null "
                "instead of a path (translate_name)");
  }
}

TEST_F(DeviationsTest, APointerIntoANameIsNotFreed) {
  const FileSystem& fs = Load("translate_inside");
  memory_.Clear();
  EXPECT_EQ(*fs.TranslateName("deviant:///dir/file"), "/dir/file");
  EXPECT_EQ(fs.FileExists("deviant:///dir/file"), absl::OkStatus());
  EXPECT_EQ(*fs.TranslateName("deviant://" + std::string(1'000, 'a')),
            std::string(1'000, 'a'));
  EXPECT_THAT(memory_.Lines(), IsEmpty());
}

TEST_F(DeviationsTest, TheSamePointerForANameIsNotFreed) {
  const FileSystem& fs = Load("translate_same");
  memory_.Clear();
  EXPECT_EQ(*fs.TranslateName("/dir/file"), "/dir/file");
  EXPECT_EQ(fs.FileExists("/dir/file"), absl::OkStatus());
  EXPECT_EQ(*fs.TranslateName(std::string(1'000, 'a')),
            std::string(1'000, 'a'));
  EXPECT_THAT(memory_.Lines(), IsEmpty());
}

// --- Exceptions ---

TEST_F(DeviationsTest, AnExceptionFromAnyOperationIsAnInternalError) {
  const FileSystem& fs = Load("throws");
  std::vector<NamedCall> calls = CallsOn(kFile);
  for (NamedCall& each : CallsWithoutPath()) calls.push_back(std::move(each));
  for (const NamedCall& each : calls) {
    const absl::Status status = each.call(fs);
    ExpectError(status, StatusCode::kInternal,
                "the plugin threw std::runtime_error: out of luck");
    ExpectError(status, StatusCode::kInternal, each.op);
  }
}

TEST_F(DeviationsTest, AnExceptionThatIsNoObjectIsAnInternalError) {
  const FileSystem& fs = Load("throws_int");
  ExpectError(fs.Stat(kFile).status(), StatusCode::kInternal,
              "deviant:///dir/file: the plugin threw int (stat)");
}

TEST_F(DeviationsTest, AnExceptionFromAFileIsAnInternalError) {
  const FileSystem& fs = Load("throws_in_files");
  const std::string threw = "the plugin threw std::runtime_error: out of luck";
  ExpectError(ReadAll(fs, kFile, 1).status(), StatusCode::kInternal,
              "deviant:///dir/file: " + threw + " (read)");
  ExpectError(fs.NewReadOnlyMemoryRegionFromFile(kFile).status(),
              StatusCode::kInternal, threw);
  const auto file = fs.NewWritableFile("deviant:///a");
  ExpectError((*file)->Append("a"), StatusCode::kInternal, "(append)");
  ExpectError((*file)->Tell().status(), StatusCode::kInternal, "(tell)");
  ExpectError((*file)->Flush(), StatusCode::kInternal, "(flush)");
  ExpectError((*file)->Sync(), StatusCode::kInternal, "(sync)");
  ExpectError((*file)->Close(), StatusCode::kInternal, "(close)");
}

TEST_F(DeviationsTest, AnExceptionFromACleanupIsLogged) {
  const FileSystem& fs = Load("throws_in_files");
  ASSERT_TRUE(fs.NewRandomAccessFile(kFile).ok());
  EXPECT_THAT(calls_.Lines(), Contains("cleanup_read /dir/file"));
  Load("throws");
  CapturedOutput captured(STDERR_FILENO);
  file_system_.reset();
  EXPECT_EQ(calls_.Lines().back(), "cleanup");
  EXPECT_EQ(captured.Stop(),
            "fsload: error: deviant://: the plugin threw std::runtime_error: "
            "out of luck (cleanup)\n");
}

TEST_F(DeviationsTest, AFreeThatThrowsIsRefused) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report =
      LoadPlugin("testdata/deviant_throws_in_free.so", options);
  EXPECT_THAT(report.status.ToString(), HasSubstr("FSP199"));
  EXPECT_THAT(registry.Schemes(), IsEmpty());
}

// --- Loading and logging ---

TEST_F(DeviationsTest, AnInitThatTrustsTheEnvironmentIsRefused) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report =
      LoadPlugin("testdata/deviant_init_null_getenv.so", options);
  EXPECT_THAT(report.status.ToString(), HasSubstr("std::logic_error"));
  EXPECT_THAT(registry.Schemes(), IsEmpty());
}

TEST_F(DeviationsTest, UserDataIsNoFormat) {
  const FileSystem& fs = Load("user_data_as_format");
  CapturedOutput captured(STDERR_FILENO);
  EXPECT_EQ(fs.FileExists("deviant:///%s%n%s%n%d").code(),
            StatusCode::kNotFound);
  EXPECT_THAT(captured.Stop(), HasSubstr("/"));
}

TEST_F(DeviationsTest, AFatalMessageDoesNotEndTheHost) {
  const FileSystem& fs = Load("fatal_log");
  CapturedOutput captured(STDERR_FILENO);
  EXPECT_EQ(fs.FileExists(kFile), absl::OkStatus());
  EXPECT_THAT(captured.Stop(), HasSubstr("no way to go on: /dir/file"));
}

// --- Transactions and configuration ---

TEST_F(DeviationsTest, ANullTokenIsRefused) {
  const FileSystem& fs = Load("token_null");
  const std::string message =
      "the plugin reported OK but returned null instead of a token";
  ExpectError(fs.StartTransaction().status(), StatusCode::kInternal, message);
  ExpectError(fs.GetTransactionForPath(kFile).status(), StatusCode::kInternal,
              message);
  ExpectError(fs.GetTokenOrStartTransaction(kFile).status(),
              StatusCode::kInternal, message);
}

TEST_F(DeviationsTest, ANullTextForATokenIsRefused) {
  TF_TransactionToken token = {nullptr, nullptr};
  ExpectError(Load("decode_null").DecodeTransaction(&token).status(),
              StatusCode::kInternal, "returned null instead of a text");
}

TEST_F(DeviationsTest, DamagedOptionsAreRefused) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"option_nameless", "an option without a name"},
      {"option_value_null", "option 'name' without a value"},
      {"option_type_unknown", "option 'name' of type 7"},
      {"option_buffer_null", "option 'name' with 3 bytes in a null buffer"},
      {"options_null", "in a null array"}};
  for (const auto& [variant, message] : cases) {
    const FileSystem& fs = Load(variant);
    ExpectError(fs.GetFilesystemConfiguration().status(), StatusCode::kInternal,
                message);
    ExpectError(fs.GetFilesystemConfigurationOption("name").status(),
                StatusCode::kInternal, message);
  }
  ExpectError(Load("options_negative").GetFilesystemConfiguration().status(),
              StatusCode::kInternal, "-1 options in an array");
}

TEST_F(DeviationsTest, DamagedKeysAreRefused) {
  ExpectError(Load("keys_null").GetFilesystemConfigurationKeys().status(),
              StatusCode::kInternal, "returned 2 keys in a null block");
  ExpectError(Load("keys_negative").GetFilesystemConfigurationKeys().status(),
              StatusCode::kInternal, "returned -1 keys in a block");
}

}  // namespace
}  // namespace fsload
