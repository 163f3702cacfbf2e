#include <linux/capability.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/plugin_file_system.h"
#include "core/testing/local_files.h"
#include "core/testing/memory_tree.h"
#include "core/testing/small_stack.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

void ExpectUndeleted(const Undeleted& found, const Undeleted& wanted) {
  EXPECT_EQ(found.files, wanted.files);
  EXPECT_EQ(found.directories, wanted.directories);
}

class DeleteRecursivelyTest : public ::testing::Test {
 protected:
  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
  Undeleted undeleted_ = {7, 7};
};

TEST_F(DeleteRecursivelyTest, DeletesAllAndNothingBesides) {
  tree_.AddFile("/root/a/b/file");
  tree_.AddFile("/root/file");
  tree_.AddDirectory("/root/empty");
  tree_.AddFile("/root2/file", "kept");
  EXPECT_EQ(files_->DeleteRecursively("/root", &undeleted_), absl::OkStatus());
  ExpectUndeleted(undeleted_, {0, 0});
  EXPECT_THAT(tree_.Snapshot(),
              ElementsAre(Pair("/", "directory"), Pair("/root2", "directory"),
                          Pair("/root2/file", "file: kept")));
}

TEST_F(DeleteRecursivelyTest, BelievesNoSuccessThatLeavesFiles) {
  tree_.AddFile("/root/file");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_recursively = [](const TF_Filesystem*, const char*,
                                            uint64_t* files,
                                            uint64_t* directories, TF_Status*) {
    *files = 1;
    *directories = 2;
  };
  EXPECT_EQ(tree_.Open(tables)->DeleteRecursively("/root", &undeleted_),
            absl::DataLossError("/root: the plugin reported success, but also "
                                "that something is left (files: 1, "
                                "directories: 2) (delete_recursively)"));
  ExpectUndeleted(undeleted_, {1, 2});
}

TEST_F(DeleteRecursivelyTest, DeletesWhatIsInABucketAndNotTheBucket) {
  const FileSystemPtr files =
      tree_.Open(MemoryTree::Tables({Op::kFilesystem_translate_name}));
  for (const char* root : {"tree://bucket", "tree://bucket/"}) {
    tree_.AddFile("tree://bucket/a/file");
    EXPECT_EQ(files->DeleteRecursively(root, &undeleted_), absl::OkStatus());
    ExpectUndeleted(undeleted_, {0, 0});
    EXPECT_TRUE(tree_.Exists("tree://bucket"));
    EXPECT_FALSE(tree_.Exists("tree://bucket/a"));
  }
}

TEST_F(DeleteRecursivelyTest, OfABucketFailsIfAFileStays) {
  SchemeTables tables = MemoryTree::Tables({Op::kFilesystem_translate_name});
  tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                     TF_Status*) {};
  tree_.AddFile("tree://bucket/file");
  const absl::Status status =
      tree_.Open(tables)->DeleteRecursively("tree://bucket", &undeleted_);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  ExpectUndeleted(undeleted_, {1, 1});
}

// delete_file is denied, and is_directory does not find what is there.
TEST_F(DeleteRecursivelyTest, FailsIfTheDirectoryIsSaidToBeGoneOnce) {
  static SchemeTables original;
  static int asked = 0;
  asked = 0;
  original = MemoryTree::Tables();
  SchemeTables tables = original;
  tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                     TF_Status* status) {
    TF_SetStatus(status, TF_PERMISSION_DENIED, "denied");
  };
  tables.filesystem.is_directory = [](const TF_Filesystem* filesystem,
                                      const char* path, TF_Status* status) {
    if (++asked == 2) {
      TF_SetStatus(status, TF_NOT_FOUND, "no such path");
      return false;
    }
    return original.filesystem.is_directory(filesystem, path, status);
  };
  tree_.AddFile("/d/file");
  EXPECT_TRUE(
      absl::IsPermissionDenied(tree_.Open(tables)->DeleteRecursively("/d")));
  EXPECT_TRUE(tree_.Exists("/d/file"));
}

