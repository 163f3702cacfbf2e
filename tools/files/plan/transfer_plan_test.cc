#include "tools/files/plan/transfer_plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/listing/shard.h"
#include "tools/files/plan/plan.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

using Lines = std::vector<std::string>;

class TransferPlanTest : public ::testing::Test {
 protected:
  TransferPlanTest() {
    tree_.AddFile("/d/b", "22");
    tree_.AddFile("/d/a", "1");
    tree_.AddFile("/d/e/c", "333");
    tree_.AddDirectory("/d/empty");
  }

  Location Here(const std::string& uri) const { return {here_, uri}; }
  Location There(const std::string& uri) const { return {there_, uri}; }

  // A recursive request; keeps its errors.
  TransferRequest Request(std::vector<Location> sources, Location target) {
    TransferRequest request;
    request.sources = std::move(sources);
    request.target = std::move(target);
    request.recursive = true;
    request.report_error = [this](const std::string& uri,
                                  const absl::Status& status) {
      errors_.push_back(uri + ": " + std::string(status.message()));
      return goes_on_;
    };
    return request;
  }

  static Lines Plan(const TransferRequest& request) {
    const auto plan = PlanTransfer(request);
    Lines lines;
    if (!plan.has_value()) return {"none"};
    for (const Step& step : plan->steps) lines.push_back(StepText(step));
    return lines;
  }

  Lines PlanOf(const std::string& source, const std::string& target) {
    return Plan(Request({Here(source)}, There(target)));
  }

  MemoryTree tree_;
  MemoryTree other_tree_;
  const FileSystemPtr here_ = tree_.Open();
  const FileSystemPtr there_ = other_tree_.Open();
  bool goes_on_ = false;
  Lines errors_;
};

