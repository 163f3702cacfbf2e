#include "core/copies/confirmed_lookup.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/op_observer.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A plugin whose stat returns NOT_FOUND for everything it may not see, like
// that of s3 for denied access and failing servers.
class ConfirmedLookupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    hidden_.clear();
    before_listing_ = nullptr;
    listing_ = TF_OK;
    said_ = "the listing fails";
    reading_ = TF_OK;
    original_ = MemoryTree::Tables();
    tree_.AddFile("/d/file", "contents");
  }

  static SchemeTables Tables() {
    SchemeTables tables = MemoryTree::Tables();
    tables.filesystem.stat = &Stat;
    tables.filesystem.get_children = &GetChildren;
    tables.filesystem.new_random_access_file = &OpenToRead;
    return tables;
  }

  FileSystemPtr Open(const PluginTraits& traits = {}) {
    SchemeTables tables = Tables();
    tables.traits = traits;
    return tree_.Open(tables);
  }

  static PluginTraits ReadingTells() {
    PluginTraits traits;
    traits.reading_tells = true;
    return traits;
  }

  static void Stat(const TF_Filesystem* filesystem, const char* path,
                   TF_FileStatistics* statistics, TF_Status* status) {
    if (path != hidden_) {
      return original_.filesystem.stat(filesystem, path, statistics, status);
    }
    TF_SetStatus(status, TF_NOT_FOUND, "HEAD: 403");
  }

  static int GetChildren(const TF_Filesystem* filesystem, const char* path,
                         char*** entries, TF_Status* status) {
    if (before_listing_ != nullptr) before_listing_();
    if (listing_ == TF_OK) {
      return original_.filesystem.get_children(filesystem, path, entries,
                                               status);
    }
    TF_SetStatus(status, listing_, said_.c_str());
    return -1;
  }

  static void OpenToRead(const TF_Filesystem* filesystem, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status) {
    if (reading_ == TF_OK) {
      return original_.filesystem.new_random_access_file(filesystem, path, file,
                                                         status);
    }
    TF_SetStatus(status, reading_, "reading fails");
  }

  static std::string hidden_;
  static std::function<void()> before_listing_;
  static TF_Code listing_;
  static std::string said_;
  static TF_Code reading_;
  static SchemeTables original_;
  MemoryTree tree_;
};

std::string ConfirmedLookupTest::hidden_;
std::function<void()> ConfirmedLookupTest::before_listing_;
TF_Code ConfirmedLookupTest::listing_ = TF_OK;
std::string ConfirmedLookupTest::said_;
TF_Code ConfirmedLookupTest::reading_ = TF_OK;
SchemeTables ConfirmedLookupTest::original_;

TEST_F(ConfirmedLookupTest, FindsWhatIsThere) {
  const auto found = Open()->StatIfExists("/d/file");
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->length, 8);
}

TEST_F(ConfirmedLookupTest, BelievesThatAFileIsMissingWhereTheListingAgrees) {
  const auto found = Open()->StatIfExists("/d/other");
  EXPECT_EQ(found.status(), absl::OkStatus());
  EXPECT_FALSE(found->has_value());
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 1);
}

TEST_F(ConfirmedLookupTest, CannotTellWhereTheListingHasTheFile) {
  hidden_ = "/d/file";
  EXPECT_EQ(Open()->StatIfExists("/d/file").status(),
            absl::UnavailableError(
                "/d/file: the plugin reported that it does not exist, but this "
                "could not be confirmed (another operation of the plugin finds "
                "it) (stat)"));
}

TEST_F(ConfirmedLookupTest, SaysWhyTheListingDidNotTell) {
  hidden_ = "/d/file";
  for (const auto& [code, wanted] :
       {std::pair(TF_PERMISSION_DENIED, absl::StatusCode::kPermissionDenied),
        std::pair(TF_UNAUTHENTICATED, absl::StatusCode::kPermissionDenied),
        std::pair(TF_FAILED_PRECONDITION, absl::StatusCode::kUnavailable),
        std::pair(TF_INTERNAL, absl::StatusCode::kUnavailable),
        std::pair(TF_UNKNOWN, absl::StatusCode::kUnavailable)}) {
    listing_ = code;
    const absl::Status status = Open()->StatIfExists("/d/file").status();
    EXPECT_EQ(status.code(), wanted);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("does not exist (HEAD: 403), but"),
                      HasSubstr("the listing fails")));
  }
}