// A store that lists what is there, and denies all else in several ways.
struct Failing {
  struct Case {
    std::string root;
    TF_Code delete_file;
    TF_Code is_directory;  // of all but the root, at first
    TF_Code delete_dir;
    TF_Code get_children;  // of the root, from the second listing on
    // Whether is_directory and stat find the root no more, once it is listed.
    bool hides_root;
    absl::StatusCode result;
    Undeleted left;
  };
  static inline Case now;
  static inline SchemeTables original;
  static inline std::atomic<int> listings{0};

  static bool IsHidden(const char* path) {
    const bool is_root = path == now.root;
    return is_root ? now.hides_root && listings > 0 : now.is_directory != TF_OK;
  }

  static SchemeTables Tables() {
    original = MemoryTree::Tables({Op::kFilesystem_translate_name});
    SchemeTables tables = original;
    tables.filesystem.delete_file = [](const TF_Filesystem*, const char* path,
                                       TF_Status* status) {
      TF_SetStatus(status,
                   path == now.root ? TF_FAILED_PRECONDITION : now.delete_file,
                   "delete_file fails");
    };
    tables.filesystem.delete_dir = [](const TF_Filesystem*, const char*,
                                      TF_Status* status) {
      TF_SetStatus(status, now.delete_dir, "delete_dir fails");
    };
    tables.filesystem.is_directory = [](const TF_Filesystem* filesystem,
                                        const char* path, TF_Status* status) {
      if (!IsHidden(path)) {
        return original.filesystem.is_directory(filesystem, path, status);
      }
      TF_SetStatus(status, TF_NOT_FOUND, "is_directory fails");
      return false;
    };
    tables.filesystem.stat = [](const TF_Filesystem* filesystem,
                                const char* path, TF_FileStatistics* found,
                                TF_Status* status) {
      if (!IsHidden(path)) {
        return original.filesystem.stat(filesystem, path, found, status);
      }
      TF_SetStatus(status, TF_NOT_FOUND, "stat fails");
    };
    tables.filesystem.get_children = [](const TF_Filesystem* filesystem,
                                        const char* path, char*** entries,
                                        TF_Status* status) {
      if (++listings == 1 || now.get_children == TF_OK || path != now.root) {
        return original.filesystem.get_children(filesystem, path, entries,
                                                status);
      }
      TF_SetStatus(status, now.get_children, "get_children fails");
      return -1;
    };
    return tables;
  }
};

TEST_F(DeleteRecursivelyTest, IsNotOkForWhatIsDeniedAndThenNotFound) {
  using Code = absl::StatusCode;
  const char* const kBucket = "tree://bucket";
  const char* const kFolder = "tree://bucket/d";
  const Failing::Case cases[] = {
      {kBucket,
       TF_PERMISSION_DENIED,
       TF_NOT_FOUND,
       TF_OK,
       TF_OK,
       false,
       Code::kPermissionDenied,
       {1, 1}},
      {kFolder,
       TF_UNKNOWN,
       TF_NOT_FOUND,
       TF_UNKNOWN,
       TF_OK,
       true,
       Code::kUnknown,
       {1, 1}},
      {kFolder,
       TF_NOT_FOUND,
       TF_NOT_FOUND,
       TF_NOT_FOUND,
       TF_OK,
       true,
       Code::kUnavailable,
       {1, 1}},
      {kFolder,
       TF_OK,
       TF_NOT_FOUND,
       TF_UNKNOWN,
       TF_OK,
       true,
       Code::kUnavailable,
       {1, 1}},
      {kBucket,
       TF_UNKNOWN,
       TF_NOT_FOUND,
       TF_OK,
       TF_UNAVAILABLE,
       false,
       Code::kUnknown,
       {1, 1}},
      {kFolder,
       TF_UNKNOWN,
       TF_NOT_FOUND,
       TF_UNKNOWN,
       TF_NOT_FOUND,
       true,
       Code::kUnknown,
       {0, 1}},
  };
  const FileSystemPtr files = tree_.Open(Failing::Tables());
  for (const Failing::Case& each : cases) {
    SCOPED_TRACE(&each - cases);
    tree_.Clear();
    tree_.AddFile(each.root + "/file");
    Failing::now = each;
    Failing::listings = 0;
    const absl::Status status =
        files->DeleteRecursively(each.root, &undeleted_);
    EXPECT_EQ(status.code(), each.result) << status;
    ExpectUndeleted(undeleted_, each.left);
    ASSERT_TRUE(files->FlushCaches().ok());
  }
}