TEST_F(TransferPlanTest, HasAllOfATreeInOrder) {
  EXPECT_THAT(
      PlanOf("/d", "/t"),
      ElementsAre("make directory /t", "make directory /t/e",
                  "make directory /t/empty", "copy file /d/a -> /t/a (1 bytes)",
                  "copy file /d/b -> /t/b (2 bytes)",
                  "copy file /d/e/c -> /t/e/c (3 bytes)"));
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(TransferPlanTest, GoesIntoADirectoryThatIsThere) {
  other_tree_.AddDirectory("/t");
  EXPECT_EQ(PlanOf("/d/e/", "/t").back(),
            "copy file /d/e/c -> /t/e/c (3 bytes)");
  EXPECT_THAT(PlanOf("/d/a", "/t"),
              ElementsAre("copy file /d/a -> /t/a (1 bytes)"));
  EXPECT_THAT(PlanOf("/d/a", "/store/"),
              ElementsAre("copy file /d/a -> /store/a (1 bytes)"));
}

TEST_F(TransferPlanTest, TakesWhatHasNoNameForItsContents) {
  other_tree_.AddDirectory("/t");
  EXPECT_EQ(PlanOf("/d/e/.", "/t"), Lines({"copy file /d/e/./c -> /t/c (3 "
                                           "bytes)"}));
}

TEST_F(TransferPlanTest, SaysWhatIsReplaced) {
  other_tree_.AddFile("/t/d/a", "old");
  EXPECT_THAT(PlanOf("/d", "/t"),
              ElementsAre("make directory /t/d/e", "make directory /t/d/empty",
                          "copy file /d/a -> /t/d/a (1 bytes), which replaces "
                          "what is there",
                          "copy file /d/b -> /t/d/b (2 bytes)",
                          "copy file /d/e/c -> /t/d/e/c (3 bytes)"));
}

TEST_F(TransferPlanTest, LeavesOutWhatIsThereWhereItMustStay) {
  other_tree_.AddFile("/t/d/a", "old");
  TransferRequest request = Request({Here("/d")}, There("/t"));
  request.replaces = false;
  const auto plan = PlanTransfer(request);
  EXPECT_EQ(plan->files(), 2);
  EXPECT_EQ(plan->bytes(), 5);
  EXPECT_EQ(plan->skipped, 1);
}

TEST_F(TransferPlanTest, RenamesWithinAFileSystemAndDeletesWhatIsLeft) {
  TransferRequest request = Request({Here("/d")}, Here("/t"));
  request.moves = true;
  EXPECT_THAT(Plan(request),
              ElementsAre("make directory /t", "make directory /t/e",
                          "make directory /t/empty",
                          "rename file /d/a -> /t/a (1 bytes)",
                          "rename file /d/b -> /t/b (2 bytes)",
                          "rename file /d/e/c -> /t/e/c (3 bytes)",
                          "delete directory /d/empty", "delete directory /d/e",
                          "delete directory /d"));
}

TEST_F(TransferPlanTest, KeepsTheDirectoriesOfWhatIsNotMoved) {
  TransferRequest request = Request({Here("/d")}, There("/t"));
  request.moves = true;
  request.filter = *PathFilter::Create({}, {"a"});
  EXPECT_THAT(
      Plan(request),
      ElementsAre("make directory /t", "make directory /t/e",
                  "make directory /t/empty", "move file /d/b -> /t/b (2 bytes)",
                  "move file /d/e/c -> /t/e/c (3 bytes)",
                  "delete directory /d/empty", "delete directory /d/e"));
}

TEST_F(TransferPlanTest, MakesOnlyTheDirectoriesOfWhatIsIncluded) {
  TransferRequest request = Request({Here("/d")}, There("/t"));
  request.filter = *PathFilter::Create({"[ab]"}, {"b"});
  EXPECT_THAT(Plan(request), ElementsAre("make directory /t",
                                         "copy file /d/a -> /t/a (1 bytes)"));
}

TEST_F(TransferPlanTest, IsSharedByItsShards) {
  for (int i = 0; i < 20; ++i) {
    tree_.AddFile(Format("/d/f{}/g{}", i % 7, i), "x");
  }
  const Lines whole = PlanOf("/d", "/t");
  for (const size_t count : {2, 3, 100}) {
    std::map<std::string, int> files;
    std::map<std::string, int> directories;
    for (size_t index = 1; index <= count; ++index) {
      TransferRequest request = Request({Here("/d")}, There("/t"));
      request.shard = {index, count};
      Lines made;
      for (const std::string& line : Plan(request)) {
        const bool is_file = line.rfind("copy", 0) == 0;
        ++(is_file ? files : directories)[line];
        if (!is_file) made.push_back(line);
        // This shard also makes its directory.
        if (line.find("/t/f") != std::string::npos && is_file) {
          const size_t begin = line.find("/t/f");
          EXPECT_THAT(made, ::testing::Contains(
                                "make directory " +
                                line.substr(begin, line.rfind("/g") - begin)));
        }
      }
    }
    Lines all;
    for (const auto& [line, times] : files) {
      EXPECT_EQ(times, 1) << line;
      all.push_back(line);
    }
    for (const auto& [line, times] : directories) all.push_back(line);
    EXPECT_THAT(all, UnorderedElementsAreArray(whole));
  }
}

TEST_F(TransferPlanTest, SharesTheSameThoughATargetIsThereAlready) {
  TransferRequest request = Request({Here("/d")}, There("/t"));
  request.shard = {2, 2};
  EXPECT_EQ(Plan(request).back(), "copy file /d/b -> /t/b (2 bytes)");
  other_tree_.AddFile("/u/a", "old");
  request.target = There("/u");
  request.replaces = false;
  EXPECT_EQ(Plan(request).back(), "copy file /d/b -> /u/b (2 bytes)");
}

TEST_F(TransferPlanTest, RefusesWhatCannotBe) {
  other_tree_.AddFile("/file", "");
  other_tree_.AddDirectory("/u/a");
  struct Case {
    Location source;
    Location target;
    const char* message;
  };
  for (const Case& each : {
           Case{Here("/d"), There("/file"), "/d: /file: is a file"},
           Case{Here("/d/a"), There("/u"), "/d/a: /u/a: is a directory"},
           Case{Here("/d"), Here("/d/e/x"),
                "/d: cannot copy a directory into itself ('/d/e/x')"},
           Case{Here("/d"), Here("/d"),
                "/d: cannot copy a directory into itself ('/d/d')"},
           Case{Here("/d/a"), Here("/d/../d/a"),
                "/d/a and /d/../d/a are the same file"},
           Case{Here("/missing"), There("/t"), "there is nothing"},
       }) {
    errors_.clear();
    EXPECT_THAT(Plan(Request({each.source}, each.target)), ElementsAre("none"));
    EXPECT_THAT(errors_, ElementsAre(HasSubstr(each.message)));
  }
}

TEST_F(TransferPlanTest, WantsToBeAskedForDirectories) {
  TransferRequest request = Request({Here("/d")}, There("/t"));
  request.recursive = false;
  EXPECT_THAT(Plan(request), ElementsAre("none"));
  EXPECT_THAT(errors_,
              ElementsAre(HasSubstr("is a directory; use -r to copy it")));
}

TEST_F(TransferPlanTest, WantsADirectoryForSeveralSources) {
  TransferRequest request = Request({Here("/d/a"), Here("/d/b")}, There("/t"));
  request.recursive = false;
  EXPECT_THAT(Plan(request), ElementsAre("none"));
  other_tree_.AddFile("/t", "");
  EXPECT_THAT(Plan(request), ElementsAre("none"));
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr("no such directory; 2 sources need one"),
                  HasSubstr("is a file, but 2 sources need a directory")));
  request.target = There("/u/");
  EXPECT_THAT(Plan(request), ElementsAre("copy file /d/a -> /u/a (1 bytes)",
                                         "copy file /d/b -> /u/b (2 bytes)"));
}