TEST_F(ConfirmedLookupTest, AsksUpwardWhereTheDirectoryIsMissing) {
  const auto files = Open();
  auto found = files->StatIfExists("/d/x/y/z");
  EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
  found = files->StatIfExists("relative");
  EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
}

TEST_F(ConfirmedLookupTest, CannotTellBelowADirectoryThatIsDenied) {
  tree_.deviations.missing_folder_lists_as_empty = true;
  hidden_ = "/d/file";
  listing_ = TF_PERMISSION_DENIED;
  EXPECT_TRUE(
      absl::IsPermissionDenied(Open()->StatIfExists("/d/file").status()));
}

TEST_F(ConfirmedLookupTest, BelievesAStoreThatListsAMissingDirectoryAsEmpty) {
  tree_.deviations.missing_folder_lists_as_empty = true;
  const auto found = Open()->StatIfExists("/new/file");
  EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
}

TEST_F(ConfirmedLookupTest, ReadsWhereThePluginCannotList) {
  listing_ = TF_UNIMPLEMENTED;
  const auto files = Open();
  const auto missing = files->StatIfExists("/d/other");
  EXPECT_TRUE(missing.ok() && !missing->has_value()) << missing.status();
  hidden_ = "/d/file";
  EXPECT_TRUE(absl::IsUnavailable(files->StatIfExists("/d/file").status()));
  reading_ = TF_PERMISSION_DENIED;
  EXPECT_TRUE(
      absl::IsPermissionDenied(files->StatIfExists("/d/file").status()));
}

TEST_F(ConfirmedLookupTest, HasRoomForAServersPage) {
  listing_ = TF_UNIMPLEMENTED;
  hidden_ = "/d/file";
  SchemeTables tables = Tables();
  tables.random_access_file.read = [](const TF_RandomAccessFile*, uint64_t,
                                      size_t n, char*,
                                      TF_Status* status) -> int64_t {
    TF_SetStatus(status, n < 100'000 ? TF_INTERNAL : TF_NOT_FOUND, "404");
    return -1;
  };
  const auto found = tree_.Open(tables)->StatIfExists("/d/file");
  EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
}

TEST_F(ConfirmedLookupTest, SaysOnceWhatThePluginSaysTwice) {
  listing_ = TF_UNKNOWN;
  said_ = "HEAD: 403";
  hidden_ = "/d/file";
  const std::string message(Open()->StatIfExists("/d/file").status().message());
  EXPECT_EQ(message.find(said_), message.rfind(said_)) << message;
  EXPECT_NE(message.find(said_), std::string::npos) << message;
}

TEST_F(ConfirmedLookupTest, KeepsTheErrorOfAWrongConfiguration) {
  listing_ = TF_INVALID_ARGUMENT;
  hidden_ = "/d/file";
  EXPECT_TRUE(
      absl::IsInvalidArgument(Open()->StatIfExists("/d/file").status()));
}

TEST_F(ConfirmedLookupTest, ListsADirectoryOnceForTwoThousandFiles) {
  const auto files = Open();
  for (int i = 0; i < 2000; ++i) {
    const auto found = files->StatIfExists("/d/new" + std::to_string(i));
    ASSERT_TRUE(found.ok() && !found->has_value());
  }
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 1);
  // What is in the listing is checked again.
  hidden_ = "/d/file";
  EXPECT_TRUE(absl::IsUnavailable(files->StatIfExists("/d/file").status()));
}

TEST_F(ConfirmedLookupTest, ListsADirectoryOnceForThreadsThatAskAtOnce) {
  const auto files = Open();
  before_listing_ = [] {
    // Until the other threads have asked, too.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&files, i] {
      const auto found = files->StatIfExists("/d/new" + std::to_string(i));
      EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 1);
}

// It does not wait longer for the one whose listing fails.
TEST_F(ConfirmedLookupTest, ListsADirectoryAgainWhoseListingFailedElsewhere) {
  const auto files = Open();
  std::promise<void> lists;
  std::atomic<int> listings{0};
  listing_ = TF_UNAVAILABLE;
  before_listing_ = [&] {
    if (++listings > 1) return;
    lists.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  };
  std::thread thread([&] {
    EXPECT_TRUE(absl::IsUnavailable(files->StatIfExists("/d/a").status()));
  });
  lists.get_future().wait();
  EXPECT_TRUE(absl::IsUnavailable(files->StatIfExists("/d/b").status()));
  thread.join();
  EXPECT_EQ(listings, 2);
}