#if !defined(ABSL_HAVE_ADDRESS_SANITIZER) && \
    !defined(ABSL_HAVE_THREAD_SANITIZER)  // with which it takes minutes
// A server that shows its root at each path.
struct Endless {
  static inline std::atomic<int> listings{0};

  static SchemeTables Tables() {
    SchemeTables tables = MemoryTree::Tables();
    tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                       TF_Status* status) {
      TF_SetStatus(status, TF_FAILED_PRECONDITION, "is a directory");
    };
    tables.filesystem.is_directory = [](const TF_Filesystem*, const char*,
                                        TF_Status*) { return true; };
    tables.filesystem.get_children = [](const TF_Filesystem* filesystem,
                                        const char*, char*** entries,
                                        TF_Status* status) {
      if (++listings > 50'000) {
        TF_SetStatus(status, TF_INTERNAL, "too many calls");
        return -1;
      }
      return MemoryTree::Tables().filesystem.get_children(filesystem, "/",
                                                          entries, status);
    };
    return tables;
  }
};

TEST_F(DeleteRecursivelyTest, EndsWhereDirectoriesAreNestedWithoutEnd) {
  Endless::listings = 0;
  tree_.AddDirectory("/x");
  const absl::Status status =
      tree_.Open(Endless::Tables())->DeleteRecursively("/x", &undeleted_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status.code();
  EXPECT_THAT(status.message(), HasSubstr("nested directories"));
  EXPECT_GT(undeleted_.directories, 0);
  EXPECT_LT(Endless::listings, 30'000);
}
#endif

TEST_F(DeleteRecursivelyTest, CountsOneDirectoryWhereThereIsNothing) {
  EXPECT_EQ(files_->DeleteRecursively("/none", &undeleted_),
            absl::NotFoundError("/none: there is nothing (is_directory)"));
  ExpectUndeleted(undeleted_, {0, 1});
}

TEST_F(DeleteRecursivelyTest, RefusesAFile) {
  tree_.AddFile("/file");
  EXPECT_EQ(files_->DeleteRecursively("/file", &undeleted_),
            absl::FailedPreconditionError(
                "/file: is a file, not a directory (delete_recursively)"));
  ExpectUndeleted(undeleted_, {0, 1});
  EXPECT_TRUE(tree_.Exists("/file"));
}

TEST_F(DeleteRecursivelyTest, AsksNothingAboutFilesThatItDeletes) {
  for (int i = 0; i < 10; ++i) tree_.AddFile("/root/" + std::to_string(i));
  EXPECT_EQ(files_->DeleteRecursively("/root"), absl::OkStatus());
  EXPECT_EQ(tree_.calls(Op::kFilesystem_is_directory), 1);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 0);
}

TEST_F(DeleteRecursivelyTest, NamesTheOperationsThatAreMissing) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.get_children = nullptr;
  tables.filesystem.delete_dir = nullptr;
  EXPECT_EQ(
      tree_.Open(tables)->DeleteRecursively("/a", &undeleted_),
      absl::UnimplementedError(
          "/a: the plugin lacks delete_recursively, and the default needs "
          "get_children and delete_dir, missing too (delete_recursively)"));
  ExpectUndeleted(undeleted_, {0, 1});
}

