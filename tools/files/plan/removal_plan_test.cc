#include "tools/files/plan/removal_plan.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/plan_execution.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Lines = std::vector<std::string>;

class RemovalPlanTest : public ::testing::Test {
 protected:
  RemovalPlanTest() {
    tree_.AddFile("/d/a", "1");
    tree_.AddFile("/d/e/c", "333");
    tree_.AddFile("/outside/kept", "kept");
    request_.recursive = true;
    request_.locations = {{file_system_, "/d"}};
    request_.report_error = [this](const std::string&,
                                   const absl::Status& status) {
      errors_.emplace_back(status.message());
      return goes_on_;
    };
  }

  Lines Plan() const {
    const auto plan = PlanRemoval(request_);
    if (!plan.has_value()) return {"none"};
    Lines lines;
    for (const Step& step : plan->steps) lines.push_back(StepText(step));
    return lines;
  }

  // Executes the plan; the number of errors that the verb reports.
  size_t Failures() {
    VerbOutput output("rm", false);
    Execute(*PlanRemoval(request_), options_, output);
    return output.failures();
  }

  MemoryTree tree_;
  FileSystemPtr file_system_ = tree_.Open();
  RemovalRequest request_;
  ExecutionOptions options_;
  bool goes_on_ = false;
  Lines errors_;
};

TEST_F(RemovalPlanTest, HasFilesAndThenDirectoriesLeavesFirst) {
  EXPECT_THAT(
      Plan(),
      ElementsAre("delete file /d/a (1 bytes)", "delete file /d/e/c (3 bytes)",
                  "delete directory /d/e", "delete directory /d"));
}

TEST_F(RemovalPlanTest, KeepsDirectoriesInWhichSomethingStays) {
  request_.filter = *PathFilter::Create({}, {"a"});
  EXPECT_THAT(Plan(), ElementsAre("delete file /d/e/c (3 bytes)",
                                  "delete directory /d/e"));
  request_.filter = *PathFilter::Create({"a"}, {});
  EXPECT_THAT(Plan(), ElementsAre("delete file /d/a (1 bytes)"));
}

TEST_F(RemovalPlanTest, KeepsDirectoriesThatLieTooDeepToBeListed) {
  std::string deep = "/d/deep";
  for (int i = 0; i < 520; ++i) deep += "/x";
  tree_.AddFile(deep, "lost");
  goes_on_ = true;
  EXPECT_THAT(Plan(), ElementsAre("delete file /d/a (1 bytes)",
                                  "delete file /d/e/c (3 bytes)",
                                  "delete directory /d/e"));
  EXPECT_THAT(errors_,
              ElementsAre(HasSubstr("more than 512 nested directories")));
}

std::thread::id caller;
std::atomic<bool> ended_a_thread{false};

TEST_F(RemovalPlanTest, KeepsDirectoriesWhoseListingEndedAThread) {
  caller = std::this_thread::get_id();
  ended_a_thread = false;
  tree_.AddFile("/d/e/f", "1");
  tree_.AddFile("/d/e/g", "1");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* statistics,
                              TF_Status* status) {
    if (std::string(path).rfind("/d/e/", 0) == 0) {
      if (std::this_thread::get_id() != caller) {
        ended_a_thread = true;
        pthread_exit(nullptr);
      }
      // Until the caller stops waiting for the others, and a thread has ended.
      const auto deadline =
          std::chrono::steady_clock::now() + std::chrono::seconds(60);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      while (std::string(path) != "/d/e/c" && !ended_a_thread &&
             std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
      }
    }
    MemoryTree::Tables().filesystem.stat(filesystem, path, statistics, status);
  };
  request_.locations[0].file_system = tree_.Open(tables);
  goes_on_ = true;
  EXPECT_THAT(Plan(), ElementsAre("delete file /d/a (1 bytes)"));
  EXPECT_THAT(errors_,
              ElementsAre(HasSubstr("the plugin ended the thread of a call")));
}

TEST_F(RemovalPlanTest, WantsToBeAskedForDirectories) {
  request_.recursive = false;
  EXPECT_THAT(Plan(), ElementsAre("none"));
  EXPECT_THAT(errors_,
              ElementsAre(HasSubstr("use -r to delete it and its contents")));
}

TEST_F(RemovalPlanTest, RefusesARootUnlessItIsToldTo) {
  request_.locations[0].uri = "tree://bucket/";
  EXPECT_THAT(Plan(), ElementsAre("none"));
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr(
          "refusing to delete the root of a file system; give --really")));
  request_.whatever_it_is = true;
  EXPECT_EQ(Plan().back(), "delete directory tree://bucket/d")
      << "the bucket stays";
}

TEST_F(RemovalPlanTest, DeletesAllThatItHas) {
  EXPECT_EQ(Failures(), 0);
  EXPECT_FALSE(tree_.Exists("/d"));
  EXPECT_TRUE(tree_.Exists("/outside/kept"));
}

TEST_F(RemovalPlanTest, DeletesLinksAndNotWhatTheyLeadTo) {
  tree_.AddLink("/d/link", "/outside");
  tree_.AddLink("/d/e/dangling", "/nowhere");
  tree_.AddLink("/outside/inner", "/outside");
  EXPECT_EQ(Failures(), 0);
  EXPECT_FALSE(tree_.Exists("/d"));
  EXPECT_TRUE(tree_.Exists("/outside/kept"));
  EXPECT_TRUE(tree_.Exists("/outside/inner"));
}

TEST_F(RemovalPlanTest, TouchesNothingBehindALinkThatItCannotDelete) {
  tree_.AddLink("/d/link", "/outside");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (std::string(path) == "/d/link") {
      return TF_SetStatus(status, TF_PERMISSION_DENIED, "not yours");
    }
    MemoryTree::Tables().filesystem.delete_file(filesystem, path, status);
  };
  file_system_ = tree_.Open(tables);
  request_.locations[0].file_system = file_system_;
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(), 1);
  EXPECT_TRUE(tree_.Exists("/outside/kept"));
  EXPECT_TRUE(tree_.Exists("/d/link"));
  EXPECT_FALSE(tree_.Exists("/d/e"));
}

TEST_F(RemovalPlanTest, DeletesFoldersThatVanishWhenTheyAreEmpty) {
  tree_.deviations.folders_vanish_when_empty = true;
  EXPECT_EQ(Failures(), 0);
  EXPECT_FALSE(tree_.Exists("/d"));
}

TEST_F(RemovalPlanTest, EndsAtTheFirstErrorUnlessItIsToGoOn) {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.delete_file = [](const TF_Filesystem* filesystem,
                                     const char* path, TF_Status* status) {
    if (std::string(path) == "/d/a") {
      return TF_SetStatus(status, TF_PERMISSION_DENIED, "not yours");
    }
    MemoryTree::Tables().filesystem.delete_file(filesystem, path, status);
  };
  request_.locations[0].file_system = tree_.Open(tables);
  options_.jobs = 1;
  EXPECT_EQ(Failures(), 1);
  EXPECT_TRUE(tree_.Exists("/d/e/c"));
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(), 1);  // the directory that stays is not another error
  EXPECT_FALSE(tree_.Exists("/d/e"));
}

}  // namespace
}  // namespace fsload
