#include "tools/files/plan/step_list.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/testing/memory_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/plan/common_keys.h"
#include "tools/files/plan/target_keys.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;

using Id = ListedTree::Id;
using Seen = ListedTree::Seen;

std::vector<std::string> PathsOf(const ListedTree& tree) {
  std::vector<std::string> paths;
  for (const Id id : tree.by_path()) paths.push_back(tree.PathOf(id));
  return paths;
}

// Directories with the files that both have.
std::shared_ptr<const ListedTree> SmallTree() {
  auto tree = std::make_shared<ListedTree>();
  const Id a = tree->AddDirectory(ListedTree::kRoot, "a", Seen::kExamined);
  tree->AddFile(ListedTree::kRoot, "a.b", {1, 10, false}, Seen::kExamined);
  tree->AddFile(ListedTree::kRoot, "B", {2, 20, false}, Seen::kExamined);
  const Id d = tree->AddDirectory(a, "d", Seen::kExamined);
  tree->AddFile(d, "f", {3, 30, false}, Seen::kExamined);
  tree->Sort();
  return tree;
}

TEST(ListedTreeTest, SortsByTheBytesOfWholePaths) {
  EXPECT_THAT(PathsOf(*SmallTree()),
              ElementsAre("", "B", "a", "a.b", "a/d", "a/d/f"));
}

TEST(ListedTreeTest, KnowsThatADirectoryIsNotWholeAndSoAllAboveIt) {
  ListedTree tree;
  const Id a = tree.AddDirectory(ListedTree::kRoot, "a", Seen::kExamined);
  const Id b = tree.AddDirectory(ListedTree::kRoot, "b", Seen::kExamined);
  const Id c = tree.AddDirectory(a, "c", Seen::kExamined);
  tree.LeaveOutOf(c);
  EXPECT_FALSE(tree.IsWhole(c));
  EXPECT_FALSE(tree.IsWhole(a));
  EXPECT_FALSE(tree.IsWhole(ListedTree::kRoot));
  EXPECT_TRUE(tree.IsWhole(b));
}

TEST(ListedTreeTest, FindsTheSamePathsInAnotherTree) {
  ListedTree other;
  const Id a = other.AddDirectory(ListedTree::kRoot, "a", Seen::kExamined);
  other.AddFile(a, "d", {}, Seen::kNothing);
  other.AddFile(ListedTree::kRoot, "z", {}, Seen::kNothing);
  other.Sort();
  const auto tree = SmallTree();
  const std::vector<Id> found = FindIn(other, *tree);
  std::vector<std::string> common;
  for (const Id id : tree->by_path()) {
    if (found[id] != ListedTree::kNone)
      common.push_back(other.PathOf(found[id]));
  }
  EXPECT_THAT(common, ElementsAre("", "a", "a/d"));
}

class StepListTest : public ::testing::Test {
 protected:
  Location At(const std::string& uri) const { return {file_system_, uri}; }

  MemoryTree memory_;
  const FileSystemPtr file_system_ = memory_.Open();
};

TEST_F(StepListTest, ExpandsTheStepsOfATreeInTheOrderOfExecution) {
  const auto tree = SmallTree();
  StepList steps;
  const uint32_t number = steps.AddTree({At("/s"), At("/t"), tree, true});
  for (const Id id : tree->by_path()) {
    if (tree->IsDirectory(id)) {
      steps.Add({StepKind::kDeleteDirectory}, {number, id});
      steps.Add({StepKind::kMakeDirectory}, {number, id});
      continue;
    }
    Step step = {StepKind::kMoveFile};
    step.replaces = tree->FoundAt(id).length == 3;
    if (step.replaces) step.target_found = FileStatistics{7, 70, false};
    steps.Add(step, {number, id});
  }
  steps.push_back({StepKind::kCopyFile, At("/x"), At("/y"), 9});
  steps.Sort();
  std::vector<std::string> lines;
  for (const Step& step : steps) lines.push_back(StepText(step));
  EXPECT_THAT(
      lines,
      ElementsAre("make directory /t", "make directory /t/a",
                  "make directory /t/a/d", "move file /s/B -> /t/B (2 bytes)",
                  "move file /s/a.b -> /t/a.b (1 bytes)",
                  "move file /s/a/d/f -> /t/a/d/f (3 bytes), which replaces "
                  "what is there",
                  "copy file /x -> /y (9 bytes)", "delete directory /s",
                  "delete directory /s/a", "delete directory /s/a/d"));
  EXPECT_EQ(steps[5].target_found->length, 7);
  EXPECT_EQ(steps[5].source_found->mtime_nsec, 30);
  EXPECT_EQ(steps[9].moved_to.uri, "/t/a/d");
  EXPECT_TRUE(steps[0].keeps);
}

// Two keys with one fingerprint must still be two.
TEST_F(StepListTest, TellsTargetsApartWhoseFingerprintsAreEqual) {
  StepList steps;
  TargetKeys keys(steps, [](std::string_view) { return 1; });
  for (const char* path : {"/a", "/b", "/c"}) {
    EXPECT_FALSE(keys.Has(path));
    keys.AddNext(path);
    steps.push_back({StepKind::kCopyFile, At("/s"), At(path)});
  }
  EXPECT_EQ(keys.FileAt("/a"), "/a");
  EXPECT_EQ(keys.FileAt("/c"), "/c");
  EXPECT_FALSE(keys.Has("/d"));
  keys.AddWithoutStep("/d", "");
  EXPECT_EQ(keys.FileAt("/d"), "");
}

TEST(CommonKeysTest, HasOnlyWhatBothSetsHave) {
  CommonKeys keys;
  for (const std::string key : {"a", "b", ""}) keys.AddFirst(key);
  for (const std::string key : {"b", "c", ""}) keys.AddSecond(key);
  EXPECT_FALSE(keys.Has("a"));
  EXPECT_TRUE(keys.Has("b"));
  EXPECT_FALSE(keys.Has(""));
}

}  // namespace
}  // namespace fsload