TEST_F(DeleteRecursivelyTest, CountsATreeTenThousandDeepInASmallStack) {
  std::string path = "/root";
  for (int i = 0; i < 10'000; ++i) path += "/d";
  tree_.AddDirectory(path);
  // delete_file of /root/d: after is_directory, delete_file and get_children of
  // /root.
  tree_.fault = {4, Fault::When::kBefore, TF_PERMISSION_DENIED};
  absl::Status status;
  RunInSmallStack(
      [&] { status = files_->DeleteRecursively("/root", &undeleted_); });
  EXPECT_EQ(status,
            absl::PermissionDeniedError("/root/d: injected (delete_file)"));
  ExpectUndeleted(undeleted_, {0, 10'001});
}

// A kind of file system.
struct Store {
  std::string name;
  Deviations deviations;

  friend void PrintTo(const Store& store, std::ostream* out) {
    *out << store.name;
  }
};

std::vector<Store> Stores() {
  std::vector<Store> stores = {{"Local", {}}};
  for (const Refusal file : {Refusal::kFailedPrecondition, Refusal::kNotFound,
                             Refusal::kOkAndNothing}) {
    for (const Refusal dir :
         {Refusal::kFailedPrecondition, Refusal::kOkAndNothing}) {
      for (const bool prefixes : {false, true}) {
        Store store;
        store.name = "Objects" + std::to_string(stores.size());
        store.deviations.delete_file_of_folder = file;
        store.deviations.delete_dir_of_full_folder = dir;
        store.deviations.folders_vanish_when_empty = prefixes;
        store.deviations.missing_folder_lists_as_empty = true;
        store.deviations.children_end_in_slash = true;
        stores.push_back(store);
      }
    }
  }
  return stores;
}

using Tree = std::vector<std::string>;  // files; directories end in '/'

const Tree kTrees[] = {
    {"/root/"},
    {"/root/file"},
    {"/root/a/"},
    {"/root/a/file", "/root/b/file"},
    {"/root/a/b/c/file", "/root/a/b/file", "/root/a/file", "/root/file"},
    {"/root/1", "/root/2", "/root/a/1", "/root/a/2", "/root/a/b/", "/root/c/",
     "/root/z/1", "/root/z/y/x/", "/root/z/y/1"},
};

void Build(const Tree& paths, MemoryTree& tree) {
  for (const std::string& path : paths) {
    if (path.back() == '/') {
      tree.AddDirectory(path);
    } else {
      tree.AddFile(path);
    }
  }
  tree.AddFile("/sibling/file");
  tree.AddFile("/root.file");
}

class DeleteRecursivelyFaultTest : public ::testing::TestWithParam<Store> {
 protected:
  // Deletes a tree with one fault, and compares the result with what is left.
  // Returns whether the fault was reached.
  bool Check(const Tree& paths, const Fault& fault) {
    tree_.Clear();
    tree_.deviations = GetParam().deviations;
    Build(paths, tree_);
    tree_.keeps_records = true;
    tree_.fault = fault;
    Undeleted undeleted = {7, 7};
    const absl::Status status = files_->DeleteRecursively("/root", &undeleted);
    SCOPED_TRACE(testing::Message()
                 << "call " << fault.call << " code " << fault.code
                 << (fault.when == Fault::When::kAfter ? " after" : " before")
                 << " tree " << paths.back() << ": " << status);
    const Undeleted left = tree_.Count("/root");
    // L483: listing the root comes first.
    uint64_t first = 1;
    for (const CallRecord& call : tree_.records()) {
      if (call.op == Op::kFilesystem_get_children) break;
      ++first;
    }
    const bool started = status.ok() || fault.call > first;
    if (started) {
      ExpectUndeleted(undeleted, left);
    } else {
      ExpectUndeleted(undeleted, {0, 1});
    }
    EXPECT_EQ(status.ok(), undeleted.files + undeleted.directories == 0);
    if (!status.ok()) {
      EXPECT_EQ(status.code(), absl::StatusCode(fault.code));
      EXPECT_THAT(status.message(), HasSubstr("injected"));
    }
    EXPECT_TRUE(tree_.Exists("/sibling/file"));
    EXPECT_TRUE(tree_.Exists("/root.file"));
    return tree_.calls() >= fault.call;
  }

  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
};

TEST_P(DeleteRecursivelyFaultTest, DeletesAllWhereNothingFails) {
  for (const Tree& paths : kTrees) {
    EXPECT_FALSE(Check(paths, {UINT64_MAX}));
    EXPECT_FALSE(tree_.Exists("/root"));
  }
}

TEST_P(DeleteRecursivelyFaultTest, CountsExactlyWhatIsLeft) {
  int cases = 0;
  for (const Tree& paths : kTrees) {
    for (const auto when : {Fault::When::kBefore, Fault::When::kAfter}) {
      for (const TF_Code code : {TF_UNKNOWN, TF_PERMISSION_DENIED}) {
        for (uint64_t call = 1; Check(paths, {call, when, code}); ++call) {
          ++cases;
        }
      }
      for (uint64_t call = 1; Check(paths, {call, when, TF_INTERNAL, true});
           ++call) {
        ++cases;
      }
    }
  }
  std::printf("%d cases\n", cases);
  EXPECT_GT(cases, 350);
}

INSTANTIATE_TEST_SUITE_P(Stores, DeleteRecursivelyFaultTest,
                         ::testing::ValuesIn(Stores()),
                         [](const auto& test) { return test.param.name; });

TEST_F(DeleteRecursivelyTest, GoesOnAfterAFailureAndAnswersTheFirst) {
  Build({"/root/1", "/root/2", "/root/3"}, tree_);
  tree_.fault = {5, Fault::When::kBefore, TF_PERMISSION_DENIED};
  EXPECT_EQ(files_->DeleteRecursively("/root", &undeleted_),
            absl::PermissionDeniedError("/root/2: injected (delete_file)"));
  ExpectUndeleted(undeleted_, {1, 1});
  EXPECT_TRUE(tree_.Exists("/root/2"));
  EXPECT_FALSE(tree_.Exists("/root/3"));
}

class DeleteRecursivelyHostileChildTest
    : public ::testing::TestWithParam<std::string> {};

// After normalising the names none leads out of the root.
TEST_P(DeleteRecursivelyHostileChildTest, IsIgnoredWhereItLeadsNowhere) {
  for (const Store& store : Stores()) {
    MemoryTree tree;
    tree.deviations = store.deviations;
    Build({"/root/a/file"}, tree);
    tree.AddChild("/root", GetParam());
    tree.AddChild("/root/a", GetParam());
    EXPECT_EQ(tree.Open()->DeleteRecursively("/root"), absl::OkStatus());
    EXPECT_FALSE(tree.Exists("/root"));
    EXPECT_TRUE(tree.Exists("/sibling/file"));
  }
}

INSTANTIATE_TEST_SUITE_P(Names, DeleteRecursivelyHostileChildTest,
                         ::testing::Values("..", ".", "", "/", "//", "../",
                                           "./"));

class DeleteRecursivelyLeadingElsewhereTest
    : public ::testing::TestWithParam<std::string> {};

TEST_P(DeleteRecursivelyLeadingElsewhereTest, IsRefusedAndNothingThereTouched) {
  MemoryTree tree;
  Build({"/root/a/file", "/root/file"}, tree);
  tree.AddChild("/root", GetParam());
  tree.keeps_records = true;
  Undeleted undeleted;
  EXPECT_EQ(
      tree.Open()->DeleteRecursively("/root", &undeleted),
      absl::InternalError("/root: the plugin listed '" + GetParam() +
                          "', which is not a valid name; it is not followed "
                          "(get_children)"));
  ExpectUndeleted(undeleted, {1, 1});
  EXPECT_FALSE(tree.Exists("/root/file"));
  EXPECT_TRUE(tree.Exists("/sibling/file"));
  for (const CallRecord& call : tree.records()) {
    EXPECT_THAT(call.path, testing::AnyOf("/root", "/root/a", "/root/a/file",
                                          "/root/file"));
  }
}

INSTANTIATE_TEST_SUITE_P(Names, DeleteRecursivelyLeadingElsewhereTest,
                         ::testing::Values("/sibling/file", "a/file",
                                           "../sibling", "../sibling/file",
                                           "/sibling", "a/../../sibling"));

TEST_F(DeleteRecursivelyTest, TakesTheTrailingSlashOffAChild) {
  tree_.AddFile("/root/a/file");
  tree_.deviations.children_end_in_slash = true;
  tree_.keeps_records = true;
  EXPECT_EQ(files_->DeleteRecursively("/root"), absl::OkStatus());
  for (const CallRecord& call : tree_.records()) {
    EXPECT_NE(call.path.back(), '/');
  }
}

TEST_F(DeleteRecursivelyTest, GoesOnWhereAnotherDeletesTheSame) {
  Build({"/root/1", "/root/2", "/root/a/1"}, tree_);
  tree_.after_call = [this](Op op, uint64_t) {
    if (op != Op::kFilesystem_get_children) return;
    tree_.after_call = nullptr;
    for (const char* path : {"/root/1", "/root/a/1"}) {
      EXPECT_EQ(files_->DeleteFile(path), absl::OkStatus());
    }
    EXPECT_EQ(files_->DeleteDir("/root/a"), absl::OkStatus());
  };
  EXPECT_EQ(files_->DeleteRecursively("/root", &undeleted_), absl::OkStatus());
  EXPECT_FALSE(tree_.Exists("/root"));
}

// Symbolic links in a real file system.
class DeleteRecursivelyOnDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
    std::filesystem::create_directories(folder_ + "/root/a");
    std::filesystem::create_directory(folder_ + "/outside");
    std::ofstream(folder_ + "/outside/file") << "kept";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void ExpectOutsideIsWhole() const {
    std::string contents;
    std::ifstream(folder_ + "/outside/file") >> contents;
    EXPECT_EQ(contents, "kept");
  }

  bool RootExists() const {
    return std::filesystem::exists(
        std::filesystem::symlink_status(folder_ + "/root"));
  }

  void Link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, folder_ + name);
  }

  std::string folder_ = ::testing::TempDir() + "/deleteXXXXXX";
  const FileSystemPtr files_ = OpenLocalFiles();
  Undeleted undeleted_ = {7, 7};
};

