#include "core/replay/replaying_tables.h"

#include "core/tables/operations.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(ReplayingTablesTest, HaveEachOperationOfThePlugin) {
  JournalFileSystem all;
  for (const Operation& each : kOperations) all.operations.push_back(each.op);
  const SchemeTables tables = ReplayingTables(all);
  for (const Operation& each : kOperations) {
    EXPECT_NE(FunctionIn(tables, each.op), nullptr)
        << FullName(each.op) << " is missing in ReplayFiles";
  }
}

}  // namespace
}  // namespace fsload
