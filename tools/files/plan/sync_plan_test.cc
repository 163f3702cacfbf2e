#include "tools/files/plan/sync_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/plan/plan.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// A plugin of a target that takes `one` for `other`, which have no ASCII letter
// in common.
template <const char* one, const char* other>
SchemeTables TablesThatTake() {
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    const bool folds = std::string(path) == one;
    MemoryTree::Tables().filesystem.stat(filesystem, folds ? other : path,
                                         found, status);
  };
  return tables;
}

// What is to be copied is what is to be deleted: expects that nothing is, and
// that `other_name` is named.
void ExpectNoDeletion(SyncRequest request, const std::string& other_name) {
  std::vector<std::string> errors;
  request.deletes = true;
  request.report_error = [&](const std::string& uri,
                             const absl::Status& status) {
    errors.push_back(uri + ": " + std::string(status.message()));
    return true;
  };
  const std::optional<Plan> plan = PlanSync(request);
  EXPECT_THAT(errors, ::testing::SizeIs(2));
  EXPECT_THAT(errors,
              Contains(HasSubstr(other_name +
                                 ": is there, but not listed: it is another "
                                 "name of what is there")));
  ASSERT_TRUE(plan.has_value());
  for (const Step& step : plan->steps) {
    EXPECT_FALSE(IsDeletion(step.kind)) << StepText(step);
  }
}

constexpr char kUpperFile[] = "/t/d/\u00c9";
constexpr char kLowerFile[] = "/t/d/\u00e9";
constexpr char kUpperFolder[] = "/t/\u00c9";
constexpr char kLowerFolder[] = "/t/\u00e9";

TEST(SyncPlanTest, DeletesNothingWhereNamesAreFoldedInOtherWays) {
  MemoryTree source;
  MemoryTree target;
  source.AddFile("/s/d/\u00c9", "new contents");
  source.AddFile("/s/new/file");
  target.AddFile(kLowerFile, "old");
  target.AddFile("/t/extra");
  SyncRequest request;
  request.source = {source.Open(), "/s"};
  request.target = {target.Open(TablesThatTake<kUpperFile, kLowerFile>()),
                    "/t"};
  ExpectNoDeletion(request, kUpperFile);
}

// Only the file in it is to be deleted, as --include leaves directories.
TEST(SyncPlanTest, DeletesNothingInADirectoryWithAnotherName) {
  MemoryTree source;
  MemoryTree target;
  source.AddFile("/s/\u00c9/x", "new contents");
  target.AddFile("/t/\u00e9/x", "old");
  SyncRequest request;
  request.source = {source.Open(), "/s"};
  request.target = {target.Open(TablesThatTake<kUpperFolder, kLowerFolder>()),
                    "/t"};
  request.filter = *PathFilter::Create({"x"}, {});
  ExpectNoDeletion(request, kUpperFolder);
}

// The copy is younger than a time that is not known. A disk knows its times.
TEST(SyncPlanTest, ComparesContentsWhereTheSourceHasNoTime) {
  struct Case {
    int64_t time;
    const char* contents;
    size_t steps;
    bool is_exact = false;
  };
  for (const Case& each :
       {Case{0, "new", 1}, Case{0, "old", 0}, Case{-1, "new", 1},
        Case{1, "new", 0}, Case{0, "new", 0, true}, Case{-1, "new", 0, true}}) {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.is_exact = each.is_exact;
    MemoryTree source;
    MemoryTree target;
    source.AddFile("/s/f", each.contents);
    target.AddFile("/t/f", "old");
    source.correct_stat = [&](const std::string&, TF_FileStatistics& found) {
      found.mtime_nsec = each.time;
    };
    target.correct_stat = [](const std::string&, TF_FileStatistics& found) {
      found.mtime_nsec = 1'000'000'000;
    };
    SyncRequest request;
    request.source = {source.Open(tables), "/s"};
    request.target = {target.Open(), "/t"};
    request.report_error = [](const std::string& uri, const absl::Status&) {
      ADD_FAILURE() << uri;
      return true;
    };
    const std::optional<Plan> plan = PlanSync(request);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->files(), each.steps) << each.time << each.contents;
  }
}

}  // namespace
}  // namespace fsload