TEST_F(DeleteRecursivelyOnDiskTest, RemovesLinksAndDoesNotFollowThem) {
  Link("../outside", "/root/to_directory");
  Link(folder_ + "/outside", "/root/a/to_directory");
  Link("../outside/file", "/root/to_file");
  Link("nowhere", "/root/dangling");
  Link("..", "/root/a/up");
  Link("circle", "/root/circle");
  EXPECT_EQ(files_->DeleteRecursively(folder_ + "/root", &undeleted_),
            absl::OkStatus());
  ExpectUndeleted(undeleted_, {0, 0});
  EXPECT_FALSE(RootExists());
  ExpectOutsideIsWhole();
}

TEST_F(DeleteRecursivelyOnDiskTest, RemovesALinkAsTheRoot) {
  std::filesystem::remove_all(folder_ + "/root");
  Link("outside", "/root");
  EXPECT_EQ(files_->DeleteRecursively(folder_ + "/root", &undeleted_),
            absl::OkStatus());
  ExpectUndeleted(undeleted_, {0, 0});
  EXPECT_FALSE(RootExists());
  ExpectOutsideIsWhole();
}

// A delete_file that refuses what stat takes for a directory, a link to one
// too.
struct Refusing {
  static inline TF_Code code = TF_OK;
  static inline void (*delete_file)(const TF_Filesystem*, const char*,
                                    TF_Status*) = nullptr;

