#include "tools/files/transfer/plan_execution.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "compat/captured_output.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/removal_plan.h"
#include "tools/files/plan/transfer_plan.h"

namespace fsload {
namespace {

using ::testing::ContainerEq;
using ::testing::HasSubstr;

// Properties of a store.
struct Store {
  std::vector<Op> optional;  // besides the leaf operations
  std::function<void(Deviations&)> deviate = [](Deviations&) {};
};

const std::map<std::string, std::string>& Files() {
  static const auto& files = *new std::map<std::string, std::string>{
      {"/a", "1"}, {"/b/c", "22"}, {"/b/d/e", "333"}, {"/f", ""}};
  return files;
}

class PlanExecutionTest : public ::testing::TestWithParam<Store> {
 protected:
  PlanExecutionTest() {
    GetParam().deviate(store_.deviations);
    options_.jobs = 1;
    options_.quiet = true;
  }

  static void AddFiles(MemoryTree& tree, const std::string& folder) {
    for (const auto& [path, contents] : Files()) {
      tree.AddFile(folder + path, contents);
    }
  }

  // The files below `folder`.
  static std::map<std::string, std::string> FilesIn(const MemoryTree& tree,
                                                    const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& [path, entry] : tree.Snapshot()) {
      if (path.rfind(folder + "/", 0) != 0 || entry == "directory") continue;
      files[path.substr(folder.size())] = entry.substr(6);  // "file: "
    }
    return files;
  }

  static bool ReportError(const std::string& uri, const absl::Status& status) {
    ADD_FAILURE() << uri << ": " << status;
    return false;
  }

  static TransferRequest Transfer(Location source, Location target,
                                  bool moves) {
    TransferRequest request;
    request.sources = {std::move(source)};
    request.target = std::move(target);
    request.recursive = true;
    request.moves = moves;
    request.report_error = &ReportError;
    return request;
  }

  static RemovalRequest Removal(Location location) {
    RemovalRequest request;
    request.locations = {std::move(location)};
    request.recursive = true;
    request.report_error = &ReportError;
    return request;
  }

  // The number of errors reported.
  size_t Failures(const Plan& plan) {
    VerbOutput output("test", false);
    Execute(plan, options_, output);
    return output.failures();
  }

  MemoryTree local_;
  MemoryTree store_;
  const FileSystemPtr here_ = local_.Open();
  const FileSystemPtr there_ =
      store_.Open(MemoryTree::Tables(GetParam().optional));
  ExecutionOptions options_;
};

TEST_P(PlanExecutionTest, BringsATreeToAStoreAndBack) {
  AddFiles(local_, "/src");
  const Plan there =
      *PlanTransfer(Transfer({here_, "/src"}, {there_, "/x/y"}, false));
  EXPECT_EQ(Failures(there), 0);
  EXPECT_THAT(FilesIn(store_, "/x/y"), ContainerEq(Files()));
  const Plan back =
      *PlanTransfer(Transfer({there_, "/x/y"}, {here_, "/back"}, false));
  EXPECT_EQ(Failures(back), 0);
  EXPECT_THAT(FilesIn(local_, "/back"), ContainerEq(Files()));
}

// The plugin has files of this machine, and does not delete links.
TEST_P(PlanExecutionTest, DeletesNothingBehindALinkThatStays) {
  static SchemeTables original;
  original = MemoryTree::Tables();
  SchemeTables tables = original;
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (original.filesystem.is_directory(filesystem, path, status)) {
      TF_SetStatus(status, TF_FAILED_PRECONDITION, "is a directory");
    } else {
      original.filesystem.delete_file(filesystem, path, status);
    }
  };
  std::string folder = testing::TempDir() + "link_that_stays_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::filesystem::create_directory(folder + "/d");
  std::filesystem::create_directory(folder + "/outside");
  std::ofstream(folder + "/outside/file") << "kept";
  std::filesystem::create_directory_symlink("../outside", folder + "/d/link");
  local_.AddFile(folder + "/outside/file", "kept");
  local_.AddDirectory(folder + "/d");
  local_.AddLink(folder + "/d/link", folder + "/outside");
  options_.continue_on_error = true;
  const Location location = {local_.Open(tables), folder + "/d"};
  EXPECT_EQ(Failures(*PlanRemoval(Removal(location))), 1);
  EXPECT_TRUE(local_.Exists(folder + "/outside/file"));
  std::filesystem::remove_all(folder);
}

