// rm -r through a plugin that deletes by name, whose listings do not say which
// names are directories.
#include <unistd.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compat/captured_output.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/removal_plan.h"
#include "tools/files/testing/key_store.h"
#include "tools/files/transfer/plan_execution.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Json = nlohmann::json;
using Lines = std::vector<std::string>;

class RemovalByNameTest : public ::testing::Test {
 protected:
  RemovalByNameTest() {
    store_.traits.replaces_atomically = true;
    store_.traits.reading_tells = true;
    store_.traits.deletes_by_name = true;
    file_system_ = store_.Open();
    request_.locations = {{file_system_, "s3://b/d"}};
    request_.recursive = true;
    request_.by_name = true;
    request_.report_error = [this](const std::string&,
                                   const absl::Status& status) {
      told_.emplace_back(status.message());
      return options_.continue_on_error;
    };
    options_.quiet = true;
  }

  void AddObjects(const Lines& keys) {
    for (const std::string& key : keys) store_.objects[key] = key;
  }

  Lines Left() const {
    Lines left;
    for (const auto& [key, contents] : store_.objects) left.push_back(key);
    return left;
  }

  // Plans and executes; the number of errors that the execution reports.
  size_t Failures() {
    const std::optional<Plan> plan = PlanRemoval(request_);
    EXPECT_TRUE(plan.has_value());
    if (!plan.has_value()) return 0;
    VerbOutput output("rm", true);
    CapturedOutput captured(STDOUT_FILENO);
    Execute(*plan, options_, output);
    EXPECT_EQ(FlushOutput(), absl::OkStatus());
    std::istringstream lines(captured.Stop());
    for (std::string line; std::getline(lines, line);) {
      events_.push_back(Json::parse(line));
    }
    return output.failures();
  }

  // What the events say was deleted, in no order: "delete_file s3://b/d/a".
  Lines Deleted() const {
    Lines deleted;
    for (const Json& event : events_) {
      if (!event.contains("source")) continue;
      deleted.push_back(event["event"].get<std::string>() + " " +
                        event["source"].get<std::string>());
    }
    return deleted;
  }

  KeyStore store_{"s3"};
  FileSystemPtr file_system_;
  RemovalRequest request_;
  ExecutionOptions options_;
  Lines told_;
  std::vector<Json> events_;
};

TEST_F(RemovalByNameTest, DeletesFilesAndDirectoriesAndNoSibling) {
  AddObjects({"b/d", "b/d/a", "b/d/a/b", "b/d/a/b/c", "b/d/e/f", "b/d/e/g",
              "b/d/m/", "b/d/n/o/p/q", "b/da", "b/e"});
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_THAT(Left(), ElementsAre("b/da", "b/e"));
}

TEST_F(RemovalByNameTest, DeletesAFileByOneCall) {
  constexpr int kFiles = 500;
  for (int i = 0; i < kFiles; ++i) AddObjects({"b/d/" + std::to_string(i)});
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(Left(), IsEmpty());
  EXPECT_LE(store_.calls(), kFiles + 20);
}

TEST_F(RemovalByNameTest, ExaminesAllBeforeADryRun) {
  AddObjects({"b/d/a", "b/d/e/f"});
  request_.by_name = false;
  const std::optional<Plan> plan = PlanRemoval(request_);
  ASSERT_TRUE(plan.has_value());
  Lines lines;
  for (const Step& step : plan->steps) lines.push_back(StepText(step));
  EXPECT_THAT(lines, ElementsAre("delete file s3://b/d/a (5 bytes)",
                                 "delete file s3://b/d/e/f (7 bytes)",
                                 "delete directory s3://b/d/e",
                                 "delete directory s3://b/d"));
}