TEST_F(TransferPlanTest, TakesTheTargetAsItWasNamedThoughASourceDropsOut) {
  other_tree_.AddFile("/t", "old");
  TransferRequest request = Request({Here("/d/a")}, There("/t"));
  request.named = 2;
  EXPECT_THAT(Plan(request), ElementsAre("none"));
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr("is a file, but 2 sources need a directory")));
  request.target = There("/new");
  EXPECT_THAT(Plan(request), ElementsAre("copy file /d/a -> /new/a (1 bytes)"));
}

TEST_F(TransferPlanTest, RefusesTwoSourcesForOneTarget) {
  goes_on_ = true;
  tree_.AddFile("/x/a", "other");
  EXPECT_THAT(Plan(Request({Here("/d/a"), Here("/x/a")}, There("/t/"))),
              ElementsAre("copy file /d/a -> /t/a (1 bytes)"));
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr("/x/a: another source has the same target /t/a")));
}

TEST_F(TransferPlanTest, RefusesATargetThatIsASourceToo) {
  tree_.AddFile("/d/d/a", "inner");
  TransferRequest request = Request({Here("/d/d")}, Here("/"));
  request.moves = true;
  EXPECT_EQ(PlanTransfer(request)->files(), 1);  // onto a file that stays
  EXPECT_THAT(errors_, IsEmpty());
  request.sources = {Here("/d/d"), Here("/d/a")};
  EXPECT_THAT(Plan(request), ElementsAre("none"));
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr("its target /d/a is also a source (/d/a)")));
  goes_on_ = true;
  EXPECT_THAT(Plan(request), ElementsAre("rename file /d/a -> /a (1 bytes)"));
}

TEST_F(TransferPlanTest, KeepsTheDirectoriesOfWhatCannotBeMoved) {
  goes_on_ = true;
  TransferRequest request = Request({Here("/d")}, There("/t"));
  request.moves = true;
  const auto deletes = [&request] {
    Lines lines;
    for (const std::string& line : Plan(request)) {
      if (line.rfind("delete", 0) == 0) lines.push_back(line);
    }
    return lines;
  };
  other_tree_.AddDirectory("/t/d/e/c");  // in the way of a file
  EXPECT_THAT(deletes(), ElementsAre("delete directory /d/empty"));
  other_tree_.Clear();
  other_tree_.AddFile("/t/d/empty", "");  // in the way of a directory
  EXPECT_THAT(deletes(), ElementsAre("delete directory /d/e"));
  EXPECT_THAT(errors_,
              ElementsAre(HasSubstr("is a directory"), HasSubstr("is a file")));
}

TEST_F(TransferPlanTest, KeepsTheDirectoriesOfASecondSourceForOneTarget) {
  goes_on_ = true;
  tree_.AddFile("/x/d/a", "other");
  TransferRequest request = Request({Here("/d"), Here("/x/d")}, There("/t/"));
  request.moves = true;
  EXPECT_EQ(Plan(request).back(), "delete directory /d");
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr("another source has the same target /t/d/a")));
}

TEST_F(TransferPlanTest, PutsAFileIntoADirectoryForItsShardsToo) {
  other_tree_.AddDirectory("/t");
  TransferRequest request = Request({Here("/d/a")}, There("/t"));
  request.shard = {1, 2};
  EXPECT_THAT(Plan(request), ElementsAre("copy file /d/a -> /t/a (1 bytes)"));
}

