#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "core/testing/local_files.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// "/d1/d2/.../d<depth>"
std::string DeepPath(int depth) {
  std::string path;
  for (int i = 1; i <= depth; ++i) path += "/d" + std::to_string(i);
  return path;
}

class RecursivelyCreateDirTest : public ::testing::Test {
 protected:
  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
};

TEST_F(RecursivelyCreateDirTest, CreatesAllAncestorsOfAnAbsolutePath) {
  EXPECT_EQ(files_->RecursivelyCreateDir("/a/b/c"), absl::OkStatus());
  EXPECT_THAT(tree_.Snapshot(),
              UnorderedElementsAre(
                  Pair("/", "directory"), Pair("/a", "directory"),
                  Pair("/a/b", "directory"), Pair("/a/b/c", "directory")));
}

TEST_F(RecursivelyCreateDirTest, CreatesARelativePathUnderItsOwnName) {
  tree_.keeps_records = true;
  EXPECT_EQ(files_->RecursivelyCreateDir("a/b"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("a/b"));
  for (const CallRecord& call : tree_.records()) {
    EXPECT_THAT(call.path, ::testing::AnyOf("a", "a/b"));
  }
}

TEST_F(RecursivelyCreateDirTest, CreatesASingleRelativeName) {
  EXPECT_EQ(files_->RecursivelyCreateDir("a"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/a"));
}

TEST_F(RecursivelyCreateDirTest, DropsTrailingSlashes) {
  EXPECT_EQ(files_->RecursivelyCreateDir("/a/b///"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/a/b"));
}

TEST_F(RecursivelyCreateDirTest, DropsTrailingSlashesThatThePluginKeeps) {
  const auto files =
      tree_.Open(MemoryTree::Tables({Op::kFilesystem_translate_name}));
  tree_.AddDirectory("tree://host");
  tree_.keeps_records = true;
  EXPECT_EQ(files->RecursivelyCreateDir("tree://host//a/b//"),
            absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("tree://host/a/b"));
  EXPECT_EQ(tree_.records().back().path, "tree://host//a/b");
}

TEST_F(RecursivelyCreateDirTest, GoesOnFromAnExistingPrefix) {
  tree_.AddDirectory("/a/b");
  EXPECT_EQ(files_->RecursivelyCreateDir("/a/b/c/d"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/a/b/c/d"));
  EXPECT_EQ(tree_.calls(Op::kFilesystem_create_dir), 2);
}

TEST_F(RecursivelyCreateDirTest, GoesOnThroughALinkToADirectory) {
  tree_.AddDirectory("/real");
  tree_.AddLink("/link", "/real");
  EXPECT_EQ(files_->RecursivelyCreateDir("/link/a/b"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/real/a/b"));
}

TEST_F(RecursivelyCreateDirTest, SaysOkOfTheRoot) {
  EXPECT_EQ(files_->RecursivelyCreateDir("/"), absl::OkStatus());
  EXPECT_EQ(tree_.calls(), 1);
}

TEST_F(RecursivelyCreateDirTest, RefusesAFileAtTheEnd) {
  tree_.AddFile("/a/file");
  const auto before = tree_.Snapshot();
  EXPECT_EQ(
      files_->RecursivelyCreateDir("/a/file"),
      absl::FailedPreconditionError("/a/file: '/a/file' is a file or lies "
                                    "below one (recursively_create_dir)"));
  EXPECT_EQ(tree_.Snapshot(), before);
}

TEST_F(RecursivelyCreateDirTest, RefusesAFileInTheMiddle) {
  tree_.AddFile("/a/file");
  const auto before = tree_.Snapshot();
  EXPECT_EQ(files_->RecursivelyCreateDir("/a/file/b/c/d/e"),
            absl::FailedPreconditionError(
                "/a/file/b/c/d/e: '/a/file/b/c/d/e' is a file or lies below "
                "one (recursively_create_dir)"));
  EXPECT_EQ(tree_.Snapshot(), before);
}

// An object store does not know whether a file is above a name.
TEST_F(RecursivelyCreateDirTest,
       FindsTheFileInTheMiddleWhereAllBelowIsMissing) {
  tree_.AddFile("/a/file");
  tree_.AddDirectory("/a/b");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.is_directory = [](const TF_Filesystem* filesystem,
                                      const char* path, TF_Status* status) {
    const bool answer =
        MemoryTree::Tables().filesystem.is_directory(filesystem, path, status);
    const bool below = std::string(path).rfind("/a/file/", 0) == 0;
    if (below) TF_SetStatus(status, TF_NOT_FOUND, "no such key");
    return answer;
  };
  EXPECT_EQ(tree_.Open(tables)->RecursivelyCreateDir("/a/file/b/c/d/e/f/g/h"),
            absl::FailedPreconditionError(
                "/a/file/b/c/d/e/f/g/h: '/a/file' is a file or lies below one "
                "(recursively_create_dir)"));
}

TEST_F(RecursivelyCreateDirTest, BelievesAStoreThatCreatesNothing) {
  tree_.deviations.create_dir_creates_nothing = true;
  EXPECT_EQ(files_->RecursivelyCreateDir("/bucket/a/b"), absl::OkStatus());
  EXPECT_EQ(tree_.calls(Op::kFilesystem_create_dir), 3);
  EXPECT_FALSE(tree_.Exists("/bucket"));
}

TEST_F(RecursivelyCreateDirTest, AsksStatWhereThereIsNoIsDirectory) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.is_directory = nullptr;
  EXPECT_EQ(tree_.Open(tables)->RecursivelyCreateDir("/a/b"), absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/a/b"));
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 2);
}

TEST_F(RecursivelyCreateDirTest, NamesTheOperationsThatAreMissing) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.is_directory = nullptr;
  tables.filesystem.stat = nullptr;
  tables.filesystem.create_dir = nullptr;
  EXPECT_EQ(
      tree_.Open(tables)->RecursivelyCreateDir("/a"),
      absl::UnimplementedError(
          "/a: the plugin lacks recursively_create_dir, and the default needs "
          "create_dir and stat, missing too (recursively_create_dir)"));
}

struct CallCount {
  int existing;
  uint64_t max_calls;
};

class RecursivelyCreateDirCallsTest
    : public ::testing::TestWithParam<CallCount> {};

TEST_P(RecursivelyCreateDirCallsTest, TakesFewCallsForAPathFiftyDeep) {
  MemoryTree tree;
  const auto files = tree.Open();
  if (GetParam().existing > 0) tree.AddDirectory(DeepPath(GetParam().existing));
  EXPECT_EQ(files->RecursivelyCreateDir(DeepPath(50)), absl::OkStatus());
  EXPECT_TRUE(tree.Exists(DeepPath(50)));
  EXPECT_EQ(tree.calls(Op::kFilesystem_create_dir), 50 - GetParam().existing);
  EXPECT_LE(tree.calls(), GetParam().max_calls);
}

INSTANTIATE_TEST_SUITE_P(Depths, RecursivelyCreateDirCallsTest,
                         ::testing::Values(CallCount{0, 60}, CallCount{47, 7},
                                           CallCount{50, 1}),
                         [](const auto& test) {
                           return std::to_string(test.param.existing) + "Exist";
                         });

// Whatever fails, OK means that the directory exists, and an error is that of
// the call that failed. NOT_FOUND from is_directory is an answer, not a
// failure.
TEST_F(RecursivelyCreateDirTest, PassesOnTheErrorOfEachCallThatCanFail) {
  constexpr int kDepth = 9;
  int cases = 0;
  for (const int existing : {0, 3, 8, 9}) {
    for (const auto when : {Fault::When::kBefore, Fault::When::kAfter}) {
      for (int code = 1; code <= 17; ++code) {
        bool reached = true;
        for (uint64_t call = 1; reached; ++call) {
          tree_.Clear();
          tree_.AddDirectory(DeepPath(existing));
          const bool throws = code == 17;
          tree_.fault = {call, when, throws ? TF_INTERNAL : TF_Code(code),
                         throws};
          const absl::Status status =
              files_->RecursivelyCreateDir(DeepPath(kDepth));
          reached = tree_.calls() >= call;
          SCOPED_TRACE(testing::Message()
                       << "existing " << existing << ", call " << call
                       << ", code " << code << ": " << status);
          if (status.ok()) {
            EXPECT_TRUE(tree_.Exists(DeepPath(kDepth)));
          } else {
            EXPECT_TRUE(reached);
            EXPECT_EQ(status.code(), absl::StatusCode(tree_.fault->code));
            if (code != TF_FAILED_PRECONDITION) {
              EXPECT_THAT(status.message(), HasSubstr("injected"));
            }
          }
          ++cases;
        }
      }
    }
  }
  std::printf("%d cases\n", cases);
  EXPECT_GT(cases, 800);
}

TEST_F(RecursivelyCreateDirTest, NamesTheDirectoryThatCannotBeCreated) {
  tree_.AddDirectory("/a");
  // is_directory of /a/b/c, /a/b and /a come first, then create_dir of /a/b.
  tree_.fault = {4, Fault::When::kBefore, TF_PERMISSION_DENIED};
  EXPECT_EQ(files_->RecursivelyCreateDir("/a/b/c"),
            absl::PermissionDeniedError("/a/b: injected (create_dir)"));
}

TEST_F(RecursivelyCreateDirTest, SaysOkWhereCreateDirFailsAfterItWasDone) {
  tree_.fault = {2, Fault::When::kAfter, TF_UNKNOWN};
  EXPECT_EQ(files_->RecursivelyCreateDir("/a"), absl::OkStatus());
}

// Somebody puts a file where a directory was about to be created.
TEST_F(RecursivelyCreateDirTest, RefusesAFileThatAppearsMeanwhile) {
  tree_.after_call = [this](Op op, uint64_t) {
    const bool first = op == Op::kFilesystem_is_directory &&
                       tree_.calls(Op::kFilesystem_create_dir) == 0;
    if (first && !tree_.Exists("/a")) tree_.AddFile("/a");
  };
  EXPECT_EQ(
      files_->RecursivelyCreateDir("/a"),
      absl::FailedPreconditionError(
          "/a: '/a' is a file or lies below one (recursively_create_dir)"));
}

// Creates `path` in a separate process once a byte can be read from `start`.
pid_t CreateInChild(const FileSystem& files, const std::string& path,
                    int start) {
  const pid_t child = fork();
  if (child != 0) return child;
  char byte;
  const bool started = read(start, &byte, 1) == 1;
  _exit(started && files.RecursivelyCreateDir(path).ok() ? 0 : 1);
}

TEST(RecursivelyCreateDirOnDiskTest, LetsTwoProcessesRaceForOnePath) {
  constexpr int kRounds = 50;
  const auto files = OpenLocalFiles();
  std::string root = ::testing::TempDir() + "/raceXXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  for (int round = 0; round < kRounds; ++round) {
    const std::string path = root + "/" + std::to_string(round) + DeepPath(30);
    int start[2];
    ASSERT_EQ(pipe(start), 0);
    const pid_t children[] = {CreateInChild(*files, path, start[0]),
                              CreateInChild(*files, path, start[0])};
    ASSERT_EQ(write(start[1], "go", 2), 2);
    for (const pid_t child : children) {
      int status = -1;
      EXPECT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0) << "round " << round;
    }
    close(start[0]);
    close(start[1]);
    EXPECT_TRUE(std::filesystem::is_directory(path));
  }
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace fsload