TEST_F(ConfirmedLookupTest, ForgetsAListingThatAFlushOvertook) {
  const auto files = Open();
  before_listing_ = [&] { EXPECT_EQ(files->FlushCaches(), absl::OkStatus()); };
  for (const char* path : {"/d/a", "/d/b"}) {
    const auto found = files->StatIfExists(path);
    EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
  }
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 2);
}

// Asks for another file while a directory is listed.
class AskingObserver final : public OpObserver {
 public:
  void OnStart(const OpStart& start) override {
    if (start.op != Op::kFilesystem_get_children || answer.has_value()) return;
    answer = true;
    answer = files->StatIfExists("/d/b")->has_value();
  }

  void OnCall(const OpCall&) override {}

  const FileSystem* files = nullptr;
  std::optional<bool> answer;
};

TEST_F(ConfirmedLookupTest, AnswersAnObserverOfTheListing) {
  AskingObserver observer;
  SchemeTables tables = Tables();
  tables.observer = &observer;
  const auto files = tree_.Open(tables);
  observer.files = files.get();
  const auto found = files->StatIfExists("/d/a");
  EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
  EXPECT_EQ(observer.answer, false);
}

// The thread that lists is not there.
TEST_F(ConfirmedLookupTest, WaitsForNoListingInAForkedChild) {
  const auto files = Open();
  std::promise<void> lists;
  std::promise<void> forked;
  before_listing_ = [&] {
    lists.set_value();
    forked.get_future().wait();
  };
  std::thread thread([&] { EXPECT_TRUE(files->StatIfExists("/d/a").ok()); });
  lists.get_future().wait();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);  // in case it waits
    before_listing_ = nullptr;
    const auto found = files->StatIfExists("/d/b");
    if (!found.ok() || found->has_value()) _exit(1);
    _exit(files->FlushCaches().ok() ? 0 : 2);
  }
  forked.set_value();
  thread.join();
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ConfirmedLookupTest, ReadsTheFirstFewFilesWhereAListingIsDear) {
  const auto files = Open(ReadingTells());
  for (int i = 0; i < 100; ++i) {
    const auto found = files->StatIfExists("/d/new" + std::to_string(i));
    ASSERT_TRUE(found.ok() && !found->has_value()) << found.status();
  }
  EXPECT_EQ(tree_.calls(Op::kFilesystem_new_random_access_file), 4);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 4 + 1);
}

TEST_F(ConfirmedLookupTest, CannotTellWhereReadingIsDenied) {
  hidden_ = "/d/file";
  reading_ = TF_PERMISSION_DENIED;
  EXPECT_TRUE(absl::IsPermissionDenied(
      Open(ReadingTells())->StatIfExists("/d/file").status()));
}

TEST_F(ConfirmedLookupTest, DoesNotReadWhereFilesMayBeOverlooked) {
  const auto files = Open(ReadingTells());
  for (int i = 0; i < 100; ++i) {
    const auto found =
        files->StatIfExists("/d/new" + std::to_string(i), StatEffort::kCheap);
    ASSERT_TRUE(found.ok() && !found->has_value()) << found.status();
  }
  EXPECT_EQ(tree_.calls(Op::kFilesystem_new_random_access_file), 0);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 4 + 1);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 4 + 1);
}

TEST_F(ConfirmedLookupTest, OverlooksNoDirectory) {
  tree_.AddDirectory("/empty");
  tree_.deviations.missing_folder_lists_as_empty = true;
  const auto files = Open(ReadingTells());
  for (const char* path : {"/d", "/empty", "/empty/", "/"}) {
    const auto found = files->StatIfExists(path, StatEffort::kCheap);
    ASSERT_TRUE(found.ok() && found->has_value()) << path << found.status();
    EXPECT_TRUE((*found)->is_directory);
  }
  hidden_ = "/d";  // as "/d/" it is not
  const auto found = files->StatIfExists("/d", StatEffort::kCheap);
  EXPECT_TRUE(found.ok() && found->has_value()) << found.status();
  listing_ = TF_PERMISSION_DENIED;
  EXPECT_TRUE(absl::IsPermissionDenied(
      files->StatIfExists("/d/x", StatEffort::kCheap).status()));
}

