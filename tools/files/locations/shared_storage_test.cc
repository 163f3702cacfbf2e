#include "tools/files/locations/shared_storage.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "tools/files/locations/path_checks.h"

namespace fsload {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Two trees with the same names, and files of the same lengths.
class SharedStorageTest : public ::testing::Test {
 protected:
  SharedStorageTest() {
    for (MemoryTree* const tree : {&here_, &there_}) {
      tree->AddDirectory("/d/e/a");  // empty
      tree->AddLink("/d/e/b", "/none");
      tree->AddFile("/d/e/f", "1");
      tree->AddDirectory("/empty/e");
      SetTimes(*tree, tree == &here_ ? 10 * kSecond : 20 * kSecond);
    }
  }

  // Of files; directories have none, as in stores.
  static void SetTimes(MemoryTree& tree, int64_t time) {
    tree.correct_stat = [time](const std::string&, TF_FileStatistics& found) {
      found.mtime_nsec = found.is_directory ? 0 : time;
    };
  }

  absl::Status Check(const std::string& outer, MemoryTree& other,
                     const std::string& inner) {
    return CheckOutside({here_.Open(), outer}, {other.Open(), inner});
  }

  MemoryTree here_;
  MemoryTree there_;
};

TEST_F(SharedStorageTest, IsKnownByItsFiles) {
  for (const char* inner : {"/d/e", "/d", "/d/e/new", "tree:///d/e"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Check("/d", here_, inner))) << inner;
    EXPECT_EQ(Check("/d", there_, inner), absl::OkStatus()) << inner;
  }
  EXPECT_EQ(Check("/d/e", here_, "/d"), absl::OkStatus());
}

// A store, or a plugin, may drop what is below a second.
TEST_F(SharedStorageTest, IsKnownByTheSecond) {
  there_.Clear();
  there_.AddDirectory("/d/e/a");
  there_.AddLink("/d/e/b", "/none");
  there_.AddFile("/d/e/f", "1");
  SetTimes(there_, 10 * kSecond + 5);
  EXPECT_TRUE(absl::IsInvalidArgument(Check("/d", there_, "/d/e")));
}

TEST_F(SharedStorageTest, IsAssumedWithoutTimes) {
  SetTimes(here_, 0);
  SetTimes(there_, 0);
  EXPECT_TRUE(absl::IsInvalidArgument(Check("/d", there_, "/d/e")));
  EXPECT_EQ(Check("/d", there_, "/d"), absl::OkStatus());
  there_.AddFile("/d/e/more");
  EXPECT_EQ(Check("/d", there_, "/d/e"), absl::OkStatus());
}

TEST_F(SharedStorageTest, DoesNotMatterWhereNothingIsToBeLost) {
  EXPECT_EQ(Check("/empty/e", there_, "/empty/e/new"), absl::OkStatus());
  EXPECT_EQ(Check("/none", there_, "/none/e"), absl::OkStatus());
}

// What is not known is not taken for another place.
TEST_F(SharedStorageTest, IsNoOtherOneIfThatCannotBeAsked) {
  for (const Op op : {Op::kFilesystem_stat, Op::kFilesystem_get_children}) {
    for (uint64_t call = 1; call < 12; ++call) {
      here_.ForgetCalls();
      Fault fault{call};
      fault.op = op;
      here_.fault = fault;
      EXPECT_FALSE(Check("/d", here_, "/d/e").ok()) << call;
      here_.fault.reset();
    }
  }
}

TEST_F(SharedStorageTest, IsToldByTheFirstFileHoweverDeep) {
  for (MemoryTree* const tree : {&here_, &there_}) {
    for (const char* name : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
      tree->AddFile(std::string("/deep/") + name + "/b/c/d/e/f/g/h", "1");
    }
  }
  EXPECT_EQ(Check("/deep", there_, "/deep"), absl::OkStatus());
  EXPECT_EQ(Check("/deep", there_, "/deep/1"), absl::OkStatus());
  EXPECT_TRUE(absl::IsInvalidArgument(Check("/deep", here_, "/deep")));
}

TEST_F(SharedStorageTest, IsKnownWhileItIsListed) {
  int added = 0;
  here_.after_call = [&](Op op, uint64_t) {
    if (op == Op::kFilesystem_get_children) {
      here_.AddFile("/d/e/new" + std::to_string(++added));
    }
  };
  EXPECT_TRUE(absl::IsInvalidArgument(Check("/d", here_, "/d/e")));
}

TEST_F(SharedStorageTest, IsKnownWhileItChanges) {
  int64_t time = 10 * kSecond;
  here_.correct_stat = [&time](const std::string&, TF_FileStatistics& found) {
    found.mtime_nsec = found.is_directory ? 0 : time += kSecond;
  };
  EXPECT_TRUE(absl::IsInvalidArgument(Check("/d", here_, "/d/e")));
}

TEST_F(SharedStorageTest, HasOneFileUnderAPath) {
  const Location file = {here_.Open(), "/d/e/f"};
  const FileStatistics found = {1, 10 * kSecond, false};
  const FileStatistics rounded = {1, 10 * kSecond + 5, false};
  const FileStatistics later = {1, 11 * kSecond, false};
  const Location again = {here_.Open(), "/d/e/f"};
  EXPECT_FALSE(CheckDifferent(file, found, again, rounded).ok());
  EXPECT_TRUE(CheckDifferent(file, found, again, later).ok());
}

}  // namespace
}  // namespace fsload