// The other shard may not have read it yet.
TEST_F(TransferPlanTest, OverwritesNoFileOfAnotherShard) {
  tree_.AddFile("/p/x/y", "one");
  tree_.AddFile("/D/x/y", "precious");
  TransferRequest request = Request({Here("/p/x"), Here("/D/x/y")}, Here("/D"));
  request.shard = {1, 2};
  EXPECT_THAT(Plan(request), ElementsAre("none"));
  EXPECT_THAT(errors_, ElementsAre(HasSubstr("is also a source")));
}

TEST_F(TransferPlanTest, EndsWhereLinksLeadBack) {
  tree_.AddLink("/d/loop", "/d");
  goes_on_ = true;
  PlanOf("/d", "/t");
  EXPECT_THAT(errors_, ::testing::Not(IsEmpty()));
}

// Each round would double the entries. As a kernel does, the plugin reports too
// many links as such.
TEST_F(TransferPlanTest, EndsSoonWhereSeveralLinksLeadBack) {
  static int asked;
  asked = 0;
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    MemoryTree::Tables().filesystem.stat(filesystem, path, found, status);
    if (++asked > 20'000 || TF_GetCode(status) == TF_NOT_FOUND) {
      TF_SetStatus(status, TF_FAILED_PRECONDITION, "too many links");
    }
  };
  tree_.AddLink("/d/loop1", "/d");
  tree_.AddLink("/d/loop2", "/d");
  goes_on_ = true;
  Plan(Request({{tree_.Open(tables), "/d"}}, There("/t")));
  EXPECT_THAT(errors_, ::testing::Contains(HasSubstr("is a link back to")));
  EXPECT_LT(asked, 5'000);
}

TEST_F(TransferPlanTest, AsksNoMoreOfNestedDirectoriesOfOneName) {
  tree_.AddFile("/n/n/n/n/f");
  tree_.AddFile("/m/a/b/c/f");
  const auto calls_for = [&](const std::string& source) {
    tree_.ForgetCalls();
    EXPECT_EQ(PlanOf(source, "/t").size(), 5);
    return tree_.calls();
  };
  EXPECT_EQ(calls_for("/n"), calls_for("/m"));
}

// Directories whose names are digits of hashes have the same at each level.
TEST_F(TransferPlanTest, AsksStoresForNoLinks) {
  tree_.AddFile("/n/n/n/n/n/n/f");
  tree_.AddFile("/m/a/b/c/d/e/f");
  for (bool PluginTraits::*const trait :
       {&PluginTraits::has_no_links, &PluginTraits::replaces_atomically}) {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.*trait = true;
    const auto store = tree_.Open(tables);
    const auto calls_for = [&](const std::string& source) {
      tree_.ForgetCalls();
      EXPECT_EQ(Plan(Request({{store, source}}, There("/t"))).size(), 7);
      return tree_.calls();
    };
    EXPECT_EQ(calls_for("/n"), calls_for("/m"));
  }
}

TEST_F(TransferPlanTest, CountsNoMoreBytesThanThereAreNumbers) {
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    if (!found.is_directory) found.length = INT64_MAX;
  };
  const auto plan = PlanTransfer(Request({Here("/d")}, There("/t")));
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->bytes(), INT64_MAX);
  EXPECT_EQ(plan->bytes_to_write(), INT64_MAX);
}

TEST_F(TransferPlanTest, FollowsNoNameThatLeadsElsewhere) {
  tree_.AddChild("/d", "../x");
  EXPECT_THAT(PlanOf("/d", "/t"), ElementsAre("none"));
  EXPECT_THAT(
      errors_,
      ElementsAre(HasSubstr("listed '../x', which is not a valid name")));
}

TEST_F(TransferPlanTest, HasEachEntryOnceThoughItIsListedTwice) {
  tree_.deviations.children_come_twice = true;
  EXPECT_EQ(PlanOf("/d/e", "/t").size(), 2);
}

TEST_F(TransferPlanTest, GoesOnAfterAnErrorWhereItMay) {
  tree_.AddLink("/d/dangling", "/nowhere");
  EXPECT_THAT(PlanOf("/d", "/t"), ElementsAre("none"));
  goes_on_ = true;
  EXPECT_EQ(PlanOf("/d", "/t").size(), 6);
  EXPECT_THAT(errors_,
              ElementsAre(HasSubstr("/d/dangling: there is nothing (stat)"),
                          HasSubstr("/d/dangling: there is nothing (stat)")));
}

}  // namespace
}  // namespace fsload