TEST_F(ConfirmedLookupTest, AsksAnExactPluginOnce) {
  PluginTraits traits;
  traits.is_exact = true;
  const auto found = Open(traits)->StatIfExists("/d/other");
  EXPECT_TRUE(found.ok() && !found->has_value());
  EXPECT_EQ(tree_.calls(), 1);
}

TEST_F(ConfirmedLookupTest, FindsAFileWhoseNameDiffersInCaseBySecondStat) {
  tree_.AddFile("/d/README", "x");
  const auto found = Open()->StatIfExists("/d/readme");
  EXPECT_TRUE(found.ok() && !found->has_value()) << found.status();
}

// A listing that is remembered is older than the file.
TEST_F(ConfirmedLookupTest, CannotTellWhereTheProcessHasCreatedWhatStatMisses) {
  using Create = std::function<absl::Status(const FileSystem&)>;
  const Create creations[] = {
      [](const FileSystem& files) {
        return (*files.NewWritableFile("/d/new"))->Append("contents");
      },
      [](const FileSystem& files) { return files.CreateDir("/d/new"); },
      [](const FileSystem& files) {
        return files.RecursivelyCreateDir("/d/new/x/y");
      },
      [](const FileSystem& files) {
        return files.RenameFile("/src", "/d/new");
      },
      [](const FileSystem& files) { return files.CopyFile("/src", "/d/new"); },
      [](const FileSystem& files) { return files.CopyFile("/e/new", "/d"); },
      [](const FileSystem& files) {
        return files.CopyFileAs("/src", files, "/d/new");
      },
  };
  for (const bool has_all : {false, true}) {
    SchemeTables tables = Tables();
    if (has_all) {
      const SchemeTables all = MemoryTree::Tables(
          {Op::kFilesystem_rename_file, Op::kFilesystem_copy_file});
      tables.filesystem.rename_file = all.filesystem.rename_file;
      tables.filesystem.copy_file = all.filesystem.copy_file;
    }
    for (const Create& create : creations) {
      if (has_all && &create == &creations[5]) continue;
      hidden_.clear();
      tree_.Clear();
      for (const char* file : {"/src", "/e/new", "/d/file"}) {
        tree_.AddFile(file, "contents");
      }
      const auto files = tree_.Open(tables);
      for (const char* path : {"/d/new", "/d/other"}) {
        const auto found = files->StatIfExists(path);
        ASSERT_TRUE(found.ok() && !found->has_value()) << found.status();
      }
      ASSERT_EQ(create(*files), absl::OkStatus()) << &create - creations;
      hidden_ = "/d/new";
      // As a directory it is found by another name.
      const auto found = files->StatIfExists("/d/new");
      EXPECT_TRUE(absl::IsUnavailable(found.status()) ||
                  (found.ok() && found->has_value() && (*found)->is_directory))
          << &create - creations << ", " << has_all;
      CopyOptions options;
      options.overwrite = false;
      EXPECT_FALSE(
          files->CopyFileAs("/d/file", *files, "/d/new", options).ok());
    }
  }
}

// It is created when the plugin has listed its directory, and before that is
// remembered.
TEST_F(ConfirmedLookupTest, AddsToAListingWhatIsCreatedMeanwhile) {
  const auto files = Open();
  tree_.after_call = [&](Op op, uint64_t) {
    if (op == Op::kFilesystem_get_children && !tree_.Exists("/d/new")) {
      EXPECT_EQ((*files->NewWritableFile("/d/new"))->Append("contents"),
                absl::OkStatus());
    }
  };
  const auto other = files->StatIfExists("/d/other");
  EXPECT_TRUE(other.ok() && !other->has_value()) << other.status();
  hidden_ = "/d/new";
  EXPECT_TRUE(absl::IsUnavailable(files->StatIfExists("/d/new").status()));
}

// Nothing may be created in place of what cannot be seen.
TEST_F(ConfirmedLookupTest, NoCopyReplacesAFileThatCannotBeSeen) {
  tree_.AddFile("/src", "new");
  hidden_ = "/d/file";
  CopyOptions options;
  options.overwrite = false;
  const auto files = Open();
  EXPECT_TRUE(absl::IsUnavailable(
      files->CopyFileAs("/src", *files, "/d/file", options)));
  EXPECT_TRUE(absl::IsUnavailable(files->CopyFile("/src", "/d/file")));
  EXPECT_EQ(*tree_.Contents("/d/file"), "contents");
}

}  // namespace
}  // namespace fsload