// What is at the target is an incomplete copy, and no file that was there.
TEST_P(PlanExecutionTest, SkipsNoFileForWhichThePluginSaysThatItExists) {
  SchemeTables tables = MemoryTree::Tables();
  tables.writable_file.close = [](const TF_WritableFile*, TF_Status* status) {
    TF_SetStatus(status, TF_ALREADY_EXISTS, "it is retained");
  };
  tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                     TF_Status* status) {
    TF_SetStatus(status, TF_PERMISSION_DENIED, "it is retained");
  };
  const FileSystemPtr store = store_.Open(tables);
  local_.AddFile("/f", "contents");
  options_.replaces = false;
  EXPECT_EQ(
      Failures(*PlanTransfer(Transfer({here_, "/f"}, {store, "/new"}, false))),
      1);
}

TEST_P(PlanExecutionTest, MovesATreeAndTouchesNothingElse) {
  AddFiles(store_, "/d");
  store_.AddFile("/dx/b", "beside");
  for (const FileSystemPtr& target : {there_, here_}) {
    const std::string from = target == there_ ? "/d" : "/e";
    EXPECT_EQ(
        Failures(*PlanTransfer(Transfer({there_, from}, {target, "/e"}, true))),
        0);
    const MemoryTree& tree = target == there_ ? store_ : local_;
    EXPECT_THAT(FilesIn(tree, "/e"), ContainerEq(Files()));
    EXPECT_EQ(FilesIn(store_, from).size(), 0);
  }
  EXPECT_EQ(*store_.Contents("/dx/b"), "beside");
}

TEST_P(PlanExecutionTest, DeletesATreeAndTouchesNothingElse) {
  AddFiles(store_, "/d");
  store_.AddFile("/dx/b", "beside");
  EXPECT_EQ(Failures(*PlanRemoval(Removal({there_, "/d"}))), 0);
  EXPECT_FALSE(store_.Exists("/d"));
  EXPECT_EQ(*store_.Contents("/dx/b"), "beside");
}

TEST_P(PlanExecutionTest, CopiesWhatBearsTheNameOfAFolder) {
  store_.AddFile("/k", "1");
  Plan plan;
  // In stores, both may exist.
  for (const char* path : {"/k/z", "/k"}) {
    plan.steps.push_back(
        {StepKind::kCopyFile, {there_, path}, {here_, "/copy"}});
  }
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(plan), 1);
  ASSERT_TRUE(local_.Exists("/copy"));
  EXPECT_EQ(*local_.Contents("/copy"), "1");
}

TEST_P(PlanExecutionTest, DoesNotBelieveThatWhatItDeletesIsNotThere) {
  store_.AddFile("/a");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem*, const char*,
                                     TF_Status* status) {
    TF_SetStatus(status, TF_NOT_FOUND, "");
  };
  Plan plan;
  plan.steps.push_back(
      {StepKind::kDeleteFile, {store_.Open(tables), "/a"}, {}});
  EXPECT_EQ(Failures(plan), 1);
  EXPECT_TRUE(store_.Exists("/a"));
}

std::thread::id caller;
std::atomic<bool> ended_a_thread{false};

TEST_P(PlanExecutionTest, TellsOfAStepThatEndedItsThread) {
  caller = std::this_thread::get_id();
  ended_a_thread = false;
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (std::this_thread::get_id() != caller) {
      ended_a_thread = true;
      pthread_exit(nullptr);
    }
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!ended_a_thread && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    MemoryTree::Tables().filesystem.delete_file(filesystem, path, status);
  };
  const FileSystemPtr file_system = store_.Open(tables);
  Plan plan;
  for (const char* path : {"/a", "/b"}) {
    store_.AddFile(path);
    plan.steps.push_back({StepKind::kDeleteFile, {file_system, path}, {}});
  }
  options_.jobs = 2;
  CapturedOutput captured(STDERR_FILENO);
  EXPECT_EQ(Failures(plan), 1);
  EXPECT_THAT(captured.Stop(),
              HasSubstr("the plugin ended the thread that called it"));
}

