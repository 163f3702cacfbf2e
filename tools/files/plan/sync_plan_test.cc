#include "tools/files/plan/sync_plan.h"

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

// The plugin of the target takes two names for one that have no ASCII letter
// in common, so the file that is to be copied is the one that is to be deleted.
TEST(SyncPlanTest, DeletesNothingWhereNamesAreFoldedInOtherWays) {
  MemoryTree source;
  MemoryTree target;
  source.AddFile("/s/d/\u00c9", "new contents");
  source.AddFile("/s/new/file");
  target.AddFile("/t/d/\u00e9", "old");
  target.AddFile("/t/extra");
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.stat = [](const TF_Filesystem* filesystem, const char* path,
                              TF_FileStatistics* found, TF_Status* status) {
    const bool folds = std::string(path) == "/t/d/\u00c9";
    MemoryTree::Tables().filesystem.stat(
        filesystem, folds ? "/t/d/\u00e9" : path, found, status);
  };
  std::vector<std::string> errors;
  SyncRequest request;
  request.source = {source.Open(), "/s"};
  request.target = {target.Open(tables), "/t"};
  request.deletes = true;
  request.report_error = [&](const std::string& uri,
                             const absl::Status& status) {
    errors.push_back(uri + ": " + std::string(status.message()));
    return true;
  };
  const std::optional<Plan> plan = PlanSync(request);
  EXPECT_THAT(errors, ::testing::SizeIs(2));
  EXPECT_THAT(errors,
              Contains(HasSubstr("/t/d/\u00c9: is there, but not listed: it is "
                                 "another name of what is there")));
  ASSERT_TRUE(plan.has_value());
  for (const Step& step : plan->steps) {
    EXPECT_FALSE(IsDeletion(step.kind)) << StepText(step);
  }
}

}  // namespace
}  // namespace fsload