  static void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                         TF_Status* status) {
    if (std::filesystem::is_directory(path)) {
      TF_SetStatus(status, code, "is a directory");
    } else {
      delete_file(filesystem, path, status);
    }
  }
};

TEST_F(DeleteRecursivelyOnDiskTest, FollowsNoLinkThatThePluginDoesNotDelete) {
  SchemeTables tables = TablesOf(*files_);
  Refusing::delete_file = tables.filesystem.delete_file;
  tables.filesystem.delete_file = &Refusing::DeleteFile;
  Link("outside", "/link");
  Link("../outside", "/root/link");
  Link("../../outside", "/root/a/link");
  struct Case {
    const char* root;
    Undeleted left;  // a link counts as one, whatever it leads to
  };
  const Case cases[] = {
      {"/link", {0, 1}}, {"/root/a", {1, 1}}, {"/root", {2, 2}}};
  for (const bool knows_links : {false, true}) {
    tables.traits.has_local_paths = knows_links;
    const auto sealed = OpTables::Seal({&tables, 1});
    const auto files =
        PluginFileSystem::Create(sealed->front(), "refusing", "the test");
    for (const TF_Code code : {TF_FAILED_PRECONDITION, TF_INVALID_ARGUMENT}) {
      Refusing::code = code;
      for (const Case& each : cases) {
        SCOPED_TRACE(each.root);
        const absl::Status status =
            (*files)->DeleteRecursively(folder_ + each.root, &undeleted_);
        EXPECT_EQ(status.code(), absl::StatusCode(code)) << status;
        EXPECT_THAT(status.message(), HasSubstr("link; it is not followed"));
        ExpectUndeleted(undeleted_, each.left);
        ExpectOutsideIsWhole();
      }
    }
  }
}

// Counts how many calls, each of which waits a while, run at once.
struct Waiting {
  static inline std::atomic<int> calls{0};
  static inline std::atomic<int> most{0};
  static inline void (*delete_file)(const TF_Filesystem*, const char*,
                                    TF_Status*) = nullptr;

