// What fsload makes of the answers of plugins that nobody has tested.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"

namespace fsload {
namespace {

constexpr int64_t kFrom1To1970 = 62'135'596'800;  // seconds

class UntestedPluginTest : public ::testing::Test {
 protected:
  UntestedPluginTest() {
    tables_.traits.is_untested = true;
    tree_.AddFile("/d/file", "1");
    tree_.AddDirectory("/empty");
  }

  // Takes each missing name for a directory, which it lists as empty.
  void InventDirectories() {
    tables_.filesystem.stat = [](const TF_Filesystem* filesystem,
                                 const char* path, TF_FileStatistics* found,
                                 TF_Status* status) {
      MemoryTree::Tables().filesystem.stat(filesystem, path, found, status);
      if (TF_GetCode(status) != TF_NOT_FOUND) return;
      *found = {0, 0, true};
      TF_SetStatus(status, TF_OK, "");
    };
    tables_.filesystem.is_directory = nullptr;
    tree_.deviations.missing_folder_lists_as_empty = true;
  }

  SchemeTables tables_ = MemoryTree::Tables();
  MemoryTree tree_;
};

TEST_F(UntestedPluginTest, ADirectoryThatItInventsIsMissing) {
  InventDirectories();
  const FileSystemPtr files = tree_.Open(tables_);
  EXPECT_EQ(files->Stat("/none").status(),
            absl::NotFoundError("/none: does not exist (stat)"));
  EXPECT_EQ(files->IsDirectory("/none").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(files->DeleteRecursively("/none").code(),
            absl::StatusCode::kNotFound);
  EXPECT_TRUE(files->Stat("/d")->is_directory);
  EXPECT_FALSE(files->Stat("/d/file")->is_directory);
}

TEST_F(UntestedPluginTest, AnEmptyDirectoryOfARightPluginIsOne) {
  const FileSystemPtr files = tree_.Open(tables_);
  ASSERT_TRUE(files->Stat("/empty").ok());
  EXPECT_TRUE(files->Stat("/empty")->is_directory);
  EXPECT_EQ(files->Stat("/none").status().code(), absl::StatusCode::kNotFound);
}

// As the hdfs plugin does where libhdfs fails.
template <int error>
int ListNothing(const TF_Filesystem*, const char*, char***, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
  errno = error;
  return 0;
}

TEST_F(UntestedPluginTest, AListingThatLeavesAnErrorNumberHasFailed) {
  tables_.traits.empty_listing_sets_errno = true;
  const auto list = [&](auto get_children) {
    tables_.filesystem.get_children = get_children;
    return tree_.Open(tables_)->GetChildren("/d").status();
  };
  EXPECT_EQ(list(&ListNothing<0>), absl::OkStatus());
  EXPECT_EQ(list(&ListNothing<EACCES>).code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(list(&ListNothing<255>),
            absl::UnavailableError(
                "/d: the plugin listed nothing, and its library reported an "
                "error (errno 255) (get_children)"));
}

// As the hdfs plugin does.
TEST_F(UntestedPluginTest, AFileThatItListsAsItsOwnContentIsNoDirectory) {
  tables_.filesystem.get_children = [](const TF_Filesystem*, const char*,
                                       char*** entries, TF_Status* status) {
    TF_SetStatus(status, TF_OK, "");
    *entries = static_cast<char**>(std::calloc(1, sizeof(char*)));
    **entries = strdup("file");
    return 1;
  };
  tree_.AddDirectory("/file");
  const FileSystemPtr files = tree_.Open(tables_);
  EXPECT_EQ(files->GetChildren("/d/file").status(),
            absl::FailedPreconditionError(
                "/d/file: is a file, not a directory (get_children)"));
  for (const char* path : {"/d", "/file"}) {
    EXPECT_TRUE(files->GetChildren(path).ok()) << path;
  }
  // So nothing is below it.
  tables_.filesystem.stat = [](const TF_Filesystem* filesystem,
                               const char* path, TF_FileStatistics* found,
                               TF_Status* status) {
    MemoryTree::Tables().filesystem.stat(filesystem, path, found, status);
    if (TF_GetCode(status) == TF_FAILED_PRECONDITION) {
      TF_SetStatus(status, TF_NOT_FOUND, "");
    }
  };
  const auto found = tree_.Open(tables_)->StatIfExists("/d/file/x");
  EXPECT_EQ(found.status(), absl::OkStatus());
  EXPECT_FALSE(found.ok() && found->has_value());
}

TEST_F(UntestedPluginTest, ADirectoryThatIsMissingAsAFileIsADirectory) {
  tables_.filesystem.new_random_access_file =
      [](const TF_Filesystem*, const char*, TF_RandomAccessFile*,
         TF_Status* status) {
        TF_SetStatus(status, TF_NOT_FOUND, "no such file");
      };
  const FileSystemPtr files = tree_.Open(tables_);
  EXPECT_EQ(files->NewRandomAccessFile("/d").status(),
            absl::FailedPreconditionError(
                "/d: is a directory, not a file (new_random_access_file)"));
  for (const char* path : {"/none", "/d/file"}) {
    EXPECT_EQ(files->NewRandomAccessFile(path).status().code(),
              absl::StatusCode::kNotFound)
        << path;
  }
}

TEST_F(UntestedPluginTest, TimesSinceTheYear1AreThoseSince1970) {
  tables_.traits.counts_from_year_1 = true;
  constexpr int64_t kTime = 1'700'000'000'000'000'000;
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found.mtime_nsec = static_cast<int64_t>(
        static_cast<uint64_t>(kTime) + uint64_t{kFrom1To1970} * 1'000'000'000);
  };
  EXPECT_EQ(tree_.Open(tables_)->Stat("/d/file")->mtime_nsec, kTime);
  tables_.traits.is_untested = false;
  EXPECT_EQ(tree_.Open(tables_)->Stat("/d/file")->mtime_nsec, kTime);
}

// Without a code of its own for a directory, as libhdfs.
TEST_F(UntestedPluginTest, ADirectoryThatIsNoFileForAnUnknownReasonIsEntered) {
  tables_.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                      const char* path, TF_Status* status) {
    MemoryTree::Tables().filesystem.delete_file(filesystem, path, status);
    if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_UNKNOWN, "255");
  };
  EXPECT_EQ(tree_.Open(tables_)->DeleteRecursively("/d").code(),
            absl::StatusCode::kUnknown);
  tables_.traits.has_no_links = true;
  EXPECT_EQ(tree_.Open(tables_)->DeleteRecursively("/d"), absl::OkStatus());
  EXPECT_FALSE(tree_.Exists("/d"));
}

// Plugins report all of a server's answers as one code, and quote its status.
TEST_F(UntestedPluginTest, AServersStatusInTheMessageIsTheCode) {
  const auto code_of = [&](auto stat) {
    tables_.filesystem.stat = stat;
    return tree_.Open(tables_)->Stat("/d").status().code();
  };
  EXPECT_EQ(code_of([](const TF_Filesystem*, const char*, TF_FileStatistics*,
                       TF_Status* status) {
              TF_SetStatus(status, TF_INTERNAL, "denied (Status: 403 no)");
            }),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(code_of([](const TF_Filesystem*, const char*, TF_FileStatistics*,
                       TF_Status*) {
              throw std::runtime_error("404 The container does not exist.");
            }),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of([](const TF_Filesystem*, const char*, TF_FileStatistics*,
                       TF_Status*) { throw std::runtime_error("4041"); }),
            absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace fsload