// Its second listing, which would tell.
TEST_F(RemovalByNameTest, SaysNothingOfADirectoryThatCannotBeListedAgain) {
  AddObjects({"b/d/a", "b/d/sub/f"});
  options_.continue_on_error = true;
  int listings = 0;
  store_.before_listing = [&](const std::string& key) {
    return key == "b/d" && ++listings > 1 ? TF_UNAVAILABLE : TF_OK;
  };
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("s3://b/d")));
  EXPECT_THAT(Deleted(), IsEmpty());
  EXPECT_THAT(Left(), ElementsAre("b/d/sub/f"));
}

TEST_F(RemovalByNameTest, SaysWhichFileIsStillThereAfterItWasDeleted) {
  AddObjects({"b/d/a", "b/d/e/f", "b/d/e/g"});
  store_.answers["b/d/e/f"] = TF_OK;
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("s3://b/d/e/f: the plugin reported "
                                           "that it was deleted, but it is")));
  EXPECT_THAT(Left(), ElementsAre("b/d/e/f"));
}

TEST_F(RemovalByNameTest, TellsOnceOfAFileThatCannotBeDeleted) {
  AddObjects({"b/d/a", "b/d/c", "b/d/e/f"});
  store_.answers["b/d/a"] = TF_PERMISSION_DENIED;
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(), 1);
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_THAT(Left(), ElementsAre("b/d/a"));
}

TEST_F(RemovalByNameTest, TellsOfAnObjectBesideADirectoryThatMayNotBeDeleted) {
  AddObjects({"b/d/a", "b/d/a/b"});
  store_.answers["b/d/a"] = TF_PERMISSION_DENIED;
  options_.continue_on_error = true;
  EXPECT_GE(Failures(), 1);
  EXPECT_THAT(Left(), ElementsAre("b/d/a"));
}

TEST_F(RemovalByNameTest, ReportsFilesAndDirectoriesAsWhatTheyWere) {
  AddObjects({"b/d/a", "b/d/e", "b/d/e/f"});
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(Deleted(), UnorderedElementsAre("delete_file s3://b/d/a",
                                              "delete_file s3://b/d/e",
                                              "delete_file s3://b/d/e/f",
                                              "delete_directory s3://b/d/e",
                                              "delete_directory s3://b/d"));
}

TEST_F(RemovalByNameTest, CountsFilesAndDirectoriesOnce) {
  AddObjects({"b/d/a", "b/d/e", "b/d/e/f"});
  EXPECT_EQ(Failures(), 0);
  ASSERT_FALSE(events_.empty());
  EXPECT_EQ(events_.back(), Json::parse(R"({"version":1,"verb":"rm",
      "event":"done","steps":5,"files":3,"bytes":0,"skipped":0})"));
}

TEST_F(RemovalByNameTest, DoesNotReportAFileThatIsStillThereAsDeleted) {
  AddObjects({"b/d/a", "b/d/e"});
  store_.answers["b/d/a"] = TF_OK;
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(Deleted(), ElementsAre("delete_file s3://b/d/e"));
}

TEST_F(RemovalByNameTest, StopsAtTheFirstErrorUnlessItGoesOn) {
  AddObjects({"b/d/a", "b/d/e/f"});
  store_.answers["b/d/a"] = TF_PERMISSION_DENIED;
  EXPECT_EQ(Failures(), 1);
  EXPECT_THAT(Left(), ElementsAre("b/d/a", "b/d/e/f"));
}

TEST_F(RemovalByNameTest, DeletesInADirectoryWhoseNameMayNotBeDeleted) {
  AddObjects({"b/d/a", "b/d/e/f"});
  store_.answers["b/d/e"] = TF_PERMISSION_DENIED;
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(RemovalByNameTest, NamesWhatNoPathLeadsTo) {
  AddObjects({"b/d/a", "b/d/e/f", "b/d/e/../x", "b/d/e//g"});
  options_.continue_on_error = true;
  EXPECT_EQ(Failures(), 0);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("s3://b/d/e//: object names"),
                                 HasSubstr("s3://b/d/e/..: object names")));
  EXPECT_THAT(Left(), ElementsAre("b/d/e/../x", "b/d/e//g"));
}

}  // namespace
}  // namespace fsload