// A store may have a file with the same name as a directory.
TEST_P(PlanExecutionTest, DeletesNoFileThatThePlanDoesNotName) {
  std::vector<Op> optional = GetParam().optional;
  optional.push_back(Op::kFilesystem_translate_name);
  const FileSystemPtr store = store_.Open(MemoryTree::Tables(optional));
  AddFiles(store_, "/tree:/bucket/q");
  const Plan plan = *PlanRemoval(Removal({store, "tree://bucket/q"}));
  store_.ForgetCalls();
  EXPECT_EQ(Failures(plan), 0);
  EXPECT_EQ(store_.calls(Op::kFilesystem_delete_file), Files().size());
  EXPECT_FALSE(store_.Exists("/tree:/bucket/q"));
}

// Each call fails once, before or after its effect. Files that remain are
// complete, wherever they are, and an error is reported.
TEST_P(PlanExecutionTest, LosesNothingWhateverCallFails) {
  for (const bool moves : {false, true}) {
    for (const Fault::When when : {Fault::When::kBefore, Fault::When::kAfter}) {
      for (uint64_t call = 1;; ++call) {
        store_.Clear();
        GetParam().deviate(store_.deviations);
        AddFiles(store_, "/d");
        store_.AddFile("/e/d/a", "old");
        const Plan plan =
            *PlanTransfer(Transfer({there_, "/d"}, {there_, "/e"}, moves));
        store_.ForgetCalls();
        store_.fault = {call, when};
        CapturedOutput captured(STDERR_FILENO);
        const size_t failures = Failures(plan);
        const std::string told = captured.Stop();
        if (store_.calls() < call) break;
        EXPECT_EQ(failures == 0, told.empty());
        const auto left = FilesIn(store_, "/d");
        const auto made = FilesIn(store_, "/e/d");
        for (const auto& [path, contents] : Files()) {
          const bool is_left =
              left.count(path) > 0 && left.at(path) == contents;
          const bool is_made =
              made.count(path) > 0 && made.at(path) == contents;
          EXPECT_TRUE(is_left || is_made) << call << path << told;
          EXPECT_TRUE(is_made || failures > 0) << call << path;
        }
        for (const auto& [path, contents] : made) {
          const bool is_old = path == "/a" && contents == "old";
          if (Files().count(path) > 0) {
            EXPECT_TRUE(is_old || contents == Files().at(path))
                << call << path << contents << told;
          } else {
            EXPECT_THAT(told, HasSubstr("/e/d" + path)) << call;
          }
        }
      }
    }
  }
}

// Whatever claims that the target exists: a skipped file does exist.
TEST_P(PlanExecutionTest, SkipsNoFileThatIsNotAtItsTarget) {
  options_.replaces = false;
  for (const Fault::When when : {Fault::When::kBefore, Fault::When::kAfter}) {
    for (uint64_t call = 1;; ++call) {
      store_.Clear();
      GetParam().deviate(store_.deviations);
      AddFiles(store_, "/d");
      const Plan plan =
          *PlanTransfer(Transfer({there_, "/d"}, {there_, "/e"}, false));
      store_.ForgetCalls();
      store_.fault = {call, when, TF_ALREADY_EXISTS};
      CapturedOutput captured(STDERR_FILENO);
      const size_t failures = Failures(plan);
      const std::string told = captured.Stop();
      if (store_.calls() < call) break;
      EXPECT_TRUE(failures > 0 || FilesIn(store_, "/e") == Files())
          << call << told;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Stores, PlanExecutionTest,
    ::testing::Values(Store{}, Store{{Op::kFilesystem_rename_file}},
                      Store{{Op::kFilesystem_copy_file,
                             Op::kFilesystem_rename_file}},
                      Store{{},
                            [](Deviations& of) {
                              of.folders_vanish_when_empty = true;
                              of.children_end_in_slash = true;
                              of.commits_on_close = true;
                            }},
                      Store{{Op::kFilesystem_copy_file},
                            [](Deviations& of) {
                              of.folders_vanish_when_empty = true;
                              of.missing_folder_lists_as_empty = true;
                              of.delete_file_of_folder = Refusal::kOkAndNothing;
                            }},
                      Store{{Op::kFilesystem_rename_file}, [](Deviations& of) {
                              of.delete_file_of_folder = Refusal::kNotFound;
                              of.children_come_twice = true;
                            }}));

}  // namespace
}  // namespace fsload