  static void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                         TF_Status* status) {
    const int at_once = ++calls;
    for (int before = most;
         before < at_once && !most.compare_exchange_weak(before, at_once);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    delete_file(filesystem, path, status);
    --calls;
  }
};

TEST_F(DeleteRecursivelyOnDiskTest, AsksASlowStoreForSeveralThingsAtOnce) {
  SchemeTables tables = TablesOf(*files_);
  Waiting::delete_file = tables.filesystem.delete_file;
  tables.filesystem.delete_file = &Waiting::DeleteFile;
  const auto sealed = OpTables::Seal({&tables, 1});
  const auto slow =
      PluginFileSystem::Create(sealed->front(), "slow", "the test");
  for (const bool wide : {true, false}) {
    Waiting::most = 0;
    for (int i = 0; i < 24; ++i) {
      const std::string folder =
          folder_ + "/root/a" + (wide ? "" : std::to_string(i));
      std::filesystem::create_directories(folder);
      std::ofstream(folder + "/" + std::to_string(i)) << "x";
    }
    EXPECT_EQ((*slow)->DeleteRecursively(folder_ + "/root", &undeleted_),
              absl::OkStatus());
    ExpectUndeleted(undeleted_, {0, 0});
    EXPECT_FALSE(RootExists());
    EXPECT_GE(Waiting::most, 2) << (wide ? "in one folder" : "in many");
  }
}

TEST_F(DeleteRecursivelyOnDiskTest, DeletesWhatHasStrangeNames) {
  for (const char* name : {"...", " ", "\n", "*", "\xff", "-rf"}) {
    std::ofstream(folder_ + "/root/" + name) << "x";
  }
  EXPECT_EQ(files_->DeleteRecursively(folder_ + "/root", &undeleted_),
            absl::OkStatus());
  EXPECT_FALSE(RootExists());
}

// Runs `body` as a user whom permissions bind, unlike root; its result is the
// exit code.
int RunUnprivileged(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    const bool dropped = syscall(SYS_capset, &header, none) == 0;
    _exit(dropped ? body() : 100);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The link cannot be deleted because its directory is not writable; its target
// could be, and stays.
TEST_F(DeleteRecursivelyOnDiskTest, DoesNotFollowALinkThatItCannotDelete) {
  Link("../outside", "/root/link");
  ASSERT_EQ(chmod((folder_ + "/outside").c_str(), 0777), 0);
  ASSERT_EQ(chmod((folder_ + "/root").c_str(), 0555), 0);
  const int result = RunUnprivileged([&] {
    const absl::Status status =
        files_->DeleteRecursively(folder_ + "/root/", &undeleted_);
    if (!absl::IsPermissionDenied(status)) return 1;
    // The root, the empty directory in it, and the link, counted with the file
    // in its target: see core/defaults/defaults.h.
    return undeleted_.directories == 3 && undeleted_.files == 1 ? 0 : 2;
  });
  EXPECT_EQ(result, 0);
  ASSERT_EQ(chmod((folder_ + "/root").c_str(), 0755), 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "/root/link"));
  ExpectOutsideIsWhole();
}

TEST_F(DeleteRecursivelyOnDiskTest, CountsWhatAnotherUserMayNotDelete) {
  std::ofstream(folder_ + "/root/a/1") << "x";
  std::ofstream(folder_ + "/root/a/2") << "x";
  std::filesystem::create_directory(folder_ + "/root/b");
  ASSERT_EQ(chmod((folder_ + "/root").c_str(), 0777), 0);
  ASSERT_EQ(chmod((folder_ + "/root/b").c_str(), 0777), 0);
  ASSERT_EQ(chmod((folder_ + "/root/a").c_str(), 0555), 0);
  const int result = RunUnprivileged([&] {
    const absl::Status status =
        files_->DeleteRecursively(folder_ + "/root", &undeleted_);
    if (!absl::IsPermissionDenied(status)) return 1;
    return undeleted_.files == 2 && undeleted_.directories == 2 ? 0 : 2;
  });
  EXPECT_EQ(result, 0);
  ASSERT_EQ(chmod((folder_ + "/root/a").c_str(), 0755), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/root/b"));
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/root/a/2"));
}

}  // namespace
}  // namespace fsload
