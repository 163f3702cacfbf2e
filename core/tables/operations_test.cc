#include "core/tables/operations.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"

namespace fsload {
namespace {

TEST(OperationsTest, DescribesEachSlotOfTheTablesInItsOrder) {
  for (const TableShape& shape : kTableShapes) {
    SCOPED_TRACE(shape.name);
    size_t bytes = 0;
    for (const Operation& operation : kOperations) {
      if (operation.table != shape.table) continue;
      EXPECT_EQ(operation.offset, bytes) << operation.name;
      EXPECT_EQ(&Describe(operation.op), &operation);
      bytes += sizeof(void*);
    }
    EXPECT_EQ(bytes, shape.bytes);
    EXPECT_EQ(&Describe(shape.table), &shape);
  }
}

TEST(OperationsTest, RefusesPluginsWithoutTheRequiredOperationsOnly) {
  for (const Operation& operation : kOperations) {
    // "This operation must be provided" (L211, L245, L307-L318, L326, L342).
    const bool required = operation.name == "init" ||
                          operation.name == "cleanup" ||
                          operation.table == Table::kReadOnlyMemoryRegion;
    EXPECT_EQ(operation.absence == Absence::kRefused, required)
        << operation.name;
  }
}

TEST(OperationsTest, FindsTheFunctionOfEveryOperation) {
  SchemeTables tables;
  // A different address in each slot of each table.
  uintptr_t next = 0x1000;
  const auto fill = [&next](auto& table) {
    for (size_t at = 0; at < sizeof(table); at += sizeof(next), ++next) {
      std::memcpy(reinterpret_cast<char*>(&table) + at, &next, sizeof(next));
    }
  };
  fill(tables.filesystem);
  fill(tables.random_access_file);
  fill(tables.writable_file);
  fill(tables.read_only_memory_region);

  uintptr_t expected = 0x1000;
  for (const Operation& operation : kOperations) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(FunctionIn(tables, operation.op)),
              expected++)
        << operation.name;
  }
#define FSLOAD_ROW(table, name, ...)                        \
  EXPECT_EQ(reinterpret_cast<const void*>(                  \
                FunctionOf<Op::k##table##_##name>(tables)), \
            FunctionIn(tables, Op::k##table##_##name))      \
      << #name;
  FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
}

TEST(OperationsTest, FindsNoFunctionWhereThereIsNone) {
  const SchemeTables tables;
  for (const Operation& operation : kOperations) {
    EXPECT_EQ(FunctionIn(tables, operation.op), nullptr) << operation.name;
  }
}

TEST(OperationsTest, ReadsTheTensorFlowVersionFromTheSizeOfTheTable) {
  constexpr struct {
    size_t bytes;
    std::string_view versions;
  } kCases[] = {
      {0, "no TensorFlow release"},
      {16, "no TensorFlow release"},
      {168, "no TensorFlow release"},
      {176, "2.2-2.3"},
      {184, "no TensorFlow release"},
      {224, "2.4"},
      {256, "no TensorFlow release"},
      {264, "2.5 and later"},
      {265, "newer than any release that fsload knows"},
      {272, "newer than any release that fsload knows"},
      {SIZE_MAX, "newer than any release that fsload knows"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(TensorFlowVersions(each.bytes), each.versions) << each.bytes;
  }
}

}  // namespace
}  // namespace fsload
